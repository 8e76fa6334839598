// The files of an instance: its documents, which agents and people write, and channel.md, which follows the log. This
// file says what a path may look like. A port reads and writes, because only the machine knows where a path leads.

import { quote, type Refusal, refuse } from '../error.ts'
import { type Sentence, sentence } from '../sentence.ts'
import type { Instant } from '../time.ts'

/** A mebibyte. A text of this size fits into one message, so that its revision can be kept. */
export const MOST_DOCUMENT_BYTES = 1_048_576
export const MOST_DOCUMENTS = 1000
const LONGEST_DOCUMENT_PATH = 512
/** A step is a name in a folder; file systems hold no longer ones. */
const LONGEST_STEP = 200
export const DEEPEST_DOCUMENT = 8

/** The folder of an instance, and which of its files is what. */
export type InstanceFolder = {
  /** By its real path. */
  dir: string
  channel_file: string
  /** The entry point. */
  document: string
  /** Further documents that the file of the workflow names. */
  documents: readonly string[]
}

export type FoundDocument = { file: string; bytes: number; modified_at: Instant }
export type FoundDocuments = {
  documents: FoundDocument[]
  /** There are more than the list holds. */
  more: boolean
}

export interface InstanceFiles {
  /** The text of a document; null when there is none. Refuses what is no text, or is no file inside the folder. */
  read(place: InstanceFolder, file: string): Promise<string | null>
  /** The entry point first, then those that the workflow names, then all others. */
  list(place: InstanceFolder): Promise<FoundDocuments>
  /** Nobody else writes documents of this folder by way of the program while the work is done. */
  alone<R>(place: InstanceFolder, work: (files: WritableFiles) => Promise<R>): Promise<R>
}

export interface WritableFiles {
  read(file: string): string | null
  /**
   * Replaces the text, all or nothing. `was` is what the caller has seen there: null for a new document. False if
   * something else is there now, and then nothing was changed.
   */
  replace(file: string, change: { was: string | null; text: string }): boolean
  /** The same for removing a document. */
  remove(file: string, was: string): boolean
  /** A note of a change that is under way, which outlives a process that is killed; null takes it back. */
  note(change: ChangeNote | null): void
  /** The note that a killed process left. */
  noted(): ChangeNote | null
}

/** A change of a document that stands once the store knows its revision. */
export type ChangeNote = {
  revision_id: string
  file: string
  was: string | null
  /** The digest of the text that comes; empty for none. */
  sha256: string
}

/** The files in the folder that the program makes for itself. */
const GENERATED = ['mcp.json', 'context.sock']
/** The same tricks, written for code that decodes a path twice. */
const ENCODED = /%(2e|2f|5c|00|25)/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for.
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

/** Marks of direction and of no width, by which two names look alike. Some scripts need the two joiners. */
const UNSEEN_MARKS = /(?![\u200c\u200d])\p{Cf}/u

/** The path of a document in its one form: relative, with plain steps downwards; or a refusal. */
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
  // A document may not stand below such a file either: its folder would take the file's place.
  const onTheWay = steps.map((_, at) => steps.slice(0, at + 1).join('/'))
  if (onTheWay.some((one) => isOfChannel(one, place))) {
    throw refuse(
      'invalid_input',
      sentence`${label} ${quote(text)} follows the channel and is no document: say it in the channel, or name another file`,
      { path },
    )
  }
  if (onTheWay.some(isGenerated)) throw no('is a file that the program makes')
  return path
}

/** Whether a document may have this path, which came from a folder and not from a caller. */
export function isDocumentPath(path: string, place: Pick<InstanceFolder, 'channel_file'>): boolean {
  try {
    return documentPath(path, 'file', place) === path
  } catch {
    // Whatever the reason, nobody could name it.
    return false
  }
}

/** The channel's file of a former run: channel.md was channel-3.md in the third. */
export function formerChannelFile(channelFile: string, run: number): string {
  const { stem, ending } = partsOf(channelFile)
  return `${stem}-${run}${ending}`
}

// Some file systems take one letter for the other, so these names are taken in any writing.
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
  return refuse(
    'invalid_input',
    sentence`${label} ${quote(text)} ${why}; write it relative to the instance's folder, such as findings/auth.md`,
  )
}

export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}
