// A record is what the log holds beside threads: an agent, a person, a wake, a workspace, a token; or what a thread of
// one kind has beside its messages, as a push has. Each is one row of a table, and follows from its events.
//
// (1) A record is declared once, in the file NAME-record.ts of its subject, and listed in records.ts. Replay, import,
//     doctor, the store's writes and pruning follow from the declaration.
// (2) An event names every value that it sets. Nothing is computed from the row before it: so the store writes the
//     event without reading the row, and two events at once change what they speak of and no more.
// (3) A record of the store has its key in the facts of every event. A record of a thread has the thread's id for its
//     key, its events are the thread's, and its row goes with the thread.
// (4) Columns of the table that the declaration does not name are outside the log.

import type { EventRules } from './event.ts'
import type { Shapes } from './fact-shape.ts'
import type { ThreadKind } from './kinds.ts'
import type { Message } from './threads/message.ts'
import type { Instant } from './time.ts'

type AnyFacts = { type: string }
type AnyRow = Record<string, unknown>

/** The signer of an event, and its moment. */
type Signature = { agent: string; at: Instant }
type ThreadSignature = Signature & { thread_id: string }

/** The form of a field in its column: as it is, a flag as a number, words with commas between them, or JSON. */
export type Column = 'plain' | 'flag' | 'words' | { json: string }
type ColumnOf<Value> = unknown extends Value
  ? Column
  : Value extends string | number | null
    ? 'plain'
    : Value extends boolean
      ? 'flag'
      : Value extends readonly string[]
        ? 'words' | { json: string }
        : { json: string }

/** An event that may be a row's first. */
type MakingEvent<Row, Facts, By> = {
  makes(facts: Facts, by: By): Row
  /** The fields that a row keeps when the event comes again. Absent: the event comes once. */
  keeps?: readonly (keyof Row & string)[]
}
/** An event of a row that is there. It always changes the same fields. */
type ChangingEvent<Row, Facts, By> = {
  changes(facts: Facts, by: By): Partial<Row>
  /** The field that holds the moment of the latest such event. Nobody needs the earlier ones, so they may be pruned. */
  latestIn?: keyof Row & string
}

type RecordEvent<Row, Facts, By> = { facts: Shapes<Facts> } & (
  | MakingEvent<Row, Facts, By>
  | ChangingEvent<Row, Facts, By>
)
/**
 * Old rows are pruned, with their events. The query of this name, in the SQL of the record's subject, lists rows that were
 * over `:before` a moment (only among `:keys`, if they are given): each `row_key`, and how many `events` tell of it.
 */
export type PruneRule = { query: string }

type OneOf<Facts, Type> = Extract<Facts, { type: Type }>

/** A digest that an event names, and what it must be the SHA-256 of: a text, or whatever another digest is of. */
export type NamedDigest = { sha256: string; of: { text: string } | { sha256: string } }

type Declaration<Row, Facts extends AnyFacts> = {
  /** The table. Its name is also the word for many of the record. */
  table: string
  /** The word for one of the record. */
  one: string
  key: keyof Row & string
  /** The beginning of its ids, where the program makes them. */
  prefix?: string
  columns: { [Field in keyof Row & string]: ColumnOf<Row[Field]> }
  /** The part of a row that the log is a witness of; absent means all of it. */
  witnessed?(row: Row): Partial<Row>
  /** Throws if the event cannot follow on the row that is there. */
  mustFollow?(before: Row | null, facts: Facts): void
  /** Throws if a log from outside may not say this, although it would replay. */
  admit?(facts: Facts, log: LogSoFar<Row>): void
  /** The events that name a digest, and how one follows from the event's message. Import and doctor compare. */
  digested?: {
    events: readonly Facts['type'][]
    of(facts: Facts, message: Message, before: Row | null): NamedDigest
  }
  prune?: PruneRule
  /** No record has this property. It carries the types. */
  readonly types?: { row: Row; facts: Facts }
}

export type StoreRecord<Row, Facts extends AnyFacts> = Declaration<Row, Facts> & {
  kind?: undefined
  events: { [Type in Facts['type']]: RecordEvent<Row, OneOf<Facts, Type>, Signature> }
}

