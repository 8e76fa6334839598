// Reads the text of a file of the user's, and finds where its links lead.

import fs from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { quote, Refusal, refuse } from '../core/error.ts'

/** Null when there is no such file. What is no file is refused at once: a pipe may never end. */
export function readText(path: string): string | null {
  let bytes: Uint8Array
  try {
    // Without the flag, opening a pipe waits until somebody writes to it.
    const fd = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK)
    try {
      if (!fs.fstatSync(fd).isFile()) throw notFile(path)
      bytes = fs.readFileSync(fd)
    } finally {
      fs.closeSync(fd)
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    const code = codeOf(error)
    if (code === 'ENOENT') return null
    // Sockets, and devices without a driver, cannot even be opened.
    if (code === 'ENXIO' || code === 'ENODEV') throw notFile(path)
    throw refuse('invalid_input', `cannot read ${quote(path)}: ${code}`)
  }
  try {
    // The text keeps its every byte, because it is written back.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw refuse('invalid_input', `${quote(path)} is not UTF-8 text; it was left as it is`)
  }
}

function notFile(path: string) {
  return refuse('invalid_input', `${quote(path)} is not a file; move it away`)
}

/** The path that links lead to, whether or not something is there yet. */
export function realPath(path: string): string {
  try {
    return fs.realpathSync.native(path)
  } catch (error) {
    const above = dirname(path)
    if (codeOf(error) !== 'ENOENT' || above === path) {
      throw refuse('invalid_input', `cannot read ${quote(path)}: ${codeOf(error)}`)
    }
    // A link that leads nowhere would be written through.
    if (fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
      return realPath(resolve(realPath(above), fs.readlinkSync(path)))
    }
    return join(realPath(above), basename(path))
  }
}

export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error)
}
