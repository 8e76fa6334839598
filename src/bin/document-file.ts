// Reads, replaces or removes one document as a file, without following links (see inside-folder.ts).
// (1) New content is on disk next to the document before it replaces the document with a single rename. So readers see
//     either the old version or the new one, and a full disk leaves the document unchanged.
// (2) Only plain files are opened or replaced, and never the files of a store that's open in this process.
// (3) Editors don't take our lock, so the content is compared once more right before it's replaced.

import fs from 'node:fs'
import { quote, Refusal, refuse } from '../core/error.ts'
import { MOST_DOCUMENT_BYTES } from '../core/workflows/instance-files.ts'
import {
  type HeldFolder,
  holdBelow,
  holdFolder,
  makeBelow,
  throughLink,
  useFolder,
} from './inside-folder.ts'
import { hasHandles, O_PATH } from './open-inside.ts'
import { isStoreFile } from './store-files.ts'
import { codeOf, useFile, writeAll } from './text-file.ts'

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = fs.constants
const READING = O_RDONLY | O_NONBLOCK | O_NOCTTY
const MAKING = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
/** The mode of a new document, before the user's umask. */
const USUAL = 0o644
/** Writers wait for each other, so an existing file of this name was left by a killed process. */
const FRESH = '.document.tmp'
/** JSON may need six characters to encode a single one. */
const MOST_HIDDEN_BYTES = 8 * MOST_DOCUMENT_BYTES

export type DocumentText = { text: string; mode: number }

export function readDocument(dir: string, file: string): DocumentText | null {
  const { above, name } = stepsOf(file)
  return explainErrors(file, () => {
    const folder = holdBelow(dir, above)
    return folder && useFolder(folder, () => readIn(folder, name, file))
  })
}

export function stepsOf(file: string): { above: string[]; name: string } {
  const above = file.split('/')
  const name = above.pop() as string
  return { above, name }
}

function readIn(folder: HeldFolder, name: string, file: string): DocumentText | null {
  const fd = openIn(folder, name, file)
  if (fd === null) return null
  return useFile(fd, () => {
    return { text: textOf(readAll(fd, file), file), mode: fs.fstatSync(fd).mode }
  })
}

function openIn(
  folder: HeldFolder,
  name: string,
  file: string,
  most = MOST_DOCUMENT_BYTES,
): number | null {
  if (!hasHandles()) {
    const stat = fs.lstatSync(folder.at(name), { throwIfNoEntry: false })
    if (stat === undefined) return null
    mustBePlain(stat, file, most)
    const fd = fs.openSync(folder.at(name), READING | O_NOFOLLOW)
    if (fs.fstatSync(fd).ino === stat.ino) return fd
    fs.closeSync(fd)
    throw new Refusal('invalid_state', `${quote(file)} was replaced meanwhile; try again`, { file })
  }
  let handle: number
  try {
    handle = fs.openSync(folder.at(name), O_PATH | O_NOFOLLOW)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
  return useFile(handle, () => {
    // Check the file before opening it; see (2) above.
    mustBePlain(fs.fstatSync(handle), file, most)
    return fs.openSync(`/proc/self/fd/${handle}`, READING)
  })
}

function mustBePlain(stat: fs.Stats, file: string, most: number): void {
  if (stat.isSymbolicLink()) throw throughLink(file)
  if (stat.isDirectory()) {
    throw new Refusal('invalid_input', `${quote(file)} is a folder; name a file in it`, { file })
  }
  if (!stat.isFile() || isStoreFile(stat)) {
    throw new Refusal(
      'invalid_input',
      `${quote(file)} is not a document: it is not a regular file`,
      {
        file,
      },
    )
  }
  if (stat.size > most) throw tooLarge(file, stat.size)
}

export function tooLarge(file: string, size: number): Refusal {
  return new Refusal(
    'invalid_input',
    `${quote(file)} has ${size} bytes; a document has at most ${MOST_DOCUMENT_BYTES}: split it into several`,
    { file, bytes: size },
  )
}

/** Checks the size again, because the file may grow while we read it. */
function readAll(fd: number, file: string): Uint8Array {
  const bytes = new Uint8Array(MOST_DOCUMENT_BYTES + 1)
  let length = 0
  while (length < bytes.length) {
    const read = fs.readSync(fd, bytes, length, bytes.length - length, length)
    if (read === 0) return bytes.subarray(0, length)
    length += read
  }
  throw tooLarge(file, fs.fstatSync(fd).size)
}

function textOf(bytes: Uint8Array, file: string): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    if (!text.includes('\0')) return text
  } catch {
    // Refused below.
  }
  throw new Refusal(
    'invalid_input',
    `${quote(file)} is not UTF-8 text, so it cannot be a document`,
    {
      file,
    },
  )
}

/** Refuses to replace a read-only document, even though its folder would allow it. */
export function mustBeWritable({ mode }: DocumentText, file: string): void {
  if ((mode & 0o222) !== 0) return
  throw new Refusal(
    'invalid_state',
    `${quote(file)} is read-only, and was left as it is; make it writable first (chmod u+w)`,
    { file },
  )
}

type Replacement = { was: string | null; bytes: Uint8Array }

