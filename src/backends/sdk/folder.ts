// Reads, writes and lists files for a model, but only inside one folder. A path is first resolved to a handle, and the
// handle shows where it leads, so neither a link nor a path that changes midway can lead outside.
// (1) A handle (O_PATH) doesn't open the file: pipes don't block, devices don't notice, and a store that's open in this
//     process keeps its locks, which it would lose if another descriptor of its file were closed. Only a file that's
//     inside the folder and usable is then opened through the handle.
// (2) A file is written next to its target, through a folder handle known to be inside, and then renamed over the
//     target. A link at the target is replaced, not followed.
// (3) On systems without handles in /proc, the folder's real path is checked before and after.

import fs from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { quote } from '../../core/error.ts'

const { O_RDONLY, O_NONBLOCK, O_NOCTTY, O_DIRECTORY } = fs.constants
const READING = O_RDONLY | O_NONBLOCK | O_NOCTTY
/** Linux only. The value is the same on every processor Bun supports, but missing from Node's constants. */
const O_PATH = 0o10000000
const HANDLES = '/proc/self/fd'
const STORE_FILE = /\.(db|sqlite3?)(-wal|-shm|-journal)?$/

/** The most characters of a file that one call returns to a model. */
const MOST_SHOWN = 60_000
const MOST_READ = 16 * 1024 * 1024
const MOST_WRITTEN = 4 * 1024 * 1024
const MOST_LISTED = 500
const MOST_DEEP = 5

export class FileFault extends Error {}

export function readInside(
  folder: string,
  path: string,
  { from_line = 1, lines }: { from_line?: number; lines?: number } = {},
): string {
  const text = withHandle(folder, path, READING, (fd) => {
    const stat = fs.fstatSync(fd)
    if (!stat.isFile())
      throw new FileFault(`${quote(path)} is not a plain file; list_files shows what is there`)
    if (stat.size > MOST_READ) {
      throw new FileFault(`${quote(path)} has ${stat.size} bytes; at most ${MOST_READ} can be read`)
    }
    return textOf(fs.readFileSync(fd), path)
  })
  const all = text.split('\n')
  const wanted = all.slice(Math.max(0, from_line - 1), lines && from_line - 1 + lines).join('\n')
  if (wanted.length <= MOST_SHOWN) return wanted
  const shown = wanted.slice(0, MOST_SHOWN)
  const next = Math.max(1, from_line) + shown.split('\n').length - 1
  return `${shown}\n[cut after ${MOST_SHOWN} of ${wanted.length} characters; continue with from_line ${next}]`
}

export function writeInside(folder: string, path: string, content: string): string {
  const bytes = Buffer.byteLength(content)
  if (bytes > MOST_WRITTEN) {
    throw new FileFault(`the content has ${bytes} bytes; at most ${MOST_WRITTEN} can be written`)
  }
  const full = inWords(folder, path)
  if (full === resolve(folder)) throw new FileFault('name a file, not the folder itself')
  makeFolders(folder, dirname(full))
  const name = basename(full)
  withHandle(folder, relative(folder, dirname(full)) || '.', READING | O_DIRECTORY, (fd) => {
    const there = hasHandles() ? `${HANDLES}/${fd}` : dirname(full)
    const place = join(there, name)
    const found = fs.lstatSync(place, { throwIfNoEntry: false })
    if (found?.isDirectory()) throw new FileFault(`${quote(path)} is a folder; name a file in it`)
    const mode = found?.isFile() ? found.mode & 0o777 : 0o644
    const fresh = join(there, `.${crypto.randomUUID()}.part`)
    try {
      fs.writeFileSync(fresh, content, { flag: 'wx', mode })
      fs.renameSync(fresh, place)
    } catch (error) {
      fs.rmSync(fresh, { force: true })
      throw error
    }
  })
  return `written: ${path} (${bytes} bytes)`
}

