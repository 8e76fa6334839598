// Admits a log from outside, one entry at a time: each must be able to follow what was admitted before. An admitted
// log is one this program could have written, so the store made from it can be replayed, listed and exported.

import { isRole } from '../agents/address.ts'
import {
  EVENTS,
  type EventRules,
  type Facts,
  type LoggedEvent,
  rulesOf,
  type ThreadEvent,
} from '../event.ts'
import type { Delivery } from '../inbox/delivery.ts'
import type { DeliveryFacts } from '../inbox/delivery-facts.ts'
import { rowsOf } from '../record.ts'
import { RECORDS } from '../records.ts'
import { evolve, type ThreadState } from '../threads/evolve.ts'
import type { Message } from '../threads/message.ts'
import { isWorkedOn } from '../threads/thread.ts'
import type { LogEntry } from './keeper.ts'
import {
  applyToDeliveries,
  inboxKey,
  isOfNoThread,
  type RecordChange,
  type ReplayedLog,
  recordChange,
  toEvent,
  toStoreEvent,
} from './replay.ts'

export type AdmittedLog = Omit<ReplayedLog, 'reads' | 'messages' | 'problems'> & {
  lastEventId: number
  /** The thread and `seq` of each message, for checking read marks. */
  messages: Map<string, { thread_id: string; seq: number }>
  artifacts: Set<string>
  /** What the records' rules remember from event to event, by table. */
  noted: Map<string, Set<string>>
}

export function startAdmitting(known = RECORDS): AdmittedLog {
  return {
    lastEventId: 0,
    threads: new Map(),
    messages: new Map(),
    artifacts: new Set(),
    noted: new Map(),
    deliveries: new Map(),
    records: new Map(),
    known,
  }
}

/** Adds the entry and returns the state before it. If it cannot be admitted, throws and changes nothing. */
export function admit(into: AdmittedLog, { event, message }: LogEntry): ThreadState | null {
  if (event.event_id <= into.lastEventId) throw new Error('its event id is not after the last one')
  const before = into.threads.get(event.thread_id) ?? null
  const rules = rulesOf(event.event_type, into.known)
  if (rules === undefined) throw new Error(`${event.event_type} is not known`)
  mustSpeak(rules, event, message)
  if (isOfNoThread(event)) {
    const stored = toStoreEvent(event)
    const change = recordChange(into, stored)
    if (change === undefined) throw new Error(`${event.event_type} is of a thread, and it has none`)
    mustBeAdmitted(into, event, stored.facts, change)
    change.apply()
    into.lastEventId = event.event_id
    return null
  }
  mustBeOfThread(rules, before, event)
  if (message !== null) mustBeNext(into, before, event, message)
  const change = toEvent(event, message)
  mustBeDelivered(into, change)
  const after = evolve(before, change)
  if (after.thread.status !== event.status) {
    throw new Error(`it says ${event.status}, but the log leads to ${after.thread.status}`)
  }
  const record = recordChange(into, change)
  if (record !== undefined) mustBeAdmitted(into, event, change.facts, record)
  record?.apply()
  into.lastEventId = event.event_id
  into.threads.set(event.thread_id, after)
  applyToDeliveries(into.deliveries, change, {
    event_id: event.event_id,
    assignee: before?.thread.assigned_to ?? null,
  })
  if (message !== null) {
    const { message_id, thread_id, seq } = message
    into.messages.set(message_id, { thread_id, seq })
    for (const { artifact_id } of message.artifacts) into.artifacts.add(artifact_id)
  }
  return before
}

/** Applies the record's own rule. This runs last, because the rule may note the event. */
function mustBeAdmitted(
  into: AdmittedLog,
  { event_id, agent, thread_id }: LoggedEvent,
  facts: { type: string },
  { record, before }: RecordChange,
): void {
  const noted = into.noted.get(record.table) ?? new Set()
  into.noted.set(record.table, noted)
  record.admit?.(facts, {
    event_id,
    thread_id,
    agent,
    before,
    rows: (other) => rowsOf(into.records, other),
    recipients: () => recipientsIn(into, thread_id),
    noted,
  })
}

function recipientsIn({ deliveries }: AdmittedLog, threadId: string): string[] {
  return [...deliveries].flatMap(([key, there]) => {
    const [thread, recipient = ''] = key.split(' ')
    return thread === threadId && there.length > 0 ? [recipient] : []
  })
}

