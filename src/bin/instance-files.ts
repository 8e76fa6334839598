// Lists the documents of an instance, which are files in its folder, and locks them for changes. document-file.ts reads
// and writes a single one.
// Writers of a folder wait for each other: in a queue within this process, and on a lock file across processes.

import fs from 'node:fs'
import { quote, Refusal, refuse } from '../core/error.ts'
import { toInstant } from '../core/time.ts'
import {
  type ChangeNote,
  DEEPEST_DOCUMENT,
  type FoundDocument,
  type FoundDocuments,
  type InstanceFiles,
  type InstanceFolder,
  isDocumentPath,
  MOST_DOCUMENT_BYTES,
  MOST_DOCUMENTS,
  type WritableFiles,
} from '../core/workflows/instance-files.ts'
import {
  explainErrors,
  mustBeWritable,
  putDocument,
  putHidden,
  readDocument,
  readHidden,
  removeDocument,
  removeHidden,
  tooLarge,
} from './document-file.ts'
import { describeHolder, tryLock } from './file-lock.ts'
import { type HeldFolder, holdBelow, holdFolder } from './inside-folder.ts'
import { isStoreFile } from './store-files.ts'

const LOCK = '.documents.lock'
const NOTE = '.documents.note'
const LONGEST_WAIT_MS = 10_000
const LOOK_MS = 5

export const instanceFiles: InstanceFiles = {
  async read(place, file) {
    mustHold(place).close()
    return readDocument(place.dir, file)?.text ?? null
  },
  async list(place) {
    mustHold(place).close()
    return listDocuments(place)
  },
  alone,
}

function mustHold({ dir }: InstanceFolder): HeldFolder {
  const folder = holdFolder(dir)
  if (folder !== null) return folder
  throw new Refusal(
    'invalid_state',
    `the instance's folder ${quote(dir)} is not on this machine, or a link took its place; call where the instance runs, or run it again`,
    { dir },
  )
}

/** The last writer of each folder; the next one waits for it. */
const waiting = new Map<string, Promise<void>>()

async function alone<R>(
  place: InstanceFolder,
  work: (files: WritableFiles) => Promise<R>,
): Promise<R> {
  const before = waiting.get(place.dir) ?? Promise.resolve()
  const { promise: done, resolve: end } = Promise.withResolvers<void>()
  const mine = before.then(() => done)
  waiting.set(place.dir, mine)
  await before
  try {
    return await withLock(place, work)
  } finally {
    end()
    if (waiting.get(place.dir) === mine) waiting.delete(place.dir)
  }
}

async function withLock<R>(
  place: InstanceFolder,
  work: (files: WritableFiles) => Promise<R>,
): Promise<R> {
  const folder = mustHold(place)
  try {
    const release = await takeLock(folder, place)
    try {
      return await work(writableFiles(place))
    } finally {
      release()
    }
  } finally {
    folder.close()
  }
}

