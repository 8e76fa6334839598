// The log as witness: fold every event through the same function that made the state, and compare
// with what the tables hold. A difference means a write that bypassed the log, or a lost one.

import type { Facts, LoggedEvent, ThreadEvent } from './event.ts'
import { evolve, type ReadMark, readMarkOf, type ThreadState } from './evolve.ts'
import type { Message } from './message.ts'

export type Replayed = {
  threads: Map<string, ThreadState>
  reads: Map<string, ReadMark>
  /** Messages an event speaks of; every stored message must be among them. */
  messages: Set<string>
  problems: string[]
}

export function emptyReplay(): Replayed {
  return { threads: new Map(), reads: new Map(), messages: new Set(), problems: [] }
}

/** Adds one event to the replayed state. Messages are immutable, so they are read, not replayed. */
export function replayEvent(into: Replayed, logged: LoggedEvent, message: Message | null): void {
  const event = toEvent(logged, message)
  if (logged.message_id !== null && message === null) {
    into.problems.push(`event ${logged.event_id}: message ${logged.message_id} is missing`)
  }
  try {
    const after = evolve(into.threads.get(logged.thread_id) ?? null, event)
    if (after.thread.status !== logged.status) {
      into.problems.push(
        `event ${logged.event_id}: says ${logged.status}, but the log leads to ${after.thread.status}`,
      )
    }
    into.threads.set(logged.thread_id, after)
  } catch (error) {
    into.problems.push(`event ${logged.event_id}: ${(error as Error).message}`)
    return
  }
  if (logged.message_id !== null) into.messages.add(logged.message_id)
  const mark = readMarkOf(event)
  if (mark !== null) into.reads.set(readKey(mark), mark)
}

export function readKey(mark: Pick<ReadMark, 'thread_id' | 'agent_id'>): string {
  return `${mark.thread_id} ${mark.agent_id}`
}

export function toEvent(logged: LoggedEvent, message: Message | null): ThreadEvent {
  const { thread_id, run_id, task_id, agent, summary, created_at: at } = logged
  const facts = { type: logged.event_type, ...JSON.parse(logged.payload_json) } as Facts
  return { thread_id, run_id, task_id, agent, at, summary, message, facts }
}

/** The names of the fields in which two records differ. */
export function differences<T extends object>(have: T, want: T): string[] {
  const keys = new Set([...Object.keys(have), ...Object.keys(want)]) as Set<keyof T & string>
  return [...keys].filter((key) => have[key] !== want[key])
}
