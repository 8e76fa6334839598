// The file in which an import keeps the lines it could not use.

import type { Io } from './io.ts'

/** What is larger was not made by one import after the other; it is only added to. */
const MOST_BYTES = 256 * 1024 * 1024

/** The same file imported again leaves the same lines aside: they are kept once. */
export function keepAside(io: Io, path: string): (line: string) => void {
  let kept: Set<string> | undefined
  return (line) => {
    kept ??= linesOf(io, path)
    if (!kept.has(line)) io.appendFile(path, `${line}\n`)
  }
}

function linesOf(io: Io, path: string): Set<string> {
  if (io.firstLine(path) === undefined) return new Set()
  const bytes = io.readFile(path, MOST_BYTES)
  return new Set(bytes.length > MOST_BYTES ? [] : new TextDecoder().decode(bytes).split('\n'))
}
