// A log from outside, one entry at a time: what may follow what was admitted before. Whatever passes
// is a log this program could have written, so the store it makes replays, lists and exports.

import type { EventType, LoggedEvent } from './event.ts'
import { evolve, type ThreadState } from './evolve.ts'
import type { Message } from './message.ts'
import { toEvent } from './replay.ts'
import type { LogEntry } from './store.ts'
import type { MessageKind } from './vocabulary.ts'

export type Admitted = {
  lastEventId: number
  threads: Map<string, ThreadState>
  /** Where each message stands, for read marks. */
  messages: Map<string, { thread_id: string; seq: number }>
  artifacts: Set<string>
}

export function nothingAdmitted(): Admitted {
  return { lastEventId: 0, threads: new Map(), messages: new Map(), artifacts: new Set() }
}

/** Adds the entry and returns the state before it; throws, having changed nothing, if it cannot be. */
export function admit(into: Admitted, { event, message }: LogEntry): ThreadState | null {
  if (event.event_id <= into.lastEventId) throw new Error('its event id is not after the last one')
  const before = into.threads.get(event.thread_id) ?? null
  mustBeOfThread(before, event)
  mustSpeak(event, message)
  if (message !== null) mustBeNext(into, before, event, message)
  const change = toEvent(event, message)
  if (change.facts.type === 'thread_read') {
    const read = into.messages.get(change.facts.message_id)
    if (read?.thread_id !== event.thread_id || read.seq !== change.facts.seq) {
      throw new Error('it marks a message as read that is not in the thread')
    }
  }
  const after = evolve(before, change)
  if (after.thread.status !== event.status) {
    throw new Error(`it says ${event.status}, but the log leads to ${after.thread.status}`)
  }
  into.lastEventId = event.event_id
  into.threads.set(event.thread_id, after)
  if (message !== null) {
    const { message_id, thread_id, seq } = message
    into.messages.set(message_id, { thread_id, seq })
    for (const { artifact_id } of message.artifacts) into.artifacts.add(artifact_id)
  }
  return before
}

function mustBeOfThread(before: ThreadState | null, event: LoggedEvent): void {
  if (before === null) return
  if (event.event_type === 'thread_send') throw new Error('its thread exists already')
  const { run_id, task_id } = before.thread
  if (event.run_id !== run_id || event.task_id !== task_id) {
    throw new Error('its run or task is not that of its thread')
  }
}

/** What each event says in its thread; a list names the kinds, null is silence. */
const SAYS: Record<EventType, 'anything' | readonly (MessageKind | null)[]> = {
  thread_send: 'anything',
  thread_append: 'anything',
  thread_reply: 'anything',
  thread_claim: ['event'],
  thread_renew: ['event', null],
  thread_update: ['progress', 'question'],
  thread_done: ['result'],
  thread_fail: ['result'],
  thread_cancel: ['control'],
  thread_lapse: [null],
  thread_read: [null],
  mail_send: 'anything',
  mail_append: 'anything',
  delivery_present: [null],
  delivery_read: [null],
  delivery_bounce: [null],
  delivery_expire: [null],
  delivery_take: [null],
  agent_register: [null],
  agent_declare: [null],
  person_add: [null],
  wake_start: [null],
  wake_end: [null],
}

function mustSpeak(event: LoggedEvent, message: Message | null): void {
  if (event.message_id !== (message?.message_id ?? null)) {
    throw new Error('the event names a message the line does not hold')
  }
  const says = SAYS[event.event_type]
  const fits = says === 'anything' ? message !== null : says.includes(message?.kind ?? null)
  if (!fits)
    throw new Error(`${event.event_type} does not go with ${message?.kind ?? 'no message'}`)
  // A blocked thread is shown with its question.
  if (event.event_type === 'thread_update') {
    const kind = event.status === 'blocked' ? 'question' : 'progress'
    if (message?.kind !== kind) throw new Error(`an update to ${event.status} says a ${kind}`)
  }
}

function mustBeNext(
  into: Admitted,
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
