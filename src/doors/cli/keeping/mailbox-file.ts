// The file behind `--out` of a mailbox or of entries: one writer at a time, each message once. It has no
// header, because it has the form that other programs read; its last message tells which store it belongs
// to.

import { quote, refuse } from '../../../core/error.ts'
import type { Io } from '../io.ts'
import type { ExportFile } from './export-file.ts'

/** A file of entries goes on from what it holds, whoever wrote that, so it can belong to no other store. */
export async function entriesFile(io: Io, path: string): Promise<ExportFile> {
  const entries = await io.entriesFile(path)
  return { lastEvent: () => undefined, mustBeOf: async () => ({}), entries }
}

export function mailboxFile(
  io: Io,
  path: string,
  { mustBeNew }: { mustBeNew: boolean },
): ExportFile {
  const last = io.lastLine(path)
  if (mustBeNew && last !== undefined) {
    throw refuse('invalid_input', `${quote(path)} already exists; name a new file with --out`)
  }
  const lastId = last === undefined || last.end === 0 ? undefined : idOf(last.line)
  if (last !== undefined && lastId === undefined) {
    throw refuse('invalid_input', `${quote(path)} is not a mailbox; name a new file with --out`)
  }
  return {
    lastEvent: () => undefined,
    async mustBeOf({ store }) {
      if (last === undefined || lastId === undefined) return {}
      const message = await store.message(lastId)
      const after = message && (await store.eventOfMessage(message.thread_id, lastId))
      if (after === null) {
        throw refuse(
          'invalid_input',
          `${quote(path)} ends with ${lastId}, which is not in ${store.place}: it was removed, or the file is from another store; name a new file with --out`,
        )
      }
      io.truncate(path, last.end)
      return { goesOnAfter: after }
    },
  }
}

function idOf(line: string): string | undefined {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value !== 'object' || value === null || !('id' in value)) return undefined
    return typeof value.id === 'string' ? value.id : undefined
  } catch {
    // The line is not one of ours, whatever it is.
    return undefined
  }
}
