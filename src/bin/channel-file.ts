// The file channel.md. Its whole content is derived from the log, so anything that differs is rewritten. Nothing is
// written through a link or into a file with a second hard link.
// (1) After each write we keep the file's inode, size and times as its signature. While the signature matches, the file
//     is as we wrote it, and new entries are appended without reading it.
// (2) Otherwise, someone changed the file or a writer was killed. Its content is then compared with the channel and,
//     unless it's a prefix of the channel, replaced with a single rename.

import fs from 'node:fs'
import { dirname } from 'node:path'
import { quote, refuse } from '../core/error.ts'
import { formerChannelFile } from '../core/workflows/instance-files.ts'
import { clearFresh, dropFresh, stepsOf } from './document-file.ts'
import { type HeldFolder, holdBelow, makeBelow, useFolder } from './inside-folder.ts'
import { hasHandles, isFolder, O_PATH } from './open-inside.ts'
import { codeOf, useFile, writeAll } from './text-file.ts'

const { O_RDONLY, O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = fs.constants
const FRESH = '.channel.tmp'
const USUAL = 0o644
const PIECE = 65_536
const MOST_RUNS = 100_000
/** Error codes of link() on file systems without hard links, and for other users' files. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

/** The last entry in the file, and the file's signature after the last write. */
export type FileMark = { seq: number; sign: string }
export type EntryBytes = { seq: number; bytes: Uint8Array }
export type EntryPages = (after: number) => AsyncGenerator<EntryBytes[]>

/** Calls `onRemade` when the folder itself was gone and had to be created again. */
export function channelFile(dir: string, file: string, onRemade: () => void) {
  const { above, name } = stepsOf(file)
  const within = <R>(work: (folder: HeldFolder) => R): R | null => {
    const folder = holdBelow(dir, above)
    return folder && useFolder(folder, work)
  }
  return {
    isAsLeft: ({ sign }: FileMark) => within((folder) => signAt(folder, name)) === sign,
    /** Returns null if the file isn't as we left it. */
    append: (mark: FileMark, page: EntryBytes[]) =>
      within((folder) => append(folder, name, mark, page)),
    compare: (pages: EntryPages) =>
      compare(() => within((folder) => openRead(folder, name)), pages),
    rebuild(pages: EntryPages) {
      if (remade(dir)) onRemade()
      return rebuild({ dir, above, name }, pages)
    },
    /** Renames the channel file of an earlier start. */
    setAside: (run: number) => within((folder) => setAside(folder, name, run)),
  }
}

function signOf(stat: fs.BigIntStats | undefined): string | null {
  // A file with a second hard link may belong to anyone.
  if (stat === undefined || !stat.isFile() || stat.nlink !== 1n) return null
  return [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ')
}

function signAt(folder: HeldFolder, name: string): string | null {
  return signOf(fs.lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false }))
}

/** Opens the file if its signature matches. Without a signature, any plain file with a single hard link will do. */
function openOwn(folder: HeldFolder, name: string, flags: number, sign?: string): number | null {
  const found = signAt(folder, name)
  if (found === null || (sign !== undefined && found !== sign)) return null
  const wanted = sign ?? found
  if (!hasHandles())
    return ifSigned(openIfThere(folder.at(name), flags | O_NOFOLLOW | O_NONBLOCK), wanted)
  const handle = ifSigned(openIfThere(folder.at(name), O_PATH | O_NOFOLLOW), wanted)
  if (handle === null) return null
  return useFile(handle, () => fs.openSync(`/proc/self/fd/${handle}`, flags))
}

function openIfThere(path: string, flags: number): number | null {
  try {
    return fs.openSync(path, flags)
  } catch (error) {
    if (['ENOENT', 'ELOOP', 'ENXIO'].includes(codeOf(error))) return null
    throw error
  }
}

function ifSigned(fd: number | null, sign: string): number | null {
  if (fd === null || signOf(fs.fstatSync(fd, { bigint: true })) === sign) return fd
  fs.closeSync(fd)
  return null
}

/** Appends without reading the file; see (1) above. */
function append(
  folder: HeldFolder,
  name: string,
  mark: FileMark,
  page: EntryBytes[],
): FileMark | null {
  folder.mustBeThere()
  const fd = openOwn(folder, name, O_WRONLY | O_APPEND, mark.sign)
  if (fd === null) return null
  return useFile(fd, () => {
    const { size } = fs.fstatSync(fd)
    const bytes = Buffer.concat(page.map((entry) => entry.bytes))
    writeAll(fd, bytes)
    const after = fs.fstatSync(fd, { bigint: true })
    const sign = signOf(after)
    // Another process may have written at the same time.
    if (sign === null || after.size !== BigInt(size + bytes.length)) return null
    return { seq: page.at(-1)?.seq ?? mark.seq, sign }
  })
}

