// Reads or replaces a file atomically: readers, even after a kill, find the old bytes or the new ones.

import fs from 'node:fs'
import { dirname } from 'node:path'

/** Settings files are small; a larger file is something else. */
const MOST_BYTES = 4_000_000
const USUAL = 0o644

/** Null if there is no such file. */
export function bytesIn(path: string): Buffer | null {
  const found = fs.statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return null
  if (!found.isFile() || found.size > MOST_BYTES) {
    throw new Error(`${path} is not a file of at most ${MOST_BYTES} bytes; it was not changed`)
  }
  return fs.readFileSync(path)
}

/** Writes the bytes next to the file, with its mode, and renames them over it. Only one process may do this at a time. */
export function replaceFile(
  path: string,
  bytes: Uint8Array,
  whenWritten: () => void,
  mode = USUAL,
): void {
  const there = fs.statSync(path, { throwIfNoEntry: false })
  if (there !== undefined && (there.mode & 0o222) === 0) {
    throw new Error(`${path} is read-only; make it writable first (chmod u+w)`)
  }
  removeFresh(path)
  const fresh = freshPath(path)
  // The flag refuses to write through anything that already exists.
  const fd = fs.openSync(fresh, 'wx', mode)
  try {
    if (there !== undefined) fs.fchmodSync(fd, there.mode & 0o7777)
    fs.writeFileSync(fd, bytes)
    fs.fsyncSync(fd)
  } finally {
    fs.closeSync(fd)
  }
  whenWritten()
  fs.renameSync(fresh, path)
  flushFolder(dirname(path))
}

/** A killed process may have left this. */
export function removeFresh(path: string): void {
  fs.rmSync(freshPath(path), { force: true })
}

function freshPath(path: string): string {
  return `${path}.workflow-new`
}

export function flushFolder(folder: string): void {
  const fd = fs.openSync(folder, fs.constants.O_RDONLY)
  try {
    fs.fsyncSync(fd)
  } finally {
    fs.closeSync(fd)
  }
}

/** The missing folders on the way to this one, outermost first. */
export function missingFolders(folder: string): string[] {
  const missing: string[] = []
  for (let at = folder; !fs.existsSync(at); at = dirname(at)) missing.unshift(at)
  return missing
}

export function removeIfEmpty(folder: string): boolean {
  try {
    fs.rmdirSync(folder)
    return true
  } catch {
    // The folder has other files, or is gone.
    return false
  }
}
