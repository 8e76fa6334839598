// Changes several files: either all of them or none.
// (1) A note with all edits and the old content of the files is on disk before anything else is written.
// (2) All new content is on disk next to its files before the first file is replaced.
// (3) Removing the note makes the edits final. Until then, they can be undone: by the same process after an error, or
//     by the next one if the process was killed.
// (4) A file whose content isn't in the note was edited by someone else, and is left alone.

import fs from 'node:fs'
import { homedir } from 'node:os'
import { dirname } from 'node:path'
import type { Disk, FileEdit } from '../core/disk.ts'
import { quote, Refusal, refuse } from '../core/error.ts'
import { lockFile } from './file-lock.ts'
import { lastingCommand } from './own-command.ts'
import { codeOf, flushFolder, readText, realPath, useFile } from './text-file.ts'

const PRIVATE = 0o600
const PRIVATE_FOLDER = 0o700
/** The mode of a new file, before the user's umask. */
const USUAL = 0o644

const WHY: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EACCES: 'permission denied',
  EROFS: 'the file system is read-only',
}

function reason(error: unknown): string {
  return WHY[codeOf(error)] ?? codeOf(error)
}

type EditNote = {
  /** A random part of the new files' names, so that no one else can create those files in advance. */
  id: string
  edits: FileEdit[]
  /** Folders created for the edits, outermost first. */
  folders: string[]
}

/** Edits files while holding a lock. Removes folders below `root` that are left empty. */
export async function editAlone<R>(
  { place, root }: { place: string; root: string },
  work: (edit: (edits: readonly FileEdit[]) => void) => Promise<R>,
): Promise<R> {
  makeFolder(dirname(place))
  const release = lockFile(place, 'wait for it')
  try {
    // Only the lock holder writes here, so an existing file of this name was left by a killed process.
    fs.rmSync(freshNote(place), { force: true })
    const left = readText(place)
    if (left !== null) undo(place, noteIn(left, place))
    return await work((edits) => editAll(place, edits))
  } finally {
    release()
    removeEmptyAbove(place, root)
  }
}

function makeFolder(folder: string): void {
  try {
    fs.mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER })
  } catch (error) {
    throw refuse.invalid_input`cannot make the folder ${quote(folder)}: ${reason(error)}`
  }
}

function editAll(place: string, wanted: readonly FileEdit[]): void {
  const edits = wanted
    .filter(({ was, text }) => was !== text)
    .map((edit) => ({ ...edit, path: realPath(edit.path) }))
  for (const { path } of edits) mustBeWritable(path)
  const note: EditNote = { id: crypto.randomUUID(), edits, folders: missingFolders(edits) }
  let at = place
  try {
    writeNote(place, note)
    for (at of note.folders) fs.mkdirSync(at)
    for (const edit of edits) {
      at = edit.path
      if (edit.text !== null) writeFresh(freshPath(note, edit), edit)
    }
    for (const edit of edits) {
      at = edit.path
      carryOut(note, edit)
    }
    for (const folder of new Set(edits.map(({ path }) => dirname(path)))) {
      if (fs.existsSync(folder)) flushFolder(folder)
    }
    fs.rmSync(place)
  } catch (error) {
    undo(place, note)
    if (error instanceof Refusal) throw error
    throw refuse.invalid_input`cannot write ${quote(at)}: ${reason(error)}; every file is as it was`
  }
  flushFolder(dirname(place))
}

/** Refuses to replace a read-only file, even though its folder would allow it. */
function mustBeWritable(path: string): void {
  const found = fs.statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return
  try {
    fs.accessSync(path, fs.constants.W_OK)
    if ((found.mode & 0o222) !== 0) return
  } catch {
    // Refused below.
  }
  throw refuse.invalid_input`${quote(path)} is read-only, and every file was left as it is; make it writable first (chmod u+w)`
}

function missingFolders(edits: readonly FileEdit[]): string[] {
  const missing = new Set<string>()
  for (const { path, text } of edits) {
    if (text === null) continue
    for (let at = dirname(path); !fs.existsSync(at); at = dirname(at)) missing.add(at)
  }
  return [...missing].sort((a, b) => a.length - b.length)
}

function freshPath({ id }: EditNote, { path }: FileEdit): string {
  return `${path}.${id}.tmp`
}

function writeFresh(fresh: string, { path, text }: Pick<FileEdit, 'path' | 'text'>): void {
  const there = fs.statSync(path, { throwIfNoEntry: false })
  // `wx` fails if anything already exists at this path, even a link.
  useFile(fs.openSync(fresh, 'wx', there === undefined ? USUAL : PRIVATE), (fd) => {
    if (there !== undefined) fs.fchmodSync(fd, there.mode & 0o7777)
    fs.writeFileSync(fd, text ?? '')
    fs.fsyncSync(fd)
  })
}

function carryOut(note: EditNote, edit: FileEdit): void {
  const { path, was, text } = edit
  if (readText(path) !== was)
    throw refuse.invalid_input`${quote(path)} was changed meanwhile by another program, and every file was left as it is; try again`
  if (text === null) removeFile(edit)
  else fs.renameSync(freshPath(note, edit), path)
}

function removeFile({ path, root }: FileEdit): void {
  fs.rmSync(path, { force: true })
  removeEmptyAbove(path, root)
}

function removeEmptyAbove(path: string, root: string): void {
  for (let folder = dirname(path); folder.startsWith(`${root}/`); folder = dirname(folder)) {
    if (!removeEmpty(folder)) return
  }
}

function removeEmpty(folder: string): boolean {
  try {
    fs.rmdirSync(folder)
    return true
  } catch {
    // The folder isn't empty, or is gone.
    return false
  }
}

function undo(place: string, note: EditNote): void {
  try {
    for (const edit of note.edits.toReversed()) {
      const { path, was, text } = edit
      fs.rmSync(freshPath(note, edit), { force: true })
      if (readText(path) !== text) continue
      if (was === null) fs.rmSync(path, { force: true })
      else {
        fs.mkdirSync(dirname(path), { recursive: true })
        writeFresh(freshPath(note, edit), { path, text: was })
        fs.renameSync(freshPath(note, edit), path)
      }
    }
    for (const folder of note.folders.toReversed()) removeEmpty(folder)
    for (const path of [freshNote(place), place]) fs.rmSync(path, { force: true })
  } catch (error) {
    const files = note.edits.map(({ path }) => quote(path)).join(', ')
    throw refuse.invalid_state`some of ${files} may be changed, and cannot be changed back now (${codeOf(error)}); run the command again to do so`
  }
}

function writeNote(place: string, note: EditNote): void {
  const fresh = freshNote(place)
  writeFresh(fresh, { path: place, text: JSON.stringify(note) })
  fs.chmodSync(fresh, PRIVATE)
  fs.renameSync(fresh, place)
  flushFolder(dirname(place))
}

function freshNote(place: string): string {
  return `${place}.tmp`
}

function noteIn(words: string, place: string): EditNote {
  try {
    const note = JSON.parse(words) as EditNote
    if (Array.isArray(note.edits) && Array.isArray(note.folders)) return note
  } catch {
    // Refused below.
  }
  throw refuse.invalid_state`${quote(place)} cannot be understood: a change of files was not finished; look at them, and remove this file`
}

export function makeDisk(program: readonly string[]): Disk {
  return {
    read: readText,
    alone: (note, work) => editAlone({ place: note, root: homedir() }, work),
    real: realPath,
    parseToml: (text) => Bun.TOML.parse(text),
    home: homedir(),
    cwd: process.cwd(),
    program: () => lastingCommand(program),
  }
}
