// The file in which an import keeps the lines it could not use.

import type { Io } from '../io.ts'

/** What is larger was not made by one import after the other; it is only added to. */
const MOST_BYTES = 32 * 1024 * 1024

/** The same file imported again leaves the same lines aside: they are kept once. */
export function keepAside(io: Io, path: string): (lines: readonly Uint8Array[]) => void {
  let kept: Set<string> | undefined
  return (lines) => {
    kept ??= linesOf(io, path)
    const before = kept
    const fresh = lines.filter((line) => !before.has(lettersOf(line)))
    io.appendFile(path, Buffer.concat(fresh.flatMap((line) => [line, NEWLINE])))
  }
}

const NEWLINE = new Uint8Array([10])

function linesOf(io: Io, path: string): Set<string> {
  if (io.firstLine(path) === undefined) return new Set()
  const bytes = io.readFile(path, MOST_BYTES)
  return new Set(bytes.length > MOST_BYTES ? [] : lettersOf(bytes).split('\n'))
}

/** A letter for each byte: a line need be no text. */
function lettersOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}
