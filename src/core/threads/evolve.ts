// The one place where the state of a thread and its lease changes: (state, event) -> state. Live writes and
// replay both use it. Deliveries are folded for replay in core and written by SQL in src/store; replay compares the
// two.

import { EVENTS, type ThreadEvent } from '../event.ts'
import { KINDS, type Move, type ThreadKind, type ThreadStatus } from '../kinds.ts'
import { plusSeconds } from '../time.ts'
import type { Lease } from './lease.ts'
import { statusAfter, type Thread } from './thread.ts'

export type ThreadState = { thread: Thread; lease: Lease | null }

export type ReadMark = {
  thread_id: string
  agent_id: string
  last_read_message_id: string
  last_read_seq: number
  last_read_at: string
}

export function evolve(state: ThreadState | null, event: ThreadEvent): ThreadState {
  const { facts } = event
  const { begins } = EVENTS[facts.type]
  if (begins !== undefined) return firstState(event, begins)
  if (state === null) throw new Error(`${facts.type} for a thread that does not exist`)
  const status = statusAfter(state.thread, moveOf(event))
  if (status === undefined) {
    const { kind, status } = state.thread
    throw new Error(`${facts.type} is not legal on a ${status} thread of ${kind}`)
  }
  const thread = advance(state.thread, event, status)
  return { thread, lease: evolveLease(state.lease, event) }
}

export function readMarkOf(event: ThreadEvent): ReadMark | null {
  if (event.facts.type !== 'thread_read') return null
  return {
    thread_id: event.thread_id,
    agent_id: event.agent,
    last_read_message_id: event.facts.message_id,
    last_read_seq: event.facts.seq,
    last_read_at: event.at,
  }
}

function moveOf({ facts, message }: ThreadEvent): Move {
  if (facts.type === 'thread_update') return facts.status === 'blocked' ? 'block' : 'start'
  if ('keeps_blocked' in facts && facts.keeps_blocked) return 'note'
  return EVENTS[facts.type].move ?? (message?.kind === 'answer' ? 'answer' : 'note')
}

function firstState(event: ThreadEvent, kind: ThreadKind): ThreadState {
  const { facts } = event
  if (event.message === null) throw new Error('a thread begins with a message')
  const thread: Thread = {
    thread_id: event.thread_id,
    run_id: event.run_id,
    task_id: event.task_id,
    // A push's facts never contain text, so that deleting the push removes all of its text.
    subject: 'subject' in facts ? facts.subject : event.summary,
    created_by: event.agent,
    assigned_to: ('assigned_to' in facts && facts.assigned_to) || '',
    status: KINDS[kind].first,
    priority: 'priority' in facts ? facts.priority : 'normal',
    latest_message_id: event.message.message_id,
    message_count: 1,
    created_at: event.at,
    // Imported mail keeps its original date.
    updated_at: (facts.type === 'mail_send' && facts.written_at) || event.at,
    kind,
  }
  return { thread, lease: null }
}

function advance(thread: Thread, event: ThreadEvent, status: ThreadStatus): Thread {
  // Reading changes only the reader's mark, not the thread.
  if (moveOf(event) === 'read') return thread
  const said = event.message
  return {
    ...thread,
    status,
    subject: EVENTS[event.facts.type].erases ? '' : thread.subject,
    assigned_to: assigneeAfter(thread, event),
    latest_message_id: said?.message_id ?? thread.latest_message_id,
    message_count: said?.seq ?? thread.message_count,
    updated_at: event.at,
  }
}

function assigneeAfter({ assigned_to }: Thread, { facts, agent }: ThreadEvent): string {
  if (facts.type === 'thread_claim') return agent
  return facts.type === 'thread_lapse' ? (facts.assigned_to ?? assigned_to) : assigned_to
}

function evolveLease(lease: Lease | null, event: ThreadEvent): Lease | null {
  const { facts, at } = event
  switch (facts.type) {
    case 'thread_claim':
      return {
        thread_id: event.thread_id,
        agent_id: event.agent,
        lease_token: facts.lease_token,
        generation: (lease?.generation ?? 0) + 1,
        lease_seconds: facts.lease_seconds,
        claimed_at: at,
        expires_at: plusSeconds(at, facts.lease_seconds),
        released_at: null,
      }
    case 'thread_renew':
    case 'thread_update': {
      const { lease_seconds } = facts
      if (lease_seconds === undefined) return lease
      if (lease === null) throw new Error('renewal of a lease that does not exist')
      return { ...lease, lease_seconds, expires_at: plusSeconds(at, lease_seconds) }
    }
    case 'thread_lapse':
      if (lease === null) throw new Error('lapse of a lease that does not exist')
      return { ...lease, generation: lease.generation + 1, released_at: at }
    case 'thread_done':
    case 'thread_fail':
    case 'thread_cancel':
      return lease === null || lease.released_at !== null ? lease : { ...lease, released_at: at }
    default:
      return lease
  }
}
