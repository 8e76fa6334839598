import { type StoreEvent, type ThreadEvent, timeInLog } from '../core/event.ts'
import type { NewDelivery } from '../core/inbox/delivery.ts'
import { deliveriesOf } from '../core/inbox/delivery-steps.ts'
import type { ThreadState } from '../core/threads/evolve.ts'
import type { Instant } from '../core/time.ts'

export type EventRow = {
  run_id: string
  task_id: string
  thread_id: string
  source: string
  event_type: string
  agent: string
  status: string
  message_id: string | null
  summary: string
  payload_json: string
  created_at: Instant
  /** Stored with the event's id, which is known only when the event is appended. */
  deliveries: NewDelivery[]
}

export function eventRow(after: ThreadState, event: ThreadEvent): EventRow {
  const { type, ...facts } = event.facts
  return {
    run_id: event.run_id,
    task_id: event.task_id,
    thread_id: event.thread_id,
    source: 'inbox',
    event_type: type,
    agent: event.agent,
    status: after.thread.status,
    message_id: event.message?.message_id ?? null,
    summary: event.summary,
    payload_json: contentOf(event, facts),
    created_at: timeInLog(event),
    deliveries: deliveriesOf(event),
  }
}

export function storeEventRow(event: StoreEvent): EventRow {
  const { agent, summary = '' } = event
  const { type, ...facts } = event.facts
  return {
    run_id: '',
    task_id: '',
    thread_id: '',
    source: 'inbox',
    event_type: type,
    agent,
    status: '',
    message_id: null,
    summary,
    payload_json: contentOf(event, facts),
    created_at: timeInLog(event),
    deliveries: [],
  }
}

/** For most events, the time in the log is when they happened, so it isn't stored twice. */
function contentOf(event: ThreadEvent | StoreEvent, facts: object): string {
  const isInTime = timeInLog(event) === event.at
  return JSON.stringify(isInTime ? facts : { ...facts, at: event.at })
}
