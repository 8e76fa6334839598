// Walks the whole ladder: every state, every step, and every way a step can name a delivery.

import { expect, test } from 'bun:test'
import {
  DELIVERY_STATES,
  type Delivery,
  type DeliveryState,
  hasReached,
  LADDER,
  LEVELS,
  mayBecome,
} from './delivery.ts'
import { type Also, type Step, stepAll, stepDelivery } from './delivery-steps.ts'

const SENT = '2026-03-01T08:00:00.000Z'
const LATER = '2026-03-01T09:00:00.000Z'

function inState(state: DeliveryState): Delivery {
  return {
    recipient: 'ann',
    event_id: 7,
    message_id: 'msg_1',
    thread_id: 'thr_1',
    seq: 3,
    kind: 'question',
    state,
    queued_at: SENT,
    expires_at: null,
    ended_at: null,
    reason: null,
    presented_at: null,
    presented_by: null,
    read_at: null,
    read_by: null,
    acted_at: null,
    acted_by: null,
    unread_at: null,
  }
}

const STEPS: Step[] = [
  { to: 'presented', recipient: 'ann', messages: ['msg_1'], by: 'cli' },
  { to: 'read', recipient: 'ann', messages: ['msg_0', 'msg_1'], by: 'mark' },
  { to: 'read', recipient: 'ann', upto: 3, by: 'show' },
  { to: 'acted', recipient: 'ann', by: 'mail_append', also: { messages: ['msg_1'] } },
  { to: 'bounced', recipient: 'ann', messages: ['msg_1'], reason: 'off' },
  { to: 'expired', recipient: 'ann', messages: ['msg_1'], reason: 'late' },
  { to: 'expired', recipient: 'ann', reason: 'claimed by bob' },
  { to: 'taken', recipient: 'ann', messages: ['msg_1'] },
  { to: 'unread', recipient: 'ann', messages: ['msg_1'] },
  { to: 'removed', recipient: 'ann' },
]
const CASES = DELIVERY_STATES.flatMap((state) => STEPS.map((step) => ({ state, step })))

/** How far along a state is; the final states rank equal. */
const RANK = { queued: 0, presented: 1, read: 2, acted: 3, bounced: 3, expired: 3 }

test('the ladder has every state, and every step leads up', () => {
  expect(Object.keys(LADDER)).toEqual([...DELIVERY_STATES])
  for (const from of DELIVERY_STATES) {
    for (const to of DELIVERY_STATES) {
      if (mayBecome(from, to)) expect(RANK[to]).toBeGreaterThan(RANK[from])
    }
  }
  const ends = DELIVERY_STATES.filter((state) => LADDER[state].length === 0)
  expect(ends).toEqual(['acted', 'bounced', 'expired'])
})

test('every step moves every state as the ladder says, or not at all', () => {
  for (const { state, step } of CASES) {
    const before = inState(state)
    const after = stepDelivery(before, step, LATER)
    if (step.to === 'taken') {
      expect(after).toBe(state === 'queued' ? null : before)
    } else if (step.to === 'removed') {
      expect(after).toBeNull()
    } else if (step.to === 'unread') {
      const isRead = state === 'read' || state === 'acted'
      expect(after).toEqual(isRead ? { ...before, unread_at: LATER } : before)
    } else if (mayBecome(state, step.to)) {
      expect({ ...after, ...untold(before, step.to) }).toEqual(before)
      expect(after?.state).toBe(step.to)
      expect(told(after, step.to)).toEqual([LATER, 'by' in step ? step.by : step.reason])
    } else {
      expect(after).toBe(before)
    }
  }
})

test('no two consecutive steps move a delivery back', () => {
  for (const { state, step } of CASES) {
    const once = stepDelivery(inState(state), step, SENT)
    for (const next of STEPS) {
      const twice = once && stepDelivery(once, next, LATER)
      if (once && twice) expect(RANK[twice.state]).toBeGreaterThanOrEqual(RANK[once.state])
    }
  }
})

test('a step does not affect other recipients, other messages or later ones', () => {
  for (const { state, step } of CASES) {
    const elsewhere = { ...inState(state), recipient: 'bob' }
    expect(stepDelivery(elsewhere, step, LATER)).toBe(elsewhere)
    const other = { ...inState(state), message_id: 'msg_2' }
    if ('messages' in step) expect(stepDelivery(other, step, LATER)).toBe(other)
    const later = { ...inState(state), seq: 4 }
    if ('upto' in step) expect(stepDelivery(later, step, LATER)).toBe(later)
  }
})

const SAID = { to: 'acted', recipient: 'ann', by: 'thread_reply' } as const
const ALSO: Also[] = [{ messages: [] }, { messages: ['msg_2'] }, 'first', 'question']

test('a writer has acted on mail it was shown, but not on queued mail', () => {
  for (const state of DELIVERY_STATES) {
    for (const also of ALSO) {
      const after = stepDelivery(inState(state), { ...SAID, also }, LATER)
      const isShown = state === 'presented' || state === 'read'
      expect(after?.state).toBe(isShown ? 'acted' : state)
    }
  }
})

test('acts on named, first and answered messages even if queued', () => {
  const place = (seq: number, kind: Delivery['kind'], state: DeliveryState): Delivery => ({
    ...inState(state),
    seq,
    message_id: `msg_${seq}`,
    kind,
  })
  const after = (also: Also, inbox: Delivery[]) =>
    stepAll(inbox, { ...SAID, also }, LATER).map(({ state }) => state)
  const queued = [
    place(1, 'question', 'queued'),
    place(2, 'question', 'queued'),
    place(3, 'progress', 'queued'),
  ]
  expect(after({ messages: ['msg_3'] }, queued)).toEqual(['queued', 'queued', 'acted'])
  expect(after('first', queued)).toEqual(['acted', 'queued', 'queued'])
  expect(after('question', queued)).toEqual(['queued', 'acted', 'queued'])
  expect(after('question', queued.slice(2))).toEqual(['queued'])
  for (const shown of ['presented', 'read'] as const) {
    const inbox = [place(1, 'question', shown), ...queued.slice(1)]
    expect(after('question', inbox)).toEqual(['acted', 'queued', 'queued'])
  }
  const again = [place(1, 'question', 'queued'), place(2, 'question', 'acted')]
  expect(after('question', again)).toEqual(['queued', 'acted'])
})

test('a wait for a state ends at that state or a later one, but not at bounced or expired', () => {
  const reached = (state: DeliveryState) => LEVELS.filter((level) => hasReached(state, level))
  expect(DELIVERY_STATES.map(reached)).toEqual([
    [],
    ['presented'],
    ['presented', 'read'],
    ['presented', 'read', 'acted'],
    [],
    [],
  ])
})

/** The time and the evidence of the step, as stored in the delivery. */
function told(delivery: Delivery | null, to: DeliveryState): unknown[] {
  if (to === 'presented') return [delivery?.presented_at, delivery?.presented_by]
  if (to === 'read') return [delivery?.read_at, delivery?.read_by]
  if (to === 'acted') return [delivery?.acted_at, delivery?.acted_by]
  return [delivery?.ended_at, delivery?.reason]
}

/** The fields that a step to this state writes, with their earlier values. */
function untold(before: Delivery, to: DeliveryState): Partial<Delivery> {
  const { state, presented_at, presented_by, read_at, read_by, acted_at, acted_by } = before
  if (to === 'presented') return { state, presented_at, presented_by }
  if (to === 'read') return { state, read_at, read_by }
  if (to === 'acted') return { state, acted_at, acted_by }
  return { state, ended_at: before.ended_at, reason: before.reason }
}
