// The bell across processes on one machine: a file beside the store, written after the commit and
// watched. (Watching the database itself wakes too early: its log changes before the commit is
// visible, and nothing changes after.) The file is made once and never renamed; its contents mean
// nothing.

import {
  closeSync,
  constants,
  type FSWatcher,
  fstatSync,
  openSync,
  statSync,
  watch,
  writeSync,
} from 'node:fs'
import type { Bell } from '../core/wake.ts'

export type DoorbellOptions = {
  path: string
  /** Where the file system does not report changes made by others. */
  poll?: () => boolean
}

/** Watches are a limited resource of the machine; without one, look this often. */
const POLL_MS = 100

export function doorbell({ path, poll = () => false }: DoorbellOptions): Bell {
  const one = new Uint8Array([49])
  let fd: number | undefined
  const armed = new Set<() => void>()

  const open = () => openSync(path, constants.O_WRONLY | constants.O_CREAT, 0o600)
  const handle = (): number => {
    // Deleted since: nobody hears a file without a name.
    if (fd !== undefined && fstatSync(fd).nlink === 0) {
      closeSync(fd)
      fd = undefined
    }
    fd ??= open()
    return fd
  }

  return {
    ring() {
      try {
        writeSync(handle(), one, 0, 1, 0)
      } catch {
        // Advisory: a waiter that is not rung looks by itself within a second.
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
          const made = open()
          const { ino } = fstatSync(made)
          closeSync(made)
          watcher = watch(path, { persistent: true }, () => {
            // Deleted, or deleted and made again: the old watch would stay silent for ever. No event
            // says so while some ringer still has the old file open.
            if (statSync(path, { throwIfNoEntry: false })?.ino !== ino) {
              watcher?.close()
              startWatching()
            }
            onRing()
          })
          watcher.on('error', startPolling)
        } catch {
          // Out of watches (EMFILE, ENOSPC), or the folder is read-only.
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
      if (fd !== undefined) closeSync(fd)
      fd = undefined
    },
  }
}
