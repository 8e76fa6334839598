// Imports the lines of a file of any form, in batches of one transaction each. A bad line is reported by number and set
// aside byte for byte. Memory use is bounded, however long or broken the file is.

import { refuse, type Sentence } from '../../core/error.ts'
import type { Tx } from '../../core/store.ts'
import type { Files } from '../kit/files.ts'
import type { Context } from '../kit/operation.ts'
import type { Line } from './file-lines.ts'

/** The number of lines per transaction. It's small so that others can write in between. */
const BATCH_LINES = 200
/** How many bytes of the file are kept in memory at a time. */
const MOST_BYTES = 8 * 1024 * 1024
/** The maximum number of bad lines kept in memory until the first good one, and the maximum listed in the answer. */
const MOST_REJECTED = 1000

export type ParsedLine<T> = Line & { value: T }

export type Source<T> = {
  lines: AsyncIterable<Line>
  parse: (text: string) => T | Promise<T>
  /** Imports a batch in one transaction. Conflicts are lines that contradict what the store has. */
  bring: (batch: ParsedLine<T>[]) => Promise<BatchOutcome<T>>
  /** The command that makes such files. It's mentioned in the refusal. */
  madeWith: Sentence
}

export type BatchOutcome<T> = {
  added: number
  known: number
  conflicts: (ParsedLine<T> & { why: string })[]
}

export type ImportReport = {
  rejected: { line: number; why: string }[]
  rejected_lines: number
  set_aside_in: string | null
}

/** Imports a file into a store that may already have content, in one transaction per batch. */
export async function importBatches<T>(
  { store, progress }: Pick<Context, 'store' | 'progress'>,
  files: Files,
  {
    bring,
    ...source
  }: Omit<Source<T>, 'bring'> & {
    bring: (tx: Tx, batch: ParsedLine<T>[]) => Promise<BatchOutcome<T>>
  },
) {
  const write = async (batch: ParsedLine<T>[]) =>
    (await store.write((tx) => bring(tx, batch))).value
  const { added, known, told } = await importLines(files, { ...source, bring: write }, progress)
  const next_event_id = await store.lastEventId()
  return { events: added, messages: { added, known }, ...told, next_event_id }
}

type ImportCounts = { added: number; known: number; told: ImportReport }

export async function importLines<T>(
  files: Files,
  source: Source<T>,
  progress: Context['progress'],
): Promise<ImportCounts> {
  const sum = { added: 0, known: 0 }
  const rejected: ImportReport['rejected'] = []
  let rejected_lines = 0
  let batch: ParsedLine<T>[] = []
  let batchBytes = 0
  // Nothing is written until there's a good line, because this may be the wrong file altogether.
  let held: Uint8Array[] = []
  let heldBytes = 0
  const reject = ({ number, bytes }: Line, why: string) => {
    rejected_lines += 1
    if (rejected.length < MOST_REJECTED) rejected.push({ line: number, why })
    // Copied, because the line is a view of a larger buffer that would otherwise stay in memory.
    held.push(bytes.slice())
    heldBytes += bytes.length
  }
  const isFull = () => held.length >= MOST_REJECTED || batchBytes + heldBytes >= MOST_BYTES
  const flush = async () => {
    const lines = batch
    batch = []
    batchBytes = 0
    if (lines.length > 0) {
      const { added, known, conflicts } = await source.bring(lines)
      sum.added += added
      sum.known += known
      for (const one of conflicts) reject(one, one.why)
      progress?.(`imported ${sum.added + sum.known} lines`)
    }
    if (held.length === 0 || sum.added + sum.known === 0) return
    files.setAside(held)
    held = []
    heldBytes = 0
  }
  for await (const line of source.lines) {
    // Millions of lines may pass without an await, so let other work run here.
    if (line.number % BATCH_LINES === 0) await new Promise(setImmediate)
    const text = decodeLine(line.bytes)
    if (text?.trim() === '') continue
    try {
      if (text === undefined) throw new Error('it is not valid UTF-8')
      const parsed = source.parse(text)
      // Await only if necessary: it costs a turn of the event loop, and most lines parse synchronously.
      batch.push({ ...line, value: parsed instanceof Promise ? await parsed : parsed })
      batchBytes += line.bytes.length
    } catch (error) {
      reject(line, (error as Error).message)
    }
    if (batch.length >= BATCH_LINES || isFull()) await flush()
    if (isFull()) throw noUse(`none of its first ${rejected_lines} lines could`, rejected, source)
  }
  await flush()
  if (held.length > 0) throw noUse('nothing in it could', rejected, source)
  rejected.sort((a, b) => a.line - b.line)
  const set_aside_in = rejected_lines === 0 ? null : files.aside
  return { ...sum, told: { rejected, rejected_lines, set_aside_in } }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

function decodeLine(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes)
  } catch {
    return undefined
  }
}

function noUse(
  what: string,
  [first]: ImportReport['rejected'],
  { madeWith }: { madeWith: Sentence },
) {
  const why = `line ${first?.line}: ${first?.why}`
  return refuse.invalid_input`${what} be imported (${why}); name a file made with ${madeWith}`
}
