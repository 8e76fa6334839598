// The caller's files, for operations that read or write some. Other commands don't load this.

import { visible } from '../../../core/error.ts'
import type { Files } from '../../../ops/kit/files.ts'
import type { ParsedWords } from '../argv.ts'
import type { Io } from '../io.ts'
import type { ExportFile } from './out-file.ts'

export type FileFlags = {
  flags: ParsedWords['flags']
  input: { file?: unknown }
  /** The file an export writes to. */
  file: ExportFile | undefined
}

export function filesFor(io: Io, { flags, input, file }: FileFlags): Files {
  const out = flags.get('--out')?.[0]
  const source = String(input.file)
  const usual = source === '-' ? 'import.rejected' : `${source}.rejected`
  const aside = flags.get('--rejects')?.[0] ?? usual
  return {
    // A terminal gets control characters escaped; a file keeps the JSON as it is.
    write: async (text) =>
      void (out === undefined ? io.out(visible(text)) : io.appendFile(out, text)),
    read: () => io.chunks(source),
    setAside: keepAside(io, aside),
    aside,
    ...(file?.entries && { entries: file.entries }),
  }
}

/** Rejected lines are only appended to a larger file, which repeated imports don't produce. */
const MOST_BYTES = 32 * 1024 * 1024

/** Appends rejected lines to a file, each once: importing the same file again rejects the same lines. */
function keepAside(io: Io, path: string): (lines: readonly Uint8Array[]) => void {
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
