// The documents of an instance, as files of its folder. document-file.ts reads and writes one of them.
//
// Writers of one folder wait for each other: those of this process in a row, those of others at a lock file.

import fs from 'node:fs'
import { quote, refuse } from '../core/error.ts'
import {
  type ChangeNote,
  type ContextFiles,
  type ContextPlace,
  isContextPath,
  MOST_DOCUMENT_BYTES,
  MOST_DOCUMENTS,
  type WritableFiles,
} from '../core/workflows/context-files.ts'
import { listDocuments } from './context-list.ts'
import {
  explained,
  mustBeWritable,
  putDocument,
  putHidden,
  readDocument,
  readHidden,
  removeDocument,
  removeHidden,
  tooLarge,
} from './document-file.ts'
import { holderOf, tryLock } from './file-lock.ts'
import { type HeldFolder, holdFolder } from './inside-folder.ts'

const LOCK = '.documents.lock'
const NOTE = '.documents.note'
const LONGEST_WAIT_MS = 10_000
const LOOK_MS = 5

export const contextFiles: ContextFiles = {
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

function mustHold({ dir }: ContextPlace): HeldFolder {
  const folder = holdFolder(dir)
  if (folder !== null) return folder
  throw refuse(
    'invalid_state',
    `the instance's folder ${quote(dir)} is not on this machine, or a link took its place; call where the instance runs, or run it again`,
    { dir },
  )
}

/** The last writer in each folder, for whom the next one waits. */
const waiting = new Map<string, Promise<void>>()

async function alone<R>(
  place: ContextPlace,
  work: (files: WritableFiles) => Promise<R>,
): Promise<R> {
  const before = waiting.get(place.dir) ?? Promise.resolve()
  const { promise: done, resolve: end } = Promise.withResolvers<void>()
  const mine = before.then(() => done)
  waiting.set(place.dir, mine)
  await before
  try {
    return await locked(place, work)
  } finally {
    end()
    if (waiting.get(place.dir) === mine) waiting.delete(place.dir)
  }
}

async function locked<R>(
  place: ContextPlace,
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

async function takeLock(folder: HeldFolder, { dir }: ContextPlace): Promise<() => void> {
  const lock = folder.at(LOCK)
  const until = performance.now() + LONGEST_WAIT_MS
  for (;;) {
    const release = explained(dir, () => tryLock(lock))
    if (release !== null) return release
    mustBeFile(lock, dir)
    if (performance.now() > until) {
      const pid = holderOf(lock)
      const who = pid === undefined || Number.isNaN(pid) ? 'another process' : `process ${pid}`
      throw refuse(
        'busy',
        `${who} has been writing documents in ${quote(dir)} for ${LONGEST_WAIT_MS / 1000} seconds; if there is no such process, remove ${quote(`${dir}/${LOCK}`)}`,
      )
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

/** Nobody ever releases something else with the lock's name. */
function mustBeFile(lock: string, dir: string): void {
  const found = fs.lstatSync(lock, { throwIfNoEntry: false })
  if (found === undefined || found.isFile()) return
  throw refuse('invalid_state', `${quote(`${dir}/${LOCK}`)} is not a file; remove it`)
}

function writableFiles(place: ContextPlace): WritableFiles {
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
      return explained(file, () => putDocument(dir, file, { was, bytes }, found?.mode))
    },
    remove(file, was) {
      const found = readDocument(dir, file)
      if (found?.text !== was) return false
      mustBeWritable(found, file)
      return explained(file, () => removeDocument(dir, file, was))
    },
    note: (change) => explained(change?.file ?? NOTE, () => putNote(dir, change)),
    noted: () => noteIn(readHidden(dir, NOTE), place),
  }
}

function putNote(dir: string, change: ChangeNote | null): void {
  if (change !== null) putHidden(dir, NOTE, JSON.stringify(change))
  else removeHidden(dir, NOTE)
}

/** Anybody who writes in the folder can leave one, so it may only speak of a document. */
function noteIn(text: string | null, place: ContextPlace): ChangeNote | null {
  try {
    const note = JSON.parse(text ?? 'null') as Partial<ChangeNote> | null
    if (note === null) return null
    const { revision_id, file, was = null, sha256 } = note
    const isWhole = [revision_id, file, sha256].every((one) => typeof one === 'string')
    if (!isWhole || !isContextPath(file as string, place)) return null
    return { revision_id, file, was: was === null ? null : String(was), sha256 } as ChangeNote
  } catch {
    // Half a note was written, so nothing was changed yet.
    return null
  }
}

function mustHaveRoom(place: ContextPlace): void {
  const { documents, more } = listDocuments(place)
  if (documents.length < MOST_DOCUMENTS && !more) return
  throw refuse(
    'invalid_state',
    `the folder ${quote(place.dir)} holds ${MOST_DOCUMENTS} documents or more; delete some, or write into one of them`,
  )
}
