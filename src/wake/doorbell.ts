// Rings across processes on one machine: the bell is a file next to the store that is written after each commit and
// watched. (A watch on the database itself would wake too early: its write-ahead log changes before the commit is
// visible, and nothing changes afterward.) The file is created once and never renamed, and its contents don't matter.
// Someone else may have created the folder, so only a plain file is used as a bell: a link could make us write
// somewhere else, and a pipe could make us wait forever.

import fs, { type FSWatcher } from 'node:fs'
import type { Bell } from '../core/bell.ts'

export type DoorbellOptions = {
  path: string
  /** True if the file system doesn't report changes made by other processes. */
  poll?: () => boolean
}

/** How often to poll when the machine has no watches left. */
const POLL_MS = 100

const { O_WRONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = fs.constants

function openBell(path: string): { fd: number; ino: number } {
  const fd = fs.openSync(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
  const found = fs.fstatSync(fd)
  if (found.isFile()) return { fd, ino: found.ino }
  fs.closeSync(fd)
  throw new Error(`${path} is not a plain file`)
}

export function doorbell({ path, poll = () => false }: DoorbellOptions): Bell {
  const one = new Uint8Array([49])
  let fd: number | undefined
  const armed = new Set<() => void>()

  const handle = (): number => {
    // The file was deleted after we opened it, so no one is watching it anymore.
    if (fd !== undefined && fs.fstatSync(fd).nlink === 0) {
      fs.closeSync(fd)
      fd = undefined
    }
    fd ??= openBell(path).fd
    return fd
  }

  return {
    ring() {
      try {
        fs.writeSync(handle(), one, 0, 1, 0)
      } catch {
        // Rings are only hints: a wait that misses one looks on its own within a second.
      }
    },

    async arm(onRing) {
      let watcher: FSWatcher | undefined
      let timer: ReturnType<typeof setInterval> | undefined

      const startPolling = () => {
        watcher?.close()
        watcher = undefined
        timer ??= setInterval(onRing, POLL_MS)
      }
      const startWatching = () => {
        try {
          const { fd: made, ino } = openBell(path)
          fs.closeSync(made)
          watcher = fs.watch(path, { persistent: true }, () => {
            // The file was deleted, or deleted and recreated, so the old watch would stay silent forever. There is no
            // event for this while a ringer still has the old file open.
            if (fs.lstatSync(path, { throwIfNoEntry: false })?.ino !== ino) {
              watcher?.close()
              startWatching()
            }
            onRing()
          })
          watcher.on('error', startPolling)
        } catch {
          // No watches left (EMFILE, ENOSPC), a read-only folder, or the file isn't a usable bell.
          startPolling()
        }
      }
      if (poll()) startPolling()
      else startWatching()

      const disarm = () => {
        watcher?.close()
        clearInterval(timer)
        armed.delete(disarm)
      }
      armed.add(disarm)
      return disarm
    },

    async close() {
      for (const disarm of [...armed]) disarm()
      if (fd !== undefined) fs.closeSync(fd)
      fd = undefined
    },
  }
}
