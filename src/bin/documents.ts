// Reads the documents of workspaces in pieces, and watches them. open-inside.ts opens them.

import fs from 'node:fs'
import { join } from 'node:path'
import { type Documents, MOST_BYTES, type OpenDocument } from '../core/pushes/document.ts'
import { toInstant } from '../core/time.ts'
import { isFolder, isInside, openInside } from './open-inside.ts'

const PIECE = 65_536
/** How often to check a file, in case watching doesn't work or misses a change. */
const LOOK_MS = 1000

export const documents: Documents = {
  async open(folder, path) {
    const found = openInside(folder, path)
    return found.state === 'opened' ? opened(found.fd, found.stat) : found
  },
  changed,
}

function opened(fd: number, { size, mtimeMs }: fs.Stats): OpenDocument {
  let isOpen = true
  const close = () => {
    if (isOpen) fs.closeSync(fd)
    isOpen = false
  }
  /** Never reads past the size limit, even if the file keeps growing. */
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

/** Watches the folder instead of the file, because an editor may replace the file with a new one. */
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
      // Don't watch or check anything outside the workspace.
      if (isFolder(folder) && isInside(folder, join(above, '-'))) watcher = fs.watch(above, look)
      watcher?.on('error', () => watcher?.close())
    } catch {
      // The folder is missing or the system is out of watches, so only the check every second remains.
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
    // A missing file has a signature too, so its return counts as a change.
    return 'missing'
  }
}
