// Applies every step to every state of a delivery, in the store's SQL and in core, which must agree. Can load the
// sources from elsewhere, for tests that remove a guard.

import { join } from 'node:path'
import type { Mailroom } from '../../src/bin/compose.ts'
import type { ThreadEvent } from '../../src/core/event.ts'
import {
  DELIVERY_STATES,
  type Delivery,
  type DeliveryState,
} from '../../src/core/inbox/delivery.ts'
import { applyToDeliveries } from '../../src/core/keeping/replay.ts'
import { post, postIn, step, takeFromQueue } from '../../src/core/mail/mail.ts'
import { markRead } from '../../src/core/threads/commands.ts'
import type { ThreadState } from '../../src/core/threads/evolve.ts'

const SOURCE = join(import.meta.dir, '../../src')
const QUEUE = 'role:crew'
const WORDS = { summary: 'So', body: '', payload_json: '{}', artifacts: [] }

const ACTS = ['present', 'read', 'show', 'speak', 'answer', 'bounce', 'expire', 'take'] as const
type Act = (typeof ACTS)[number]

/** How a delivery gets to each state. */
const WAYS: Record<DeliveryState, Act[]> = {
  queued: [],
  presented: ['present'],
  read: ['present', 'read'],
  acted: ['answer'],
  bounced: ['bounce'],
  expired: ['present', 'expire'],
}

/** Where the store and core disagree: the state, the step, and the store's result. */
export async function ladderFaults(address: string, source: string = SOURCE): Promise<string[]> {
  const { openMailroom } = (await import(join(source, 'bin/compose.ts'))) as {
    openMailroom: (address: string) => Promise<Mailroom>
  }
  const mailroom = await openMailroom(address)
  const faults: string[] = []
  try {
    for (const state of DELIVERY_STATES) {
      for (const act of ACTS) {
        const { have, want } = await walk(mailroom, [...WAYS[state], act])
        if (Bun.deepEquals(have, want)) continue
        faults.push(`${state}, then ${act}: ${have.map((one) => one.state).join(', ')}`)
      }
    }
  } finally {
    await mailroom.close()
  }
  return faults
}

async function walk({ store, makeId }: Mailroom, acts: Act[]) {
  const recipient = acts.includes('take') ? QUEUE : 'ann'
  const folded = new Map<string, Delivery[]>()
  const record = async (decide: (now: string) => [ThreadState | null, ThreadEvent]) => {
    let event: ThreadEvent | undefined
    const { value, eventId } = await store.write(async (tx) => {
      const [before, decided] = decide(await tx.now())
      event = decided
      return tx.record(before, decided)
    })
    applyToDeliveries(folded, event as ThreadEvent, { event_id: eventId, assignee: null })
    return value
  }
  const at = (now: string) => ({ now, messageId: makeId('message'), artifactIds: [] })
  const posting = { address: 'ann', kind: 'question' as const, words: WORDS, expires_at: null }
  let state = await record((now) => [
    null,
    post(
      { ...posting, thread_id: makeId('thread'), from: 'bob', recipients: [recipient] },
      at(now),
    ),
  ])
  const { thread_id, latest_message_id: message_id } = state.thread
  const which = { recipient, messages: [message_id] }
  for (const act of acts) {
    state = await record((now) => [state, eventOf(act, state, now)])
  }
  const byPlace = (a: Delivery, b: Delivery) => a.event_id - b.event_id
  const have = (await store.deliveriesOf({ thread_id })).sort(byPlace)
  return { have, want: [...folded.values()].flat().sort(byPlace) }

  function eventOf(act: Act, { thread, ...rest }: ThreadState, now: string): ThreadEvent {
    switch (act) {
      case 'present':
        return step(thread, { type: 'delivery_present', by: 'cli' }, which, now)
      case 'read':
        return step(thread, { type: 'delivery_read', by: 'mark' }, which, now)
      case 'show':
        return markRead({ thread, ...rest }, { agent: recipient, message_id, seq: 1 }, now)
      case 'speak':
      case 'answer': {
        const words = act === 'answer' ? { ...WORDS, in_reply_to: message_id } : WORDS
        const answer = { ...posting, words, from: recipient, recipients: [] }
        return postIn({ thread, ...rest }, answer, at(now))
      }
      case 'bounce':
        return step(thread, { type: 'delivery_bounce', reason: 'off' }, which, now)
      case 'expire':
        return step(thread, { type: 'delivery_expire', reason: 'late' }, which, now)
      case 'take': {
        const taken = [{ message_id, seq: 1, kind: posting.kind, expires_at: null }]
        return takeFromQueue(thread, { recipient: 'cid', from: QUEUE, taken }, now)
      }
    }
  }
}
