// Writes the effects of a thread's event to the thread tables.

import { EVENTS, type ThreadEvent } from '../core/event.ts'
import { type Step, stepsOf } from '../core/inbox/delivery-steps.ts'
import { readMarkOf, type ThreadState } from '../core/threads/evolve.ts'
import { priorityRank } from '../core/threads/work.ts'
import type { Instant } from '../core/time.ts'
import type { Write } from './querier.ts'

export function writesFor(
  before: ThreadState | null,
  after: ThreadState,
  event: ThreadEvent,
): Write[] {
  const writes: Write[] = []
  const { thread, lease } = after
  if (before === null) {
    const priority_rank = priorityRank(thread.priority)
    writes.push({ query: 'thread_insert', params: { ...thread, priority_rank } })
  } else if (thread !== before.thread) {
    writes.push({ query: 'thread_update', params: { ...thread } })
  }
  if (event.message !== null) {
    const { artifacts, ...message } = event.message
    writes.push({ query: 'message_insert', params: message })
    for (const artifact of artifacts) writes.push({ query: 'artifact_insert', params: artifact })
  }
  if (lease !== null && lease !== before?.lease) {
    writes.push({ query: 'lease_put', params: { ...lease } })
  }
  const mark = readMarkOf(event)
  if (mark !== null) writes.push({ query: 'read_mark_put', params: { ...mark } })
  if (before !== null) {
    for (const step of stepsOf(event, before.thread.assigned_to)) {
      writes.push(writeFor(step, thread.thread_id, event.at))
    }
  }
  if (EVENTS[event.facts.type].erases) writes.push(...eraseWrites(thread.thread_id))
  if (EVENTS[event.facts.type].trims) writes.push(trimWrite(thread.thread_id))
  return writes
}

/** Does to all of a thread's deliveries what core/inbox/delivery-steps.ts does to one of them. */
function writeFor(step: Step, thread_id: string, at: Instant): Write {
  const common = { thread_id, recipient: step.recipient, at }
  switch (step.to) {
    case 'presented':
      return {
        query: 'deliveries_present',
        params: { ...common, messages: step.messages, by: step.by },
      }
    case 'read':
      return {
        query: 'deliveries_read',
        params: {
          ...common,
          by: step.by,
          messages: 'messages' in step ? step.messages : undefined,
          upto: 'upto' in step ? step.upto : undefined,
        },
      }
    case 'acted':
      if ('messages' in step) {
        return {
          query: 'deliveries_act_on',
          params: { ...common, by: step.by, messages: step.messages },
        }
      }
      return {
        query: 'deliveries_act',
        params: {
          ...common,
          by: step.by,
          messages:
            typeof step.also === 'string' || step.also.messages.length === 0
              ? undefined
              : step.also.messages,
          seq: step.also === 'first' ? 1 : undefined,
          question: step.also === 'question' ? step.also : undefined,
        },
      }
    case 'unread':
      return { query: 'deliveries_keep_unread', params: { ...common, messages: step.messages } }
    case 'removed':
      return { query: 'deliveries_remove', params: { thread_id, recipient: step.recipient } }
    case 'taken':
      return {
        query: 'deliveries_take',
        params: { thread_id, recipient: step.recipient, messages: step.messages },
      }
    default:
      return {
        query: 'deliveries_end',
        params: {
          ...common,
          state: step.to,
          reason: step.reason,
          messages: 'messages' in step ? step.messages : undefined,
        },
      }
  }
}

/**
 * Permanently deletes everything said in a thread. The remaining rows say who wrote to whom and when, so that the log
 * can still be replayed.
 */
function eraseWrites(thread_id: string): Write[] {
  return [
    { query: 'erase_thread', params: { thread_id } },
    { query: 'artifacts_delete', params: { thread_id } },
    { query: 'erase_messages', params: { thread_id } },
    { query: 'erase_events', params: { thread_id } },
    { query: 'erase_keys', params: { named: `%"thread_id":"${thread_id}"%` } },
  ]
}

/** Removes the contents of a thread's messages to save space. This isn't deletion: copies may remain. */
function trimWrite(thread_id: string): Write {
  return { query: 'trim_messages', params: { thread_id } }
}
