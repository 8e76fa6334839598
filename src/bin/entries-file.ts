// A file of entries, one per line. Unreadable lines stay as they are, byte for byte. New entries are appended. To
// remove a line, the others are written to a new file, which is then renamed.

import fs from 'node:fs'
import { dirname } from 'node:path'
import { flushFolder, useFile, writeAll } from './text-file.ts'

const NEWLINE = 10

/** The caller must hold the file's lock, because only one process at a time may use it. */
export function entriesFile(path: string) {
  const beside = `${path}.rewriting`
  return {
    async known(): Promise<Set<string>> {
      // Left by a process that died before it could rename the file.
      fs.rmSync(beside, { force: true })
      const bytes = contentOf(path)
      if (bytes.length === 0) return new Set()
      // An incomplete last line means its writer died. Leave it unreadable, and start the next entry on a new line.
      if (bytes.at(-1) !== NEWLINE) fs.appendFileSync(path, '\n')
      return new Set(linesOf(bytes).flatMap((line) => idOf(line) ?? []))
    },

    async drop(ids: ReadonlySet<string>): Promise<void> {
      const kept = linesOf(contentOf(path)).filter((line) => !ids.has(idOf(line) ?? ''))
      const real = fs.realpathSync.native(path)
      const { mode } = fs.statSync(real)
      useFile(fs.openSync(beside, 'w', mode & 0o777), (fd) => {
        for (const line of kept) writeAll(fd, line)
        fs.fsyncSync(fd)
      })
      fs.renameSync(beside, real)
      try {
        flushFolder(dirname(real))
      } catch {
        // Some systems can't flush a folder. The rename itself has happened.
      }
    },
  }
}

function contentOf(path: string): Buffer {
  try {
    return fs.readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
}

/** Lines keep their line breaks, so together they make up the whole file. */
function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, at)
    const next = end < 0 ? bytes.length : end + 1
    lines.push(bytes.subarray(at, next))
    at = next
  }
  return lines
}

function idOf(line: Buffer): string | undefined {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'))
    if (typeof value !== 'object' || value === null || !('id' in value)) return undefined
    return typeof value.id === 'string' ? value.id : undefined
  } catch {
    // Not one of our lines.
    return undefined
  }
}
