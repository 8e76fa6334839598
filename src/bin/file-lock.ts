// Lets one process at a time write a file: FILE.lock holds the writer's process id. A lock left by a dead process is
// taken over.

import fs from 'node:fs'
import { dirname } from 'node:path'
import { quote, refuse } from '../core/error.ts'

const PRIVATE = 0o600
const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants

/** `instead` tells the user what else they can do besides ending the other process. */
export function lockFile(path: string, instead = 'name another file with --out'): () => void {
  const lock = `${path}.lock`
  try {
    const release = tryLock(lock)
    if (release !== null) return release
  } catch (error) {
    throw unlockable(lock, error)
  }
  throw heldRefusal({ path, lock, instead })
}

/** Returns null while another process has the lock. */
export function tryLock(lock: string): (() => void) | null {
  if (!createLock(lock) && !takeOver(lock)) return null
  return () => fs.rmSync(lock, { force: true })
}

function unlockable(lock: string, error: unknown) {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return refuse.invalid_input`there is no folder ${quote(dirname(lock))}; make it, or name another file with --out`
  }
  return refuse.invalid_input`cannot write ${quote(lock)}: ${String(code)}`
}

/**
 * Takes over the lock of a dead process, one process at a time: otherwise a second one would remove the lock the
 * first has just taken.
 */
function takeOver(lock: string): boolean {
  const turn = `${lock}.turn`
  if (isHeld(lock) || !createLock(turn)) return false
  try {
    // The lock may have changed since we looked. Don't remove a lock that was gone: someone may be creating it right
    // now.
    const holder = holderOf(lock)
    if (holder !== undefined && !isGone(holder)) return false
    if (holder !== undefined) fs.rmSync(lock, { force: true })
    return createLock(lock)
  } finally {
    fs.rmSync(turn, { force: true })
  }
}

function isHeld(lock: string): boolean {
  const holder = holderOf(lock)
  return holder !== undefined && !isGone(holder)
}

function createLock(lock: string): boolean {
  let fd: number
  try {
    fd = fs.openSync(lock, 'wx', PRIVATE)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    throw error
  }
  try {
    fs.writeSync(fd, `${process.pid}\n`)
  } catch (error) {
    // A lock that names no process would never be taken over.
    fs.rmSync(lock, { force: true })
    throw error
  } finally {
    fs.closeSync(fd)
  }
  return true
}

/**
 * The process id in the lock. NaN if the holder hasn't written it yet or the lock isn't a file; undefined if there is
 * no lock.
 */
function holderOf(lock: string): number | undefined {
  let fd: number
  try {
    // Reading a pipe could block forever, and anyone who can write to the folder could put one there.
    fd = fs.openSync(lock, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
  } catch (error) {
    // The lock has been released since we looked, or a link or socket is in its place, so the holder is unknown.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : Number.NaN
  }
  try {
    return fs.fstatSync(fd).isFile() ? Number.parseInt(fs.readFileSync(fd, 'utf8'), 10) : Number.NaN
  } finally {
    fs.closeSync(fd)
  }
}

export function describeHolder(lock: string): string {
  const pid = holderOf(lock)
  return pid === undefined || Number.isNaN(pid) ? 'another process' : `process ${pid}`
}

function isGone(pid: number): boolean {
  if (Number.isNaN(pid)) return false
  // We hold no lock on this file yet, so an earlier process with our id left this one.
  if (pid === process.pid) return true
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

function heldRefusal({ path, lock, instead }: Record<'path' | 'lock' | 'instead', string>) {
  return refuse.invalid_input`${describeHolder(lock)} is writing ${quote(path)}; end it or ${instead} (if there is no such process, remove ${quote(lock)})`
}