async function takeLock(folder: HeldFolder, { dir }: InstanceFolder): Promise<() => void> {
  const lock = folder.at(LOCK)
  const until = performance.now() + LONGEST_WAIT_MS
  for (;;) {
    const release = explainErrors(dir, () => tryLock(lock))
    if (release !== null) return release
    mustBeFile(lock, dir)
    if (performance.now() > until) {
      throw refuse.busy`${describeHolder(lock)} has been writing documents in ${quote(dir)} for ${LONGEST_WAIT_MS / 1000} seconds; if there is no such process, remove ${quote(`${dir}/${LOCK}`)}`
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

/** Refuses to wait for a lock that isn't a file, because it would never be released. */
function mustBeFile(lock: string, dir: string): void {
  const found = fs.lstatSync(lock, { throwIfNoEntry: false })
  if (found === undefined || found.isFile()) return
  throw refuse.invalid_state`${quote(`${dir}/${LOCK}`)} is not a file; remove it`
}

function writableFiles(place: InstanceFolder): WritableFiles {
  const { dir } = place
  return {
    read: (file) => readDocument(dir, file)?.text ?? null,
    replace(file, { was, text }) {
      const bytes = new TextEncoder().encode(text)
      if (bytes.length > MOST_DOCUMENT_BYTES) throw tooLarge(file, bytes.length)
      const found = readDocument(dir, file)
      if ((found?.text ?? null) !== was) return false
      if (found !== null) mustBeWritable(found, file)
      else mustHaveRoom(place)
      return explainErrors(file, () => putDocument(dir, file, { was, bytes }, found?.mode))
    },
    remove(file, was) {
      const found = readDocument(dir, file)
      if (found?.text !== was) return false
      mustBeWritable(found, file)
      return explainErrors(file, () => removeDocument(dir, file, was))
    },
    note: (change) => explainErrors(change?.file ?? NOTE, () => putNote(dir, change)),
    noted: () => noteIn(readHidden(dir, NOTE), place),
  }
}

function putNote(dir: string, change: ChangeNote | null): void {
  if (change !== null) putHidden(dir, NOTE, JSON.stringify(change))
  else removeHidden(dir, NOTE)
}

/** Anyone who can write to the folder can leave a note, so check that it names a document. */
function noteIn(text: string | null, place: InstanceFolder): ChangeNote | null {
  try {
    const note = JSON.parse(text ?? 'null') as Partial<ChangeNote> | null
    if (note === null) return null
    const { revision_id, file, was = null, sha256 } = note
    const isWhole = [revision_id, file, sha256].every((one) => typeof one === 'string')
    if (!isWhole || !isDocumentPath(file as string, place)) return null
    return { revision_id, file, was: was === null ? null : String(was), sha256 } as ChangeNote
  } catch {
    // The note is incomplete, so nothing was changed yet.
    return null
  }
}

function mustHaveRoom(place: InstanceFolder): void {
  const { documents, more } = listDocuments(place)
  if (documents.length < MOST_DOCUMENTS && !more) return
  throw refuse.invalid_state`the folder ${quote(place.dir)} holds ${MOST_DOCUMENTS} documents or more; delete some, or write into one of them`
}

/** The folder may be a whole project, so stop after this many names. */
const MOST_LOOKED_AT = 20_000

type DocumentsSoFar = { found: FoundDocument[]; lookedAt: number; more: boolean }

export function listDocuments(place: InstanceFolder): FoundDocuments {
  const soFar: DocumentsSoFar = { found: [], lookedAt: 0, more: false }
  lookInto(place, [], soFar)
  const first = [place.document, ...place.documents]
  const rank = ({ file }: FoundDocument) => {
    const at = first.indexOf(file)
    return at === -1 ? first.length : at
  }
  // The sort is stable, so the others stay in the order they were found.
  const documents = soFar.found.sort((a, b) => rank(a) - rank(b))
  const more = soFar.more || documents.length > MOST_DOCUMENTS
  return { documents: documents.slice(0, MOST_DOCUMENTS), more }
}

function lookInto(place: InstanceFolder, steps: readonly string[], soFar: DocumentsSoFar): void {
  const folder = holdOrNull(place.dir, steps)
  if (folder === null) return
  const below: string[] = []
  try {
    for (const name of fs.readdirSync(folder.at('.')).sort()) {
      if (name.startsWith('.')) continue
      soFar.lookedAt += 1
      if (soFar.lookedAt > MOST_LOOKED_AT) {
        soFar.more = true
        return
      }
      const stat = fs.lstatSync(folder.at(name), { throwIfNoEntry: false })
      if (stat?.isDirectory()) below.push(name)
      const file = [...steps, name].join('/')
      if (!stat?.isFile() || isStoreFile(stat) || !isDocumentPath(file, place)) continue
      const modified_at = toInstant(Math.floor(stat.mtimeMs))
      soFar.found.push({ file, bytes: stat.size, modified_at })
    }
  } catch {
    // A folder that can't be read or is gone by now has no documents to list.
    return
  } finally {
    folder.close()
  }
  if (steps.length + 1 >= DEEPEST_DOCUMENT) return
  for (const name of below) {
    if (soFar.found.length > MOST_DOCUMENTS) soFar.more = true
    if (soFar.more) return
    lookInto(place, [...steps, name], soFar)
  }
}

function holdOrNull(dir: string, steps: readonly string[]) {
  try {
    return holdBelow(dir, steps)
  } catch {
    // A link or a file replaced the folder.
    return null
  }
}
