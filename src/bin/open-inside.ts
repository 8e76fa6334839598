// Opens a file of a workspace so that nothing outside its folder can be read through it, and nothing that
// is done to its path meanwhile costs the server anything.
//
// (1) The path is turned into a handle first (O_PATH), which means one file from then on, whatever becomes of the path.
//     A handle opens nothing: no pipe blocks, no device notices.
// (2) The handle is asked where its file lies and what it is. If that will do, the very same file is opened for
//     reading through the handle. Only what is read through that descriptor goes out.
// (3) The files of a store that is open here are never opened, because closing a descriptor of one drops the
//     store's locks. Closing a handle drops none.
// (4) Systems without handles (macOS) have only the path. It is looked at, then opened, then looked up again, and
//     must still name the file that is open. If a link was turned to a file of the store in between, that
//     descriptor must stay open. After a few such tricks this process opens no more documents.
// (5) A workspace's folder was named by its real path when it was added. If that path leads elsewhere now,
//     because a link took the place of the folder or of one above it, then the folder counts as gone:
//     nobody who can write there may choose another.

import fs from 'node:fs'
import { join, sep } from 'node:path'
import { type Absence, MOST_BYTES } from '../core/pushes/document.ts'
import { isStoreFile } from './store-files.ts'

const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = fs.constants
const READING = O_RDONLY | O_NONBLOCK | O_NOCTTY
/** Linux alone has it, with this value on every processor that Bun runs on; Node's list leaves it out. */
const O_PATH = 0o10000000
const HANDLES = '/proc/self/fd'
/** A descriptor that has to stay open is lost to the server, so these are all that it may lose. */
const MOST_KEPT = 16

type FileInside = { state: 'opened'; fd: number; stat: fs.Stats }
type NoFile = { state: Absence; size?: number }

export function openInside(
  folder: string,
  path: string,
  open = hasHandles() ? openByHandle : openByPath,
): FileInside | NoFile {
  // (5)
  if (!isFolder(folder)) return { state: 'gone' }
  try {
    return open(folder, join(folder, path))
  } catch (error) {
    return { state: absenceOf(error) }
  }
}

export function hasHandles(): boolean {
  return process.platform === 'linux' && fs.existsSync(HANDLES)
}

function openByHandle(folder: string, wanted: string): FileInside | NoFile {
  // (1)
  const handle = fs.openSync(wanted, O_PATH)
  try {
    const itself = `${HANDLES}/${handle}`
    // (2) A file that was unlinked meanwhile has a mark after its path, which still says whether it was inside.
    const unfit = unfitness(folder, fs.readlinkSync(itself), fs.fstatSync(handle))
    if (unfit !== undefined) return unfit
    const fd = fs.openSync(itself, READING)
    return { state: 'opened', fd, stat: fs.fstatSync(fd) }
  } finally {
    // (3)
    fs.closeSync(handle)
  }
}

let kept = 0

/** The other way of (4). Exported for its test, which runs where there are handles. */
export function openByPath(folder: string, wanted: string): FileInside | NoFile {
  if (kept >= MOST_KEPT) return { state: 'unreadable' }
  const real = fs.realpathSync.native(wanted)
  const unfit = unfitness(folder, real, fs.statSync(real))
  if (unfit !== undefined) return unfit
  const fd = fs.openSync(wanted, READING)
  const stat = fs.fstatSync(fd)
  if (isStoreFile(stat)) {
    kept += 1
    return { state: 'special' }
  }
  try {
    const changed = unfitness(folder, whereIs(stat, wanted), stat)
    if (changed === undefined) return { state: 'opened', fd, stat }
    fs.closeSync(fd)
    return changed
  } catch (error) {
    fs.closeSync(fd)
    throw error
  }
}

/** The path of an open file, if the wanted path still leads to it; empty if it leads elsewhere. */
function whereIs({ dev, ino }: fs.Stats, wanted: string): string {
  const real = fs.realpathSync.native(wanted)
  const there = fs.lstatSync(real)
  const isSame = there.dev === dev && there.ino === ino
  return isSame && fs.realpathSync.native(wanted) === real ? real : ''
}

function unfitness(folder: string, real: string, stat: fs.Stats): NoFile | undefined {
  if (!isInside(folder, real)) return { state: 'outside' }
  if (!stat.isFile() || isStoreFile(stat)) return { state: 'special' }
  return stat.size > MOST_BYTES ? { state: 'too_large', size: stat.size } : undefined
}

export function isFolder(path: string): boolean {
  try {
    return fs.realpathSync.native(path) === path && fs.statSync(path).isDirectory()
  } catch {
    // Whatever the reason, there is no folder to read from.
    return false
  }
}

export function isInside(base: string, path: string): boolean {
  return path.startsWith(base.endsWith(sep) ? base : base + sep)
}

function absenceOf(error: unknown): Absence {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return 'missing'
  // A circle of links leads nowhere, and a socket cannot be opened.
  if (code === 'ELOOP') return 'missing'
  return code === 'ENXIO' || code === 'EISDIR' || code === 'ENODEV' ? 'special' : 'unreadable'
}
