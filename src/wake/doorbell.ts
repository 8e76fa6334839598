// The bell across processes on one machine: a file beside the store, written after the commit and watched.
// (A watch on the database itself would wake too early: its log changes before the commit is visible, and
// nothing changes after.) The file is made once and never renamed; its contents mean nothing. It may come
// with a folder that somebody else made, so only a plain file is used as a bell: a link would make us write
// elsewhere, a pipe would make us wait forever.

import fs, { type FSWatcher } from 'node:fs'
import type { Bell } from '../core/bell.ts'

export type DoorbellOptions = {
  path: string
  /** True where the file system does not report changes made by others. */
  poll?: () => boolean
}

/** Watches are a limited resource of the machine. Without one, the bell looks this often. */
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
    // The file was deleted since it was opened, and nobody can hear a file without a name.
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
        // A ring is advisory: a waiter that misses it looks by itself within a second.
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
            // The file was deleted, or deleted and made again, so the old watch would stay silent forever.
            // No event says so while some ringer still has the old file open.
            if (fs.lstatSync(path, { throwIfNoEntry: false })?.ino !== ino) {
              watcher?.close()
              startWatching()
            }
            onRing()
          })
          watcher.on('error', startPolling)
        } catch {
          // There are no watches left (EMFILE, ENOSPC), the folder is read-only, or the file there is no
          // bell.
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
