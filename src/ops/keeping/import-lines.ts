// The one way lines of a file come into a store, whatever they are: in batches, each a transaction. A line that
// cannot be used is told by its number and set aside as it is, byte for byte. However long the file and however
// wrong, only so much of it is in memory at once.

import { refuse } from '../../core/error.ts'
import { type Sentence, sentence } from '../../core/sentence.ts'
import type { Files } from '../kit/operation.ts'
import type { Line } from './file-lines.ts'

/** In one transaction; others write in between. */
const BATCH_LINES = 200
/** Of the file, in memory at once. */
const MOST_BYTES = 8 * 1024 * 1024
/** Held until one line is good, and told in the answer. */
const MOST_REJECTED = 1000

export type Parsed<T> = Line & { value: T }

export type Source<T> = {
  lines: AsyncIterable<Line>
  /** Throws what is wrong with it. */
  parse: (text: string) => T
  /** All in one transaction. Conflicts are what cannot come in because of what is there. */
  bring: (batch: Parsed<T>[]) => Promise<Outcome<T>>
  /** What makes files that would have been good. */
  madeWith: Sentence
}

export type Outcome<T> = {
  added: number
  known: number
  conflicts: (Parsed<T> & { why: string })[]
}

export type Told = {
  /** The first thousand of them. */
  rejected: { line: number; why: string }[]
  rejected_lines: number
  set_aside_in: string | null
}

type Imported = { added: number; known: number; told: Told }

export async function importLines<T>(files: Files, source: Source<T>): Promise<Imported> {
  const sum = { added: 0, known: 0 }
  const rejected: Told['rejected'] = []
  let rejected_lines = 0
  let batch: Parsed<T>[] = []
  let batchBytes = 0
  // Until one line is good nothing is written anywhere: it may be quite another file.
  let held: Uint8Array[] = []
  let heldBytes = 0
  const reject = ({ number, bytes }: Line, why: string) => {
    rejected_lines += 1
    if (rejected.length < MOST_REJECTED) rejected.push({ line: number, why })
    // A copy: it is a part of something larger that would be kept with it.
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
    }
    if (held.length === 0 || sum.added + sum.known === 0) return
    files.setAside(held)
    held = []
    heldBytes = 0
  }
  for await (const line of source.lines) {
    // There may be millions in a row of which none has to be waited for: others come in between.
    if (line.number % BATCH_LINES === 0) await new Promise(setImmediate)
    const text = decoded(line.bytes)
    if (text?.trim() === '') continue
    try {
      if (text === undefined) throw new Error('it is not valid UTF-8')
      batch.push({ ...line, value: source.parse(text) })
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

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes)
  } catch {
    return undefined
  }
}

function noUse(what: string, [first]: Told['rejected'], { madeWith }: { madeWith: Sentence }) {
  const why = `line ${first?.line}: ${first?.why}`
  return refuse(
    'invalid_input',
    sentence`${what} be imported (${why}); name a file made with ${madeWith}`,
  )
}