/** The deliveries an event is about must exist. */
function mustBeDelivered(into: AdmittedLog, event: ThreadEvent): void {
  const { thread_id, agent, facts } = event
  if (facts.type === 'thread_send') mustBeAssigned(event.message, facts)
  if (facts.type === 'thread_claim') mustBeHanded(into, thread_id, facts.handed ?? [])
  if (facts.type === 'thread_read') {
    const read = into.messages.get(facts.message_id)
    if (read?.thread_id === thread_id && read.seq === facts.seq) return
    throw new Error('it marks a message as read that is not in the thread')
  }
  if (!('recipient' in facts)) return
  if (EVENTS[facts.type].by !== 'system' && agent !== facts.recipient)
    throw new Error('it is of deliveries to somebody else')
  if (facts.type === 'delivery_take') mustBeTakeable(into, thread_id, facts)
  else mustHaveAll(into, thread_id, facts)
}

function mustBeHanded(into: AdmittedLog, threadId: string, handed: string[]): void {
  if (handed.every((id) => into.messages.get(id)?.thread_id === threadId)) return
  throw new Error('it hands over a message that is not in the thread')
}

/** Work is addressed to its assignee; only work for a role may also be delivered to someone else. */
function mustBeAssigned(
  message: Message | null,
  { assigned_to, recipients }: Extract<Facts, { type: 'thread_send' }>,
): void {
  if (message?.to_agent !== assigned_to) throw new Error('it is assigned to somebody else')
  if ((recipients !== undefined) === isRole(assigned_to)) return
  throw new Error('recipients belong to work for a role, and to no other')
}

function deliveriesTo(into: AdmittedLog, threadId: string, recipient: string): Delivery[] {
  return into.deliveries.get(inboxKey(threadId, recipient)) ?? []
}

function mustHaveAll(
  into: AdmittedLog,
  threadId: string,
  { recipient, messages }: DeliveryFacts,
): void {
  const there = new Set(deliveriesTo(into, threadId, recipient).map((one) => one.message_id))
  if (messages.every((message) => there.has(message))) return
  throw new Error(`it is of a message that was not delivered to ${recipient} in this thread`)
}

function mustBeTakeable(
  into: AdmittedLog,
  threadId: string,
  { from, taken }: Extract<Facts, { type: 'delivery_take' }>,
): void {
  const [one, ...more] = taken
  // The event's id is the new delivery's place in the inbox, and no two deliveries can have the same place.
  if (one === undefined || more.length > 0) throw new Error('it does not take one message')
  // An agent that claims work takes over deliveries that were addressed to others.
  const thread = into.threads.get(threadId)?.thread
  if (!isRole(from) && (thread === undefined || !isWorkedOn(thread))) {
    throw new Error(`it takes what was for ${from}`)
  }
  const queued = deliveriesTo(into, threadId, from).find(
    ({ message_id, state }) => message_id === one.message_id && state === 'queued',
  )
  const isSame =
    queued?.seq === one.seq && queued.kind === one.kind && queued.expires_at === one.expires_at
  if (!isSame) throw new Error(`it takes what is not in the queue ${from}`)
}

function mustBeOfThread(rules: EventRules, before: ThreadState | null, event: LoggedEvent): void {
  if (before === null) return
  const { of, begins } = rules
  const place: string = rules.in ?? of
  if (begins !== undefined) throw new Error('its thread exists already')
  const { kind, run_id, task_id } = before.thread
  if (place !== kind && place !== 'any') {
    throw new Error(`${event.event_type} is not for a thread of ${kind}`)
  }
  if (event.run_id !== run_id || event.task_id !== task_id) {
    throw new Error('its run or task is not that of its thread')
  }
}

function mustSpeak(
  { says = [null] }: EventRules,
  event: LoggedEvent,
  message: Message | null,
): void {
  if (event.message_id !== (message?.message_id ?? null)) {
    throw new Error('the event names a message the line does not hold')
  }
  const fits = says === 'anything' ? message !== null : says.includes(message?.kind ?? null)
  if (!fits)
    throw new Error(`${event.event_type} does not go with ${message?.kind ?? 'no message'}`)
  // A blocked thread is shown with its question, so the update has to be a question.
  if (event.event_type === 'thread_update') {
    const kind = event.status === 'blocked' ? 'question' : 'progress'
    if (message?.kind !== kind) throw new Error(`an update to ${event.status} says a ${kind}`)
  }
}

function mustBeNext(
  into: AdmittedLog,
  before: ThreadState | null,
  event: LoggedEvent,
  message: Message,
): void {
  if (message.thread_id !== event.thread_id) throw new Error('its message is of another thread')
  if (into.messages.has(message.message_id)) throw new Error('its message was there before')
  const seq = (before?.thread.message_count ?? 0) + 1
  if (message.seq !== seq) throw new Error(`its message has seq ${message.seq}, not ${seq}`)
  const own = new Set<string>()
  for (const { artifact_id, message_id } of message.artifacts) {
    if (message_id !== message.message_id) throw new Error('its artifact is of another message')
    if (into.artifacts.has(artifact_id) || own.has(artifact_id)) {
      throw new Error('its artifact was there before')
    }
    own.add(artifact_id)
  }
}
