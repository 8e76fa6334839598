// The file in which an import keeps the lines it could not use.

import type { Io } from '../io.ts'

/** A larger file does not come from repeated imports; lines are only added to it. */
const MOST_BYTES = 32 * 1024 * 1024

/** Importing the same file again rejects the same lines, which are kept once. */
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

/** One character for each byte, because a rejected line need not be text. */
function lettersOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}
