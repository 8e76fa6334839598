// The file behind `--out`: one writer at a time, whatever it holds.

import type { OutFile } from '../../../ops/kit/for-doors.ts'
import type { Io } from '../io.ts'
import { type ExportFile, exportFile } from './export-file.ts'
import { entriesFile, mailboxFile } from './mailbox-file.ts'

/** Calls `use` while no other process writes to the file. */
export async function withOutFile<T>(
  io: Io,
  { path, holds }: { path: string; holds: OutFile },
  use: (file: ExportFile) => Promise<T>,
): Promise<T> {
  const unlock = io.lock(path)
  try {
    return await use(await openFile(io, path, holds))
  } finally {
    unlock()
  }
}

async function openFile(io: Io, path: string, holds: OutFile): Promise<ExportFile> {
  if (holds === 'log') return exportFile(io, path)
  if (holds === 'entries') return entriesFile(io, path)
  return mailboxFile(io, path, { mustBeNew: holds === 'new mailbox' })
}
