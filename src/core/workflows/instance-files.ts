// The files of an instance: its documents, which agents and people write, and channel.md, which mirrors the log. This
// module checks paths. Files are read and written through a port, because only the machine knows where a path leads.

import { quote, Refusal, refuse, type Sentence, sentence } from '../error.ts'
import type { Instant } from '../time.ts'

/** 1 MiB, so that a document fits into one message and its revision can keep the content. */
export const MOST_DOCUMENT_BYTES = 1_048_576
export const MOST_DOCUMENTS = 1000
const LONGEST_DOCUMENT_PATH = 512
/** The longest name of a file or folder. File systems don't allow much more. */
const LONGEST_STEP = 200
export const DEEPEST_DOCUMENT = 8

/** The folder of an instance, and the paths of its files. */
export type InstanceFolder = {
  /** The real path. */
  dir: string
  channel_file: string
  /** The entry point of the documents. */
  document: string
  /** Other documents that the workflow file names. */
  documents: readonly string[]
}

export type FoundDocument = { file: string; bytes: number; modified_at: Instant }
export type FoundDocuments = {
  documents: FoundDocument[]
  /** Whether there are more documents than listed. */
  more: boolean
}

export interface InstanceFiles {
  /** Returns a document's content, or null if it doesn't exist. Refuses files that aren't text or are elsewhere. */
  read(place: InstanceFolder, file: string): Promise<string | null>
  /** The entry point first, then the documents that the workflow names, then all others. */
  list(place: InstanceFolder): Promise<FoundDocuments>
  /** Runs `work` while no other process can write this folder's documents through the program. */
  alone<R>(place: InstanceFolder, work: (files: WritableFiles) => Promise<R>): Promise<R>
}

export interface WritableFiles {
  read(file: string): string | null
  /**
   * Replaces the content atomically. `was` is the content the caller saw, or null for a new document. Returns false and
   * changes nothing if the content has changed since.
   */
  replace(file: string, change: { was: string | null; text: string }): boolean
  /** Removes a document if its content is still `was`. */
  remove(file: string, was: string): boolean
  /** Leaves a note about a change in progress that survives a killed process; null removes it. */
  note(change: ChangeNote | null): void
  /** The note left by a killed process. */
  noted(): ChangeNote | null
}

/** A change to a document. It only counts once the store has its revision. */
export type ChangeNote = {
  revision_id: string
  file: string
  was: string | null
  /** The digest of the new content; empty if the document is removed. */
  sha256: string
}

/** Files in the folder that the program creates for itself. */
const GENERATED = ['mcp.json', 'context.sock']
/** Special characters that are percent-encoded, in case some code decodes a path twice. */
const ENCODED = /%(2e|2f|5c|00|25)/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters.
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

/** Direction marks and zero-width characters make names look alike. Some scripts need the two allowed joiners. */
const UNSEEN_MARKS = /(?![\u200c\u200d])\p{Cf}/u

/** Normalizes a document's path, which must be relative and can't lead upward, or refuses it. */
export function documentPath(
  text: string,
  label: Sentence,
  place: Pick<InstanceFolder, 'channel_file'>,
): string {
  const no = (why: string) => badPath(text, label, why)
  if (CONTROLS.test(text)) throw no('has a control character')
  if (UNSEEN_MARKS.test(text)) throw no('has a letter that cannot be seen')
  if (!text.isWellFormed()) throw no('is not valid Unicode')
  if (text.includes('\\') || /^[A-Za-z]:/.test(text)) throw no('is written for another system')
  if (ENCODED.test(text)) throw no('is encoded')
  if (text.startsWith('/') || text.startsWith('~')) throw no('is not inside the folder')
  if (text.endsWith('/')) throw no('names a folder')
  if (bytesOf(text) > LONGEST_DOCUMENT_PATH) throw no(`is over ${LONGEST_DOCUMENT_PATH} bytes long`)
  const steps = text.split('/').filter((step) => step !== '' && step !== '.')
  if (steps.length === 0) throw no('names no file')
  if (steps.includes('..')) throw no('leads out of the folder')
  if (steps.length > DEEPEST_DOCUMENT) {
    throw no(`is more than ${DEEPEST_DOCUMENT} steps deep`)
  }
  const long = steps.find((step) => bytesOf(step) > LONGEST_STEP)
  if (long !== undefined) throw no(`has a name of more than ${LONGEST_STEP} bytes`)
  if (steps.some((step) => step.startsWith('.'))) throw no('is hidden')
  const path = steps.join('/')
  // A document can't be below the channel file's path either, because its folder would replace the file.
  const onTheWay = steps.map((_, at) => steps.slice(0, at + 1).join('/'))
  if (onTheWay.some((one) => isOfChannel(one, place))) {
    throw new Refusal(
      'invalid_input',
      sentence`${label} ${quote(text)} follows the channel and is no document: say it in the channel, or name another file`,
      { path },
    )
  }
  if (onTheWay.some(isGenerated)) throw no('is a file that the program makes')
  return path
}

/** Whether a path found in the folder is a valid document path. */
export function isDocumentPath(path: string, place: Pick<InstanceFolder, 'channel_file'>): boolean {
  try {
    return documentPath(path, 'file', place) === path
  } catch {
    // Callers can't use this path, because documentPath refuses it.
    return false
  }
}

/** Where the channel file of an earlier run is kept: channel.md of the third run becomes channel-3.md. */
export function formerChannelFile(channelFile: string, run: number): string {
  const { stem, ending } = partsOf(channelFile)
  return `${stem}-${run}${ending}`
}

// Some file systems ignore case, so these names are reserved in any case.
function isOfChannel(
  path: string,
  { channel_file }: Pick<InstanceFolder, 'channel_file'>,
): boolean {
  const [given, own] = [path.toLowerCase(), channel_file.toLowerCase()]
  if (given === own) return true
  const { stem, ending } = partsOf(own)
  if (!given.startsWith(`${stem}-`) || !given.endsWith(ending)) return false
  return /^\d+$/.test(given.slice(stem.length + 1, given.length - ending.length))
}

function isGenerated(path: string): boolean {
  return GENERATED.includes(path.toLowerCase())
}

function partsOf(file: string): { stem: string; ending: string } {
  const at = file.lastIndexOf('.')
  if (at <= file.lastIndexOf('/') + 1) return { stem: file, ending: '' }
  return { stem: file.slice(0, at), ending: file.slice(at) }
}

function badPath(text: string, label: Sentence, why: string): Refusal {
  return refuse.invalid_input`${label} ${quote(text)} ${why}; write it relative to the instance's folder, such as findings/auth.md`
}

export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}