export type ThreadRecord<Row, Facts extends AnyFacts> = Declaration<Row, Facts> & {
  /** The kind of threads that have this record. */
  kind: ThreadKind
  events: {
    [Type in Facts['type']]: Omit<EventRules, 'of'> &
      RecordEvent<Row, OneOf<Facts, Type>, ThreadSignature>
  }
}

export type AnyRecord = StoreRecord<AnyRow, AnyFacts> | ThreadRecord<AnyRow, AnyFacts>

/** Any record whose rows are known. */
export type RecordOf<Row> = Pick<
  Declaration<Row, AnyFacts>,
  'table' | 'one' | 'key' | 'columns' | 'witnessed'
>

export interface RecordReads {
  /** The row of a record with this key. */
  rowOf<Row>(record: RecordOf<Row>, key: string): Promise<Row | null>
}

/** The state that a log from outside has led to, by which a record judges the next event. */
export type LogSoFar<Row> = {
  event_id: number
  /** The event's thread; empty for an event of no thread. */
  thread_id: string
  /** The signer. */
  agent: string
  before: Row | null
  rows<Other>(record: RecordOf<Other>): ReadonlyMap<string, Other>
  /** The names to which something in the event's thread was delivered. */
  recipients(): string[]
  /** A memory of the record's own, kept from event to event. */
  noted: Set<string>
}

/** Records, and the table that says which of them an event is of. */
export type RecordList = {
  all: readonly AnyRecord[]
  byEvent: ReadonlyMap<string, AnyRecord>
  rules: Record<string, EventRules>
  /** The prefixes of ids, by the word for one of the record. */
  prefixes: Record<string, string>
}

export function listRecords(all: readonly AnyRecord[]): RecordList {
  const byEvent = new Map<string, AnyRecord>()
  const rules: Record<string, EventRules> = {}
  const prefixes: Record<string, string> = {}
  for (const record of all) {
    if (record.prefix !== undefined) prefixes[record.one] = record.prefix
    for (const [type, event] of Object.entries(record.events)) {
      if (byEvent.has(type)) throw new Error(`${type} is of two records`)
      byEvent.set(type, record)
      rules[type] = record.kind === undefined ? STORE : { of: record.kind, ...event }
    }
  }
  return { all, byEvent, rules, prefixes }
}

const STORE = { of: 'record', in: 'none', by: 'anyone', quiet: true } as const

/** The rows of records, by table and key. */
export type RecordRows = Map<string, Map<string, unknown>>

export function rowsOf<Row>(rows: RecordRows, { table }: RecordOf<Row>): Map<string, Row> {
  const own = rows.get(table) ?? new Map<string, unknown>()
  rows.set(table, own)
  return own as Map<string, Row>
}

export function keyOf(record: AnyRecord, facts: AnyFacts, { thread_id }: ThreadSignature): string {
  if (record.kind !== undefined) return thread_id
  return String((facts as AnyFacts & Record<string, unknown>)[record.key])
}

/** The row after the event. */
export function evolveRecord<Row extends object, Facts extends AnyFacts>(
  record: StoreRecord<Row, Facts>,
  before: Row | null,
  facts: Facts,
  by: Signature,
): Row
export function evolveRecord<Row extends object, Facts extends AnyFacts>(
  record: StoreRecord<Row, Facts> | ThreadRecord<Row, Facts>,
  before: Row | null,
  facts: Facts,
  by: ThreadSignature,
): Row
export function evolveRecord<Row extends object, Facts extends AnyFacts>(
  record: StoreRecord<Row, Facts> | ThreadRecord<Row, Facts>,
  before: Row | null,
  facts: Facts,
  by: Signature,
): Row {
  const event = record.events[facts.type as Facts['type']] as RecordEvent<Row, Facts, Signature>
  record.mustFollow?.(before, facts)
  if ('changes' in event) {
    if (before === null) throw new Error(`${facts.type}: that ${record.one} is not there`)
    return { ...before, ...event.changes(facts, by) }
  }
  const made = event.makes(facts, by)
  if (before === null) return made
  if (event.keeps === undefined) {
    throw new Error(`${facts.type}: that ${record.one} is there already`)
  }
  const kept = event.keeps.map((field) => [field, before[field]])
  return { ...made, ...Object.fromEntries(kept) }
}
