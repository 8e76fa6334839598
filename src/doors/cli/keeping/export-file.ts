// A file of the log behind `--out`: one log, each event once.

import { quote, refuse } from '../../../core/error.ts'
import type { EntriesFile, Files } from '../../../ops/kit/files.ts'
import type { Io, ShellMailroom } from '../io.ts'

export type ExportFile = {
  /** The last event in the file: the export continues after it. Undefined when there is none. */
  lastEvent(): number | undefined
  /** Refuses to mix two logs, and drops a last line whose writer died. Says where the file goes on. */
  mustBeOf(opened: Pick<ShellMailroom, 'store' | 'makeId'>): Promise<Pick<Files, 'goesOnAfter'>>
  /** Lets lines be removed, for a file of entries. */
  entries?: EntriesFile
}

export function exportFile(io: Io, path: string): ExportFile {
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

function headerOf(line: string): { store?: unknown } | undefined {
  const value = parseLine(line)
  return value?.mailroom === undefined ? undefined : value
}

function exportedId(line: string): number | undefined {
  const value = parseLine(line)
  const id = value?.mailroom === undefined ? value?.event?.event_id : value.floor
  return Number.isSafeInteger(id) ? (id as number) : undefined
}

type ExportLine = {
  mailroom?: unknown
  floor?: unknown
  store?: unknown
  event?: { event_id?: unknown }
}

function parseLine(line: string): ExportLine | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    // The line is not one of ours, whatever it is.
    return undefined
  }
}
