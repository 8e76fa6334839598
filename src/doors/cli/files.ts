// The caller's files, for operations that read or write files. Other commands don't load this module.

import { quote, refuse, visible } from '../../core/error.ts'
import type { EntriesFile, Files } from '../../ops/kit/files.ts'
import type { OutFile } from '../../ops/kit/for-doors.ts'
import type { ParsedWords } from './argv.ts'
import type { Io, ShellMailroom } from './io.ts'

/**
 * The file given with `--out`: a log, a mailbox or entries. One process writes at a time, and the file contains each
 * event once.
 */
export type ExportFile = {
  /** The last event in the file, after which the export continues. Undefined if there is none. */
  lastEvent(): number | undefined
  /** Refuses to mix two logs, and drops a last line that was left incomplete. Returns where the export continues. */
  mustBeOf(opened: Pick<ShellMailroom, 'store' | 'makeId'>): Promise<Pick<Files, 'goesOnAfter'>>
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
  if (last !== undefined && lastId === undefined)
    throw refuse.invalid_input`${quote(path)} is not an exported log; name a new file with --out`
  const header = last === undefined ? undefined : headerOf(io.firstLine(path) ?? '')
  return {
    lastEvent() {
      if (last !== undefined && header === undefined)
        throw refuse.invalid_input`${quote(path)} has no header, so it does not say which store it is from; say where to continue with --after-event, or name a new file with --out`
      return lastId
    },
    async mustBeOf({ store, makeId }) {
      if (last === undefined) return {}
      const keeper = await store.keeper()
      if (header !== undefined && header.store !== (await keeper.storeId(makeId('store'))))
        throw refuse.invalid_input`${quote(path)} holds the log of another store than ${store.place}; name a new file with --out`
      io.truncate(path, last.end)
      return {}
    },
  }
}

/** Entries don't name a store, so the export adds those the file lacks, whoever wrote the existing ones. */
async function openEntries(io: Io, path: string): Promise<ExportFile> {
  const entries = await io.entriesFile(path)
  return { lastEvent: () => undefined, mustBeOf: async () => ({}), entries }
}

/** A mailbox has no header, because other programs use the format too. Its last message shows which store it's from. */
function openMailbox(io: Io, path: string, { mustBeNew }: { mustBeNew: boolean }): ExportFile {
  const last = io.lastLine(path)
  if (mustBeNew && last !== undefined)
    throw refuse.invalid_input`${quote(path)} already exists; name a new file with --out`
  const lastId = last === undefined || last.end === 0 ? undefined : messageId(last.line)
  if (last !== undefined && lastId === undefined)
    throw refuse.invalid_input`${quote(path)} is not a mailbox; name a new file with --out`
  return {
    lastEvent: () => undefined,
    async mustBeOf({ store }) {
      if (last === undefined || lastId === undefined) return {}
      const message = await store.message(lastId)
      const after = message && (await store.eventOfMessage(message.thread_id, lastId))
      if (after === null)
        throw refuse.invalid_input`${quote(path)} ends with ${lastId}, which is not in ${store.place}: it was removed, or the file is from another store; name a new file with --out`
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

function parseLine(line: string): ExportLine | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

type FileFlags = {
  flags: ParsedWords['flags']
  input: { file?: unknown }
  file: ExportFile | undefined
}

export function filesFor(io: Io, { flags, input, file }: FileFlags): Files {
  const out = flags.get('--out')?.[0]
  const source = String(input.file)
  const usual = source === '-' ? 'import.rejected' : `${source}.rejected`
  const aside = flags.get('--rejects')?.[0] ?? usual
  return {
    // Control characters are escaped for a terminal. A file gets the JSON unchanged.
    write: async (text) =>
      void (out === undefined ? io.out(visible(text)) : io.appendFile(out, text)),
    read: () => io.chunks(source),
    setAside: keepAside(io, aside),
    aside,
    ...(file?.entries && { entries: file.entries }),
  }
}

/** Duplicate lines aren't detected in files above this size, which repeated imports don't produce. */
const MOST_BYTES = 32 * 1024 * 1024

/** Appends each rejected line to a file only once, because importing a file again rejects the same lines. */
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

/** Maps each byte to one character, because a rejected line need not be valid text. */
function lettersOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}
