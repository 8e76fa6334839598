// The file behind `--out`: a log, a mailbox or entries. One process writes at a time, and the file contains each
// event once.

import { quote, refuse } from '../../../core/error.ts'
import type { EntriesFile, Files } from '../../../ops/kit/files.ts'
import type { OutFile } from '../../../ops/kit/for-doors.ts'
import type { Io, ShellMailroom } from '../io.ts'

export type ExportFile = {
  /** The last event in the file: the export continues after it. Undefined when there is none. */
  lastEvent(): number | undefined
  /** Refuses to mix two logs, and drops a last line whose writer died. Returns where the file continues. */
  mustBeOf(opened: Pick<ShellMailroom, 'store' | 'makeId'>): Promise<Pick<Files, 'goesOnAfter'>>
  /** Lets lines be removed, for a file of entries. */
  entries?: EntriesFile
}

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
  if (holds === 'log') return openLog(io, path)
  if (holds === 'entries') return openEntries(io, path)
  return openMailbox(io, path, { mustBeNew: holds === 'new mailbox' })
}

function openLog(io: Io, path: string): ExportFile {
  const last = io.lastLine(path)
  const lastId = last === undefined || last.end === 0 ? undefined : exportedId(last.line)
  if (last !== undefined && lastId === undefined) {
    throw refuse(
      'invalid_input',
      `${quote(path)} is not an exported log; name a new file with --out`,
    )
  }
  const header = last === undefined ? undefined : headerOf(io.firstLine(path) ?? '')
  return {
    lastEvent() {
      if (last !== undefined && header === undefined) {
        throw refuse(
          'invalid_input',
          `${quote(path)} has no header, so it does not say which store it is from; say where to continue with --after-event, or name a new file with --out`,
        )
      }
      return lastId
    },
    async mustBeOf({ store, makeId }) {
      if (last === undefined) return {}
      const keeper = await store.keeper()
      if (header !== undefined && header.store !== (await keeper.storeId(makeId('store')))) {
        throw refuse(
          'invalid_input',
          `${quote(path)} holds the log of another store than ${store.place}; name a new file with --out`,
        )
      }
      io.truncate(path, last.end)
      return {}
    },
  }
}

/** Entries don't name a store: the export adds what the file lacks, no matter who wrote the rest. */
async function openEntries(io: Io, path: string): Promise<ExportFile> {
  const entries = await io.entriesFile(path)
  return { lastEvent: () => undefined, mustBeOf: async () => ({}), entries }
}

/**
 * A mailbox has no header, because other programs use the format too. Its last message shows which store it is from.
 */
function openMailbox(io: Io, path: string, { mustBeNew }: { mustBeNew: boolean }): ExportFile {
  const last = io.lastLine(path)
  if (mustBeNew && last !== undefined) {
    throw refuse('invalid_input', `${quote(path)} already exists; name a new file with --out`)
  }
  const lastId = last === undefined || last.end === 0 ? undefined : messageId(last.line)
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

function headerOf(line: string): { store?: unknown } | undefined {
  const value = parseLine(line)
  return value?.mailroom === undefined ? undefined : value
}

function exportedId(line: string): number | undefined {
  const value = parseLine(line)
  const id = value?.mailroom === undefined ? value?.event?.event_id : value.floor
  return Number.isSafeInteger(id) ? (id as number) : undefined
}

function messageId(line: string): string | undefined {
  const id = parseLine(line)?.id
  return typeof id === 'string' ? id : undefined
}

type ExportLine = {
  mailroom?: unknown
  floor?: unknown
  store?: unknown
  event?: { event_id?: unknown }
  id?: unknown
}

/** Undefined for a line that this program did not write. */
function parseLine(line: string): ExportLine | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
