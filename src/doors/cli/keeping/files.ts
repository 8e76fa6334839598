// The caller's files, for operations that read or write some. Off the path of every other command.

import { visible } from '../../../core/error.ts'
import type { Files } from '../../../ops/kit/files.ts'
import type { ParsedWords } from '../argv.ts'
import type { Io } from '../io.ts'
import type { ExportFile } from './export-file.ts'
import { keepAside } from './rejects.ts'

export type FileFlags = {
  flags: ParsedWords['flags']
  input: { file?: unknown }
  /** The file that an export writes to. */
  file: ExportFile | undefined
}

export function filesFor(io: Io, { flags, input, file }: FileFlags): Files {
  const out = flags.get('--out')?.[0]
  const source = String(input.file)
  const usual = source === '-' ? 'import.rejected' : `${source}.rejected`
  const aside = flags.get('--rejects')?.[0] ?? usual
  return {
    // People read it on a terminal, so control characters are written out; a file keeps the JSON as it is.
    write: async (text) =>
      void (out === undefined ? io.out(visible(text)) : io.appendFile(out, text)),
    read: () => io.chunks(source),
    setAside: keepAside(io, aside),
    aside,
    ...(file?.entries && { entries: file.entries }),
  }
}
