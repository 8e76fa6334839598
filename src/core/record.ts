// A record is what the log holds besides threads (agents, people, wakes, workspaces, tokens), or what a thread of one
// kind has besides its messages, as a push does. Each record is one row of a table, and its events determine the row.
//
// (1) A record is declared once, in its subject's NAME-record.ts, and listed in records.ts. Replay, import, doctor,
//     the store's writes and pruning follow from the declaration; the row's type and columns follow from `fields`.
// (2) An event names every value it sets. Nothing is computed from the previous row, so the store writes the event
//     without reading the row, and two concurrent events each change only what they name.
// (3) A record of the store has its key in the facts of every event. A record of a thread has the thread's id as its
//     key, its events belong to the thread, and its row is deleted with the thread.
// (4) Columns of the table that `fields` doesn't list are outside the log.

import type { EventRules } from './event.ts'
import type { ThreadKind } from './kinds.ts'
import type { Shape, Shapes } from './shape.ts'
import type { Message } from './threads/message.ts'
import type { Instant } from './time.ts'

type AnyFacts = { type: string }
type AnyRow = Record<string, unknown>

type Signature = { agent: string; at: Instant }
type ThreadSignature = Signature & { thread_id: string }

type NewRow<Row> = {
  [Field in keyof Row as null extends Row[Field] ? never : Field]: Row[Field]
} & {
  [Field in keyof Row as null extends Row[Field] ? Field : never]?: Row[Field]
}

/** An event that can create a row. */
type MakingEvent<Row, Facts, By> = {
  /** The new row. Properties that aren't fields of the record are dropped, so the facts can be spread into it. */
  makes(facts: Facts, by: By): NewRow<Row>
  /** The fields that an existing row keeps if the event is repeated. Absent: the event can't be repeated. */
  keeps?: readonly (keyof Row & string)[]
}
/** An event that changes an existing row, always the same fields. */
type ChangingEvent<Row, Facts, By> = {
  changes(facts: Facts, by: By): Partial<Row>
  /** The field that holds the time of the latest event of this type. Earlier ones are superseded and may be pruned. */
  latestIn?: keyof Row & string
}

type RecordEvent<Row, Facts, By> = MakingEvent<Row, Facts, By> | ChangingEvent<Row, Facts, By>
/**
 * Old rows are pruned along with their events. The named query, in the SQL of the record's subject, lists rows that ended
 * before `:before` (only among `:keys`, if given) as `row_key`, with the number of their `events`.
 */
export type PruneRule = { query: string }

type OneOf<Facts, Type> = Extract<Facts, { type: Type }>

/** A digest that an event names, and the source it must be the SHA-256 of: a text, or the source of another digest. */
export type NamedDigest = { sha256: string; of: { text: string } | { sha256: string } }

type Declaration<Row, Facts extends AnyFacts> = {
  /** The table, and the plural noun for the record in messages. */
  table: string
  /** The singular noun. */
  one: string
  key: keyof Row & string
  /** The prefix of its ids, if this program generates them. */
  prefix?: string
  fields: { readonly [Field in keyof Row & string]: Shape<Row[Field]> }
  facts: { readonly [Type in Facts['type']]: Shapes<OneOf<Facts, Type>> }
  /** The part of a row that the log determines; absent means all of it. */
  witnessed?(row: Row): Partial<Row>
  /** Throws if the event can't follow the existing row. */
  mustFollow?(before: Row | null, facts: Facts): void
  /** Throws if an outside log may not contain this event, even though it would replay. */
  admit?(facts: Facts, log: LogSoFar<Row>): void
  /** The events that name a digest, and how it is derived from the event's message. Import and doctor check it. */
  digested?: {
    events: readonly Facts['type'][]
    of(facts: Facts, message: Message, before: Row | null): NamedDigest
  }
  prune?: PruneRule
  /** Never set; it carries the types. */
  readonly types?: { row: Row; facts: Facts }
}

export type StoreRecord<Row, Facts extends AnyFacts> = Declaration<Row, Facts> & {
  kind?: undefined
  events: { [Type in Facts['type']]: RecordEvent<Row, OneOf<Facts, Type>, Signature> }
}

export type ThreadRecord<Row, Facts extends AnyFacts> = Declaration<Row, Facts> & {
  kind: ThreadKind
  events: {
    [Type in Facts['type']]: Omit<EventRules, 'of'> &
      RecordEvent<Row, OneOf<Facts, Type>, ThreadSignature>
  }
}

/** A record whose ids this program generates, with a prefix by its noun. */
export type WithIds<One extends string> = { one: One; prefix: string }

export type AnyRecord = StoreRecord<AnyRow, AnyFacts> | ThreadRecord<AnyRow, AnyFacts>

export type RecordOf<Row> = Pick<
  Declaration<Row, AnyFacts>,
  'table' | 'one' | 'key' | 'fields' | 'witnessed'
>

export interface RecordReads {
  rowOf<Row>(record: RecordOf<Row>, key: string): Promise<Row | null>
}

/** The state after the events admitted so far, which a record uses to judge the next event of an outside log. */
export type LogSoFar<Row> = {
  event_id: number
  /** Empty for an event without a thread. */
  thread_id: string
  agent: string
  before: Row | null
  rows<Other>(record: RecordOf<Other>): ReadonlyMap<string, Other>
  /** Everyone who was delivered anything in the event's thread. */
  recipients(): string[]
  /** What the record notes from event to event. */
  noted: Set<string>
}

/** Records, and the record that each type of event belongs to. */
export type RecordList = {
  all: readonly AnyRecord[]
  byEvent: ReadonlyMap<string, AnyRecord>
  rules: Record<string, EventRules>
  /** The prefixes of ids, by the singular noun of the record. */
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
  const made = fillRow(record, event.makes(facts, by))
  if (before === null) return made
  if (event.keeps === undefined) {
    throw new Error(`${facts.type}: that ${record.one} is there already`)
  }
  const kept = event.keeps.map((field) => [field, before[field]])
  return { ...made, ...Object.fromEntries(kept) }
}

/** Every field of the record and no others; a field the event leaves out is null. */
export function fillRow<Row>({ fields }: RecordOf<Row>, made: NewRow<Row>): Row {
  const given = made as AnyRow
  return Object.fromEntries(Object.keys(fields).map((name) => [name, given[name] ?? null])) as Row
}