/** Writes the new content next to the document, then puts it in place; see (1) above. */
export function putDocument(
  dir: string,
  file: string,
  change: Replacement,
  mode?: number,
): boolean {
  const { above, name } = stepsOf(file)
  const made = makeBelow(dir, above)
  if (made === null) throw folderGone(dir)
  const { folder } = made
  let isDone = false
  try {
    clearFresh(folder, FRESH)
    writeFresh(folder.at(FRESH), change.bytes, mode)
    folder.mustBeThere()
    isDone = takePlace(folder, { name, file }, change)
    if (isDone) folder.flush()
    return isDone
  } finally {
    dropFresh(folder, FRESH)
    folder.close()
    if (!isDone) made.undo()
  }
}

/** Makes room for a new file. A folder with that name isn't ours, so it's left alone. */
export function clearFresh(folder: HeldFolder, name: string): void {
  try {
    fs.unlinkSync(folder.at(name))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    if (!fs.lstatSync(folder.at(name), { throwIfNoEntry: false })?.isDirectory()) throw error
    throw refuse.invalid_state`${quote(name)} is a folder, where new texts are written; remove it`
  }
}

/** Removes the new file if it's still there. Always called at the end. */
export function dropFresh(folder: HeldFolder, name: string): void {
  try {
    fs.unlinkSync(folder.at(name))
  } catch {
    // The new file has replaced the document, or was never written.
  }
}

function writeFresh(path: string, bytes: Uint8Array, mode: number | undefined): void {
  useFile(fs.openSync(path, MAKING, mode === undefined ? USUAL : 0o600), (fd) => {
    if (mode !== undefined) fs.fchmodSync(fd, mode & 0o7777)
    writeAll(fd, bytes)
    fs.fsyncSync(fd)
  })
}

/** Returns false if the document has changed, or if one already exists where none was expected. */
function takePlace(
  folder: HeldFolder,
  { name, file }: { name: string; file: string },
  { was }: Replacement,
): boolean {
  if (was !== null) {
    // An editor may have changed the document; see (3) above.
    if (readIn(folder, name, file)?.text !== was) return false
    fs.renameSync(folder.at(FRESH), folder.at(name))
    return true
  }
  try {
    // A new document never replaces a file, not even one created this very moment.
    fs.linkSync(folder.at(FRESH), folder.at(name))
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

export function removeDocument(dir: string, file: string, was: string): boolean {
  const { above, name } = stepsOf(file)
  const folder = holdBelow(dir, above)
  if (folder === null) return false
  return useFolder(folder, () => {
    folder.mustBeThere()
    if (readIn(folder, name, file)?.text !== was) return false
    fs.rmSync(folder.at(name))
    folder.flush()
    return true
  })
}

function folderGone(dir: string): Refusal {
  return refuse.invalid_state`the instance's folder ${quote(dir)} is gone; run it again`
}

/** Writes one of our hidden files, which aren't documents. */
export function putHidden(dir: string, name: string, text: string): void {
  const folder = holdFolder(dir)
  if (folder === null) throw folderGone(dir)
  try {
    clearFresh(folder, FRESH)
    writeFresh(folder.at(FRESH), new TextEncoder().encode(text), 0o600)
    folder.mustBeThere()
    fs.renameSync(folder.at(FRESH), folder.at(name))
    folder.flush()
  } finally {
    dropFresh(folder, FRESH)
    folder.close()
  }
}

export function readHidden(dir: string, name: string): string | null {
  const folder = holdFolder(dir)
  if (folder === null) return null
  try {
    const fd = openIn(folder, name, name, MOST_HIDDEN_BYTES)
    return fd === null ? null : useFile(fd, () => fs.readFileSync(fd, 'utf8'))
  } catch (error) {
    // Something that isn't ours has this name. Ignore it, because it must not keep anyone from writing.
    if (error instanceof Refusal) return null
    throw error
  } finally {
    folder.close()
  }
}

export function removeHidden(dir: string, name: string): void {
  const folder = holdFolder(dir)
  if (folder === null) return
  try {
    fs.rmSync(folder.at(name), { force: true })
  } catch {
    // A leftover note has no meaning once the store has recorded the change.
  } finally {
    folder.close()
  }
}

const WHY: Record<string, string> = {
  ENOSPC: 'the disk is full; free some space and try again',
  EDQUOT: 'your share of the disk is full; free some space and try again',
  EACCES: 'permission denied; ask the owner of the folder',
  EPERM: 'permission denied; ask the owner of the folder',
  EROFS: 'the file system is read-only; give the instance another folder',
  EIO: 'the disk has an error',
  EISDIR: 'a folder is in its place; move that away',
  ENOTEMPTY: 'a folder is in its place; move that away',
  ENAMETOOLONG: 'the name is too long; choose a shorter one',
}

export function explainErrors<R>(file: string, work: () => R): R {
  try {
    return work()
  } catch (error) {
    throw explain(file, error)
  }
}

/** Turns a file system error into a refusal if people can do something about it. */
export function explain(file: string, error: unknown): unknown {
  const why = WHY[codeOf(error)]
  if (error instanceof Refusal || why === undefined) return error
  const details = { file, reason: codeOf(error) }
  return new Refusal('invalid_state', `${quote(file)} was left as it is: ${why}`, details)
}
