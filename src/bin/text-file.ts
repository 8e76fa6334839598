// Reads the user's text files, resolves links, and writes bytes that must reach the disk.

import fs from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { quote, Refusal, refuse } from '../core/error.ts'

/** Null if there is no such file. Refuses anything but a regular file, because reading a pipe may never end. */
export function readText(path: string): string | null {
  let bytes: Uint8Array
  try {
    // Without the flag, opening a pipe blocks until something writes to it.
    const fd = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK)
    bytes = useFile(fd, () => {
      if (!fs.fstatSync(fd).isFile()) throw notFile(path)
      return fs.readFileSync(fd)
    })
  } catch (error) {
    if (error instanceof Refusal) throw error
    const code = codeOf(error)
    if (code === 'ENOENT') return null
    // Sockets, and devices without a driver, can't even be opened.
    if (code === 'ENXIO' || code === 'ENODEV') throw notFile(path)
    throw refuse.invalid_input`cannot read ${quote(path)}: ${code}`
  }
  try {
    // Keep every byte, including a BOM, because the text is written back.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw refuse.invalid_input`${quote(path)} is not UTF-8 text; it was left as it is`
  }
}

function notFile(path: string) {
  return refuse.invalid_input`${quote(path)} is not a file; move it away`
}

/** The path that links lead to, even if nothing exists there yet. */
export function realPath(path: string): string {
  try {
    return fs.realpathSync.native(path)
  } catch (error) {
    const above = dirname(path)
    if (codeOf(error) !== 'ENOENT' || above === path)
      throw refuse.invalid_input`cannot read ${quote(path)}: ${codeOf(error)}`
    // Writing to a dangling link would create its target.
    if (fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
      return realPath(resolve(realPath(above), fs.readlinkSync(path)))
    }
    return join(realPath(above), basename(path))
  }
}

export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error)
}

export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += fs.writeSync(fd, bytes, at)
}

export function flushFolder(path: string): void {
  useFile(fs.openSync(path, fs.constants.O_RDONLY), fs.fsyncSync)
}

export function useFile<R>(fd: number, work: (fd: number) => R): R {
  try {
    return work(fd)
  } finally {
    fs.closeSync(fd)
  }
}
