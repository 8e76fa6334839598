// Opens files of a workspace so that nothing outside its folder can be read through them.
//
// (1) A look before opening keeps pipes and devices from being opened at all. It proves nothing, because
//     the path may lead elsewhere a moment later.
// (2) So the file is opened first, without blocking, and then asked where it lies, by its descriptor: no
//     rename and no link can turn that to another file. Only what is read through that descriptor goes out.
// (3) Where the system does not tell the path of a descriptor, the path is looked up again and must name
//     the very file that is open.
// (4) The files of a store that is open here are never opened. If a link was turned to one in between, its
//     descriptor stays open, because closing it would drop the store's locks.
// (5) A workspace's folder was named by its real path when it was added. If that path leads elsewhere now,
//     because a link took the place of the folder or of one above it, then the folder counts as gone:
//     nobody who can write there may choose another.

import fs from 'node:fs'
import { join, sep } from 'node:path'
import {
  type Absence,
  type Documents,
  MOST_BYTES,
  type OpenDocument,
} from '../core/pushes/document.ts'
import { toInstant } from '../core/time.ts'
import { isStoreFile } from './store-files.ts'

const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = fs.constants
const PIECE = 65_536
/** How often a file is looked at where watching does not work, and for changes that a watch misses. */
const LOOK_MS = 1000

export const documents: Documents = { open, changed }

type OpenResult = OpenDocument | { state: Absence; size?: number }

async function open(folder: string, path: string): Promise<OpenResult> {
  // (5)
  if (!isFolder(folder)) return { state: 'gone' }
  const wanted = join(folder, path)
  const before = lookBefore(folder, wanted)
  if (before !== undefined) return { state: before }
  let fd: number
  try {
    fd = fs.openSync(wanted, O_RDONLY | O_NONBLOCK | O_NOCTTY)
  } catch (error) {
    return { state: absenceOf(error) }
  }
  try {
    const stat = fs.fstatSync(fd)
    // (4)
    if (isStoreFile(stat)) return { state: 'special' }
    if (!liesIn(folder, fd, wanted, stat)) return closeAnd(fd, { state: 'outside' })
    if (!stat.isFile()) return closeAnd(fd, { state: 'special' })
    if (stat.size > MOST_BYTES) return closeAnd(fd, { state: 'too_large', size: stat.size })
    return opened(fd, stat)
  } catch (error) {
    return closeAnd(fd, { state: absenceOf(error) })
  }
}

function closeAnd<T>(fd: number, answer: T): T {
  fs.closeSync(fd)
  return answer
}

function lookBefore(base: string, wanted: string): Absence | undefined {
  try {
    const real = fs.realpathSync.native(wanted)
    if (!isInside(base, real)) return 'outside'
    const stat = fs.statSync(real)
    return stat.isFile() && !isStoreFile(stat) ? undefined : 'special'
  } catch (error) {
    return absenceOf(error)
  }
}

function liesIn(base: string, fd: number, wanted: string, { dev, ino }: fs.Stats): boolean {
  const told = linkOf(`/proc/self/fd/${fd}`)
  if (told !== undefined) {
    // A file that was unlinked meanwhile has a mark after its path; the path still says whether it was
    // inside.
    return isInside(base, told)
  }
  const real = fs.realpathSync.native(wanted)
  const there = fs.lstatSync(real)
  const isSame = there.dev === dev && there.ino === ino
  return isSame && isInside(base, real) && fs.realpathSync.native(wanted) === real
}

function linkOf(path: string): string | undefined {
  try {
    return fs.readlinkSync(path)
  } catch {
    // This system has no such path.
    return undefined
  }
}

function isFolder(path: string): boolean {
  try {
    return fs.realpathSync.native(path) === path && fs.statSync(path).isDirectory()
  } catch {
    // Whatever the reason, there is no folder to read from.
    return false
  }
}

function isInside(base: string, path: string): boolean {
  return path.startsWith(base.endsWith(sep) ? base : base + sep)
}

function absenceOf(error: unknown): Absence {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return 'missing'
  // A circle of links leads nowhere, and a socket cannot be opened.
  if (code === 'ELOOP') return 'missing'
  return code === 'ENXIO' || code === 'EISDIR' || code === 'ENODEV' ? 'special' : 'unreadable'
}

function opened(fd: number, { size, mtimeMs }: fs.Stats): OpenDocument {
  let isOpen = true
  const close = () => {
    if (isOpen) fs.closeSync(fd)
    isOpen = false
  }
  /** Never reads past the size that may be shown, even if the file grows meanwhile. */
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < MOST_BYTES; ) {
      const piece = await readAt(fd, at, PIECE)
      if (piece.length === 0) return
      yield piece
      at += piece.length
    }
  }
  return {
    state: 'there',
    size,
    modified_at: toInstant(Math.floor(mtimeMs)),
    async digest() {
      const { createHash } = await import('node:crypto')
      const hash = createHash('sha256')
      for await (const piece of pieces()) hash.update(piece)
      return hash.digest('hex')
    },
    async read(limit) {
      const read: Uint8Array[] = []
      let total = 0
      for await (const piece of pieces()) {
        read.push(piece.subarray(0, limit - total))
        total += piece.length
        if (total >= limit) break
      }
      return Buffer.concat(read)
    },
    async *stream() {
      try {
        yield* pieces()
      } finally {
        close()
      }
    },
    close,
  }
}

function readAt(fd: number, at: number, length: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    fs.read(fd, new Uint8Array(length), 0, length, at, (error, read, into) => {
      if (error) reject(error)
      else resolve(into.subarray(0, read))
    })
  })
}

/** The folder is watched and not the file, because an editor may replace the file by another. */
async function changed(folder: string, path: string, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const wanted = join(folder, path)
  const sign = () => (isFolder(folder) ? signOf(folder, wanted) : 'gone')
  const first = sign()
  await new Promise<void>((resolve) => {
    const end = () => {
      clearInterval(looking)
      watcher?.close()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const look = () => {
      if (sign() !== first) end()
    }
    const looking = setInterval(look, LOOK_MS)
    signal.addEventListener('abort', end)
    let watcher: fs.FSWatcher | undefined
    try {
      const above = fs.realpathSync.native(join(wanted, '..'))
      // Nothing outside the workspace is watched or looked at.
      if (isFolder(folder) && isInside(folder, join(above, '-'))) watcher = fs.watch(above, look)
      watcher?.on('error', () => watcher?.close())
    } catch {
      // The folder is missing or no watch is left, so only the look every second remains.
    }
    look()
  })
}

function signOf(folder: string, path: string): string {
  try {
    const real = fs.realpathSync.native(path)
    if (!isInside(folder, real)) return 'outside'
    const { ino, size, mtimeMs, ctimeMs } = fs.lstatSync(real)
    return `${ino} ${size} ${mtimeMs} ${ctimeMs}`
  } catch {
    // A missing file has a mark of its own, so that its return is a change.
    return 'missing'
  }
}
