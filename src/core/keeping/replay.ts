// Checks the tables against the log: folds every event through the functions that built the state and compares the
// result. A difference means a write bypassed the log or was lost.

import type { Facts, LoggedEvent, StoreEvent, ThreadEvent } from '../event.ts'
import { type Delivery, UNTOUCHED } from '../inbox/delivery.ts'
import { deliveriesOf, stepAll, stepsOf } from '../inbox/delivery-steps.ts'
import {
  type AnyRecord,
  evolveRecord,
  keyOf,
  type NamedDigest,
  type RecordList,
  type RecordRows,
  rowsOf,
} from '../record.ts'
import { RECORDS, type StoreFacts } from '../records.ts'
import { evolve, type ReadMark, readMarkOf, type ThreadState } from '../threads/evolve.ts'
import type { Message } from '../threads/message.ts'
import type { Instant } from '../time.ts'
import type { LogEntry } from './keeper.ts'

export type ReplayedLog = {
  threads: Map<string, ThreadState>
  reads: Map<string, ReadMark>
  /** The messages named by events; every stored message must be one of them. */
  messages: Set<string>
  /** Keyed by thread and recipient, which is how steps name them; in the order they were sent. */
  deliveries: Map<string, Delivery[]>
  records: RecordRows
  known: RecordList
  problems: string[]
}

export function emptyReplay(known = RECORDS): ReplayedLog {
  return {
    threads: new Map(),
    reads: new Map(),
    messages: new Set(),
    deliveries: new Map(),
    records: new Map(),
    known,
    problems: [],
  }
}

/** Adds one event to the replayed state. Messages are immutable, so they are read, not replayed. */
export function replayEvent(into: ReplayedLog, logged: LoggedEvent, message: Message | null): void {
  if (logged.message_id !== null && message === null) {
    into.problems.push(`event ${logged.event_id}: message ${logged.message_id} is missing`)
  }
  try {
    if (isOfNoThread(logged)) recordChange(into, toStoreEvent(logged))?.apply()
    else replayThreadEvent(into, logged, toEvent(logged, message))
  } catch (error) {
    into.problems.push(`event ${logged.event_id}: ${(error as Error).message}`)
    return
  }
  if (logged.message_id !== null) into.messages.add(logged.message_id)
}

function replayThreadEvent(into: ReplayedLog, logged: LoggedEvent, event: ThreadEvent): void {
  const before = into.threads.get(logged.thread_id) ?? null
  const after = evolve(before, event)
  if (after.thread.status !== logged.status) {
    into.problems.push(
      `event ${logged.event_id}: says ${logged.status}, but the log leads to ${after.thread.status}`,
    )
  }
  into.threads.set(logged.thread_id, after)
  recordChange(into, event)?.apply()
  const mark = readMarkOf(event)
  if (mark !== null) into.reads.set(readKey(mark), mark)
  applyToDeliveries(into.deliveries, event, {
    event_id: logged.event_id,
    assignee: before?.thread.assigned_to ?? null,
  })
}

/** Applies the steps to existing deliveries first, then adds the new ones. */
export function applyToDeliveries(
  into: Map<string, Delivery[]>,
  event: ThreadEvent,
  at: { event_id: number; assignee: string | null },
): void {
  for (const step of stepsOf(event, at.assignee)) {
    const key = inboxKey(event.thread_id, step.recipient)
    const inbox = into.get(key)
    if (inbox !== undefined) into.set(key, stepAll(inbox, step, event.at))
  }
  for (const made of deliveriesOf(event))
    put(into, { ...UNTOUCHED, ...made, event_id: at.event_id })
}

function put(into: Map<string, Delivery[]>, delivery: Delivery): void {
  const key = inboxKey(delivery.thread_id, delivery.recipient)
  const before = into.get(key)
  if (before === undefined) into.set(key, [delivery])
  else before.push(delivery)
}

export type RecordChange = { record: AnyRecord; before: Row | null; apply(): void }
type Row = Record<string, unknown>

/** How the event changes its record; undefined if it doesn't belong to a record. */
export function recordChange(
  { known, records }: Pick<ReplayedLog, 'known' | 'records'>,
  event: StoreEvent | ThreadEvent,
): RecordChange | undefined {
  const { facts, agent, at } = event
  const thread_id = 'thread_id' in event ? event.thread_id : ''
  const record = known.byEvent.get(facts.type)
  if (record === undefined || (record.kind === undefined) !== (thread_id === '')) return undefined
  const by = { agent, at, thread_id }
  const rows = rowsOf(records, record)
  const key = keyOf(record, facts, by)
  const before = rows.get(key) ?? null
  const after = evolveRecord(record, before, facts, by)
  return { record, before, apply: () => rows.set(key, after) }
}

export function readKey(mark: Pick<ReadMark, 'thread_id' | 'agent_id'>): string {
  return `${mark.thread_id} ${mark.agent_id}`
}

export function inboxKey(threadId: string, recipient: string): string {
  return `${threadId} ${recipient}`
}

export function isOfNoThread({ thread_id }: Pick<LoggedEvent, 'thread_id'>): boolean {
  return thread_id === ''
}

export function withoutWords(
  said: Pick<
    Message,
    | 'message_id'
    | 'thread_id'
    | 'seq'
    | 'from_agent'
    | 'to_agent'
    | 'kind'
    | 'in_reply_to'
    | 'created_at'
  >,
): Message {
  return {
    ...said,
    summary: '',
    body: '',
    payload_json: '{}',
    artifacts: [],
    issue_id: null,
    agent_id: null,
    hops: 0,
    imported_by: null,
  }
}

export function toEvent(logged: LoggedEvent, message: Message | null): ThreadEvent {
  const { thread_id, run_id, task_id, agent, summary, created_at } = logged
  const { at, facts } = contentOf<Facts>(logged)
  return { thread_id, run_id, task_id, agent, at, created_at, summary, message, facts }
}

export function toStoreEvent(logged: LoggedEvent): StoreEvent {
  const { agent, summary, created_at } = logged
  return { agent, created_at, summary, ...contentOf<StoreFacts>(logged) }
}

function contentOf<F>(logged: LoggedEvent): { at: Instant; facts: F } {
  const { at = logged.created_at, ...facts } = JSON.parse(logged.payload_json)
  return { at, facts: { type: logged.event_type, ...facts } }
}

export function differences<T extends object>(have: T, want: T): string[] {
  const keys = new Set([...Object.keys(have), ...Object.keys(want)]) as Set<keyof T & string>
  return [...keys].filter((key) => have[key] !== want[key])
}

type LogState = Pick<ReplayedLog, 'known' | 'records'>

/** Whether the event names a digest, which must match something else in the log. */
export function namesDigest({ known }: LogState, { event }: LogEntry): boolean {
  const { digested } = known.byEvent.get(event.event_type) ?? {}
  return digested?.events.includes(event.event_type) === true && !isOfNoThread(event)
}

/** The digest named by an entry, according to its record; null if there is none. */
export function digestedIn({ known, records }: LogState, entry: LogEntry): NamedDigest | null {
  const { event, message } = entry
  const record = known.byEvent.get(event.event_type)
  if (record?.digested === undefined || message === null) return null
  if (!namesDigest({ known, records }, entry)) return null
  const before = rowsOf(records, record).get(event.thread_id) ?? null
  return record.digested.of(toEvent(event, message).facts, message, before)
}