export function listInside(folder: string, path = '.', depth = 1): string {
  const lines: string[] = []
  let isCut = false
  const look = (at: string, left: number): void => {
    const entries = withHandle(folder, at, READING | O_DIRECTORY, (fd) => {
      const there = hasHandles() ? `${HANDLES}/${fd}/.` : join(folder, at)
      return fs.readdirSync(there, { withFileTypes: true })
    })
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (lines.length >= MOST_LISTED) {
        isCut = true
        return
      }
      const here = join(at, entry.name)
      const mark = entry.isDirectory() ? '/' : entry.isSymbolicLink() ? '@' : ''
      lines.push(`${here}${mark}`)
      if (entry.isDirectory() && left > 1) look(here, left - 1)
    }
  }
  look(path, Math.min(Math.max(1, depth), MOST_DEEP))
  if (lines.length === 0) return 'the folder is empty'
  return [...lines, ...(isCut ? [`[cut after ${MOST_LISTED} entries]`] : [])].join('\n')
}

function withHandle<T>(folder: string, path: string, flags: number, use: (fd: number) => T): T {
  const full = inWords(folder, path)
  const base = fs.realpathSync.native(folder)
  const handle = opened(full, path, hasHandles() ? O_PATH | (flags & O_DIRECTORY) : flags)
  try {
    const real = whereIs(handle, full)
    mustLieInside(base, real, path)
    if (STORE_FILE.test(real)) {
      throw new FileFault(`${quote(path)} is a database; use its own program to read it`)
    }
    const isFolder = (flags & O_DIRECTORY) !== 0
    return isFolder || !hasHandles() ? use(handle) : throughHandle(handle, path, use)
  } finally {
    fs.closeSync(handle)
  }
}

function throughHandle<T>(handle: number, path: string, use: (fd: number) => T): T {
  if (!fs.fstatSync(handle).isFile()) {
    throw new FileFault(`${quote(path)} is not a plain file; list_files shows what is there`)
  }
  const fd = opened(`${HANDLES}/${handle}`, path, READING)
  try {
    return use(fd)
  } finally {
    fs.closeSync(fd)
  }
}

function opened(full: string, path: string, flags: number): number {
  try {
    return fs.openSync(full, flags)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') {
      throw new FileFault(`there is no ${quote(path)}; list_files shows what is there`)
    }
    if (code === 'ENOTDIR') throw new FileFault(`${quote(path)} is not a folder, or lies in a file`)
    throw new FileFault(`${quote(path)} cannot be opened: ${code}`)
  }
}

function whereIs(fd: number, full: string): string {
  if (hasHandles()) return fs.readlinkSync(`${HANDLES}/${fd}`)
  const real = fs.realpathSync.native(full)
  const [there, open] = [fs.lstatSync(real), fs.fstatSync(fd)]
  return there.dev === open.dev && there.ino === open.ino ? real : ''
}

function hasHandles(): boolean {
  return fs.existsSync(HANDLES)
}

/** Refuses a path that obviously leads outside, before anything is opened. */
function inWords(folder: string, path: string): string {
  if (path.includes('\0')) throw new FileFault('a path has no NUL character')
  const full = resolve(folder, path)
  mustLieInside(resolve(folder), full, path)
  return full
}

function mustLieInside(base: string, real: string, path: string): void {
  if (real === base || real.startsWith(base.endsWith(sep) ? base : base + sep)) return
  throw new FileFault(
    `${quote(path)} is not inside the working folder; only what is inside can be used`,
  )
}

/** Creates missing folders, each in a folder that was checked to be inside. */
function makeFolders(folder: string, wanted: string): void {
  const parts = relative(folder, wanted).split(sep).filter(Boolean)
  let at = '.'
  for (const part of parts) {
    const next = join(at, part)
    if (fs.lstatSync(join(folder, next), { throwIfNoEntry: false }) === undefined) {
      withHandle(folder, at, READING | O_DIRECTORY, (fd) => {
        const there = hasHandles() ? `${HANDLES}/${fd}` : join(folder, at)
        fs.mkdirSync(join(there, part), { recursive: true })
      })
    }
    at = next
  }
}

function textOf(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new FileFault(`${quote(path)} is not text`)
  }
}
