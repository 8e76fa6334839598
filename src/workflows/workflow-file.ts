// The workflow file on disk, and the prompt files beside it. A prompt file lies in the folder of the workflow file or
// below: a path that leads out of it, also by a symbolic link, is refused. So a folder with a workflow is all there is
// to it, and can be read, checked and given to others as one thing.

import fs from 'node:fs'
import { dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { quote, refuse } from '../core/error.ts'
import type { Instant } from '../core/time.ts'
import { LIMITS } from './keys.ts'
import type { ReadWorkflow } from './plan.ts'
import { readWorkflow } from './read-workflow.ts'
import type { ReadAround } from './reader.ts'

const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = fs.constants

export type FileWish = Omit<ReadAround, 'path' | 'readText' | 'now'> & {
  /** From the working folder. */
  file: string
  now: Instant
}

/** `file` is its absolute path. A file that cannot be read at all is refused. */
export async function readWorkflowFile({
  file,
  ...wish
}: FileWish): Promise<ReadWorkflow & { file: string }> {
  const path = resolve(wish.cwd, file)
  const text = textOf(path, LIMITS.fileBytes)
  if ('why' in text) {
    const { why, remedy } = text
    throw refuse('invalid_input', `the workflow file ${quote(file)} ${why}; ${remedy}`)
  }
  const readText = (beside: string) => readBeside(path, beside)
  const read = await readWorkflow(text.text, { ...wish, path, readText })
  return { ...read, file: path }
}

type FileText = { text: string } | { why: string; remedy: string }

function readBeside(workflow: string, beside: string): FileText {
  const folder = dirname(workflow)
  if (isAbsolute(beside)) return OUTSIDE
  const path = join(folder, beside)
  // Where nothing is, nothing is read; but the way out is the better thing to name.
  if (!path.startsWith(folder === sep ? sep : folder + sep)) return OUTSIDE
  return textOf(path, LIMITS.prompt, folder)
}

const OUTSIDE = { why: 'lies outside the folder of the workflow file', remedy: 'move it there' }

/**
 * Opens the file before looking at it, so that it is this file that is looked at; a pipe does not block. With `inside`
 * its real path must lie in that folder, and must still lead to the file that is open.
 */
function textOf(path: string, most: number, inside?: string): FileText {
  let fd: number
  try {
    fd = fs.openSync(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
  } catch (error) {
    return absence(error)
  }
  try {
    const stat = fs.fstatSync(fd)
    if (inside !== undefined && !liesIn(inside, path, stat)) return OUTSIDE
    if (!stat.isFile()) return { why: 'is not a file', remedy: 'name a file' }
    if (stat.size > most) {
      return { why: `has ${stat.size} bytes`, remedy: `keep it under ${most}` }
    }
    const bytes = new Uint8Array(most + 1)
    let read = 0
    for (let more = -1; more !== 0 && read <= most; read += more) {
      more = fs.readSync(fd, bytes, read, bytes.length - read, null)
    }
    if (read > most) return { why: `has over ${most} bytes`, remedy: 'keep it shorter' }
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, read)) }
  } catch (error) {
    if (error instanceof TypeError) {
      return { why: 'is not UTF-8 text', remedy: 'save it as UTF-8' }
    }
    return absence(error)
  } finally {
    fs.closeSync(fd)
  }
}

function liesIn(folder: string, path: string, { dev, ino }: fs.Stats): boolean {
  const base = fs.realpathSync.native(folder)
  const real = fs.realpathSync.native(path)
  const there = fs.lstatSync(real)
  return real.startsWith(base === sep ? sep : base + sep) && there.dev === dev && there.ino === ino
}

function absence(error: unknown): { why: string; remedy: string } {
  const { code = '' } = error as NodeJS.ErrnoException
  const missing = { why: 'does not exist', remedy: 'write it, or mend its name' }
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return missing
  if (code === 'EISDIR') return { why: 'is a folder', remedy: 'name a file in it' }
  return { why: `cannot be read (${code})`, remedy: 'see who may read it' }
}