type OpenFile = { fd: number; sign: string }

function openRead(folder: HeldFolder, name: string): OpenFile | null {
  const fd = openOwn(folder, name, O_RDONLY)
  if (fd === null) return null
  const sign = signOf(fs.fstatSync(fd, { bigint: true }))
  if (sign !== null) return { fd, sign }
  fs.closeSync(fd)
  return null
}

/** Returns how far the file matches the channel, or null if it contains anything else; see (2) above. */
async function compare(
  openFile: () => OpenFile | null,
  pages: EntryPages,
): Promise<FileMark | null> {
  const opened = openFile()
  if (opened === null) return null
  const { fd, sign } = opened
  try {
    const file = pieces(fd)
    let seq = 0
    for await (const page of pages(0)) {
      for (const entry of page) {
        const found = file.next(entry.bytes.length)
        if (found.length === 0) return ifStill(fd, { seq, sign })
        if (!Buffer.from(entry.bytes).equals(found)) return null
        seq = entry.seq
      }
    }
    return file.next(1).length === 0 ? ifStill(fd, { seq, sign }) : null
  } finally {
    fs.closeSync(fd)
  }
}

function ifStill(fd: number, mark: FileMark): FileMark | null {
  return signOf(fs.fstatSync(fd, { bigint: true })) === mark.sign ? mark : null
}

/** Reads a file from the beginning. `next` returns this many bytes, or fewer at the end. */
function pieces(fd: number) {
  let [held, at] = [Buffer.alloc(0), 0]
  return {
    next(length: number): Uint8Array {
      while (held.length < length) {
        const more = Buffer.alloc(Math.max(PIECE, length - held.length))
        const read = fs.readSync(fd, more, 0, more.length, at)
        if (read === 0) break
        at += read
        held = Buffer.concat([held, more.subarray(0, read)])
      }
      const found = held.subarray(0, length)
      held = held.subarray(length)
      return found
    },
  }
}

/**
 * Creates the folder if it's missing, including its parent (as in `.workflow/INSTANCE`), but not through a link and not
 * if the whole project is gone. Returns whether it was created.
 */
function remade(dir: string): boolean {
  const isMissing = (path: string) => fs.lstatSync(path, { throwIfNoEntry: false }) === undefined
  if (!isMissing(dir)) return false
  const above = dirname(dir)
  if (!isFolder(isMissing(above) ? dirname(above) : above)) return false
  fs.mkdirSync(dir, { recursive: true })
  return isFolder(dir)
}

type Target = { dir: string; above: string[]; name: string }

async function rebuild({ dir, above, name }: Target, pages: EntryPages): Promise<FileMark | null> {
  const folder = makeBelow(dir, above)?.folder
  if (folder === undefined)
    throw refuse.invalid_state`the instance's folder ${quote(dir)} is gone, or a link took its place; put it back, or run it again`
  try {
    const there = fs.lstatSync(folder.at(name), { throwIfNoEntry: false })
    if (there?.isDirectory())
      throw refuse.invalid_state`${quote(name)} is a folder, where the channel's text should be; move it away`
    clearFresh(folder, FRESH)
    const mode = there?.isFile() ? there.mode & 0o7777 : USUAL
    const fd = fs.openSync(folder.at(FRESH), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode)
    try {
      let seq = 0
      for await (const page of pages(0)) {
        writeAll(fd, Buffer.concat(page.map((entry) => entry.bytes)))
        seq = page.at(-1)?.seq ?? seq
      }
      folder.mustBeThere()
      fs.renameSync(folder.at(FRESH), folder.at(name))
      const sign = signOf(fs.fstatSync(fd, { bigint: true }))
      return sign === null ? null : { seq, sign }
    } finally {
      fs.closeSync(fd)
    }
  } finally {
    dropFresh(folder, FRESH)
    folder.close()
  }
}

/** Renames the file with the first free number, so that earlier ones are kept. */
function setAside(folder: HeldFolder, name: string, run: number): void {
  const there = fs.lstatSync(folder.at(name), { throwIfNoEntry: false })
  if (there === undefined || !there.isFile() || there.size === 0) return
  folder.mustBeThere()
  for (let number = Math.max(1, run); number < run + MOST_RUNS; number += 1) {
    const to = folder.at(formerChannelFile(name, number))
    try {
      fs.linkSync(folder.at(name), to)
      fs.rmSync(folder.at(name))
      return
    } catch (error) {
      if (codeOf(error) === 'EEXIST') continue
      if (!NO_LINKS.has(codeOf(error))) throw error
    }
    if (fs.lstatSync(to, { throwIfNoEntry: false }) !== undefined) continue
    fs.renameSync(folder.at(name), to)
    return
  }
  throw refuse.invalid_state`${quote(name)} of a former run cannot be kept: too many such files are there; move some away`
}
