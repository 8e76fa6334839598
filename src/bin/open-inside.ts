// Opens a file of a workspace so that nothing outside the workspace's folder can be read through it, even if someone
// changes the path while it's being opened.
// (1) The path is first opened as a handle (O_PATH), which refers to one file from then on, even if the path changes. A
//     handle doesn't open the file, so pipes don't block and devices don't notice.
// (2) The handle tells us where its file is and what kind of file it is. If both are acceptable, the same file is
//     opened for reading through the handle. Only data read through that descriptor is returned.
// (3) The files of a store that's open in this process are never opened, because closing one of their descriptors drops
//     the store's locks. Closing a handle doesn't.
// (4) Systems without handles (macOS) only have the path. We check it, open it, then resolve it again: it must still
//     name the open file. If a link was redirected to a store file in between, the descriptor has to stay open. If that
//     happens too often, this process opens no more documents.
// (5) A workspace stores the real path of its folder. If that path leads elsewhere now, because a link replaced the
//     folder or one of its parents, the folder counts as gone: no one who can write there may choose another.

import fs from 'node:fs'
import { join, sep } from 'node:path'
import { type Absence, MOST_BYTES } from '../core/pushes/document.ts'
import { isStoreFile } from './store-files.ts'
import { useFile } from './text-file.ts'

const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = fs.constants
const READING = O_RDONLY | O_NONBLOCK | O_NOCTTY
/** Linux only. The value is the same on every processor Bun supports, but missing from Node's constants. */
export const O_PATH = 0o10000000
const HANDLES = '/proc/self/fd'
/** Each descriptor that must stay open is lost to the server, so limit their number. */
const MOST_KEPT = 16

type FileInside = { state: 'opened'; fd: number; stat: fs.Stats }
type NoFile = { state: Absence; size?: number }

export function openInside(
  folder: string,
  path: string,
  open = hasHandles() ? openByHandle : openByPath,
): FileInside | NoFile {
  // A replaced folder counts as gone; see (5) above.
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
  // Opens the file through a handle; see (1) and (3) above.
  return useFile(fs.openSync(wanted, O_PATH), (handle) => {
    const itself = `${HANDLES}/${handle}`
    // See (2). If the file has been unlinked, its path now has a suffix, but still shows whether the file was inside.
    const unfit = unfitness(folder, fs.readlinkSync(itself), fs.fstatSync(handle))
    if (unfit !== undefined) return unfit
    const fd = fs.openSync(itself, READING)
    return { state: 'opened', fd, stat: fs.fstatSync(fd) }
  })
}

let kept = 0

/** Implements (4). Exported so that it can be tested on systems with handles. */
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

/** The path of an open file if the wanted path still leads to it; empty otherwise. */
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
    // There's no folder there that we can read.
    return false
  }
}

export function isInside(base: string, path: string): boolean {
  return path.startsWith(base.endsWith(sep) ? base : base + sep)
}

function absenceOf(error: unknown): Absence {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return 'missing'
  // A loop of links leads nowhere.
  if (code === 'ELOOP') return 'missing'
  return code === 'ENXIO' || code === 'EISDIR' || code === 'ENODEV' ? 'special' : 'unreadable'
}
