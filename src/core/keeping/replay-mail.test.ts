// Random mail decisions: no delivery moves backward or gets lost, import admits the log, and replaying it gives the
// state the decisions led to.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { AGENTS } from '../agents/agent-record.ts'
import { PEOPLE } from '../agents/person-record.ts'
import type { LoggedEvent, ThreadEvent } from '../event.ts'
import type { Delivery } from '../inbox/delivery.ts'
import { post, postIn, step, takeFromQueue } from '../mail/mail.ts'
import { rowsOf } from '../record.ts'
import type { StoreFacts } from '../records.ts'
import { evolve, type ThreadState } from '../threads/evolve.ts'
import type { Message } from '../threads/message.ts'
import { plusSeconds } from '../time.ts'
import { admit, startAdmitting } from './admit.ts'
import { applyToDeliveries, emptyReplay, replayEvent } from './replay.ts'

const DAWN = '2026-03-01T08:00:00.000Z'
const QUEUE = 'role:builder'
const NAMES = ['ann', 'bob', QUEUE]
const WORDS = { summary: 'So', body: '', payload_json: '{}', artifacts: [] }

type Entry = { event: LoggedEvent; message: Message | null }

type Act =
  | { act: 'say'; from: string; to: string[]; answers: number }
  | { act: 'present' | 'read' | 'bounce' | 'expire'; who: string; which: number }
  | { act: 'take'; who: string }

const name = fc.constantFrom('ann', 'bob')
const someone = fc.constantFrom(...NAMES)
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    act: fc.constant('say' as const),
    from: name,
    to: fc.uniqueArray(someone, { minLength: 0, maxLength: 3 }),
    answers: fc.nat({ max: 5 }),
  }),
  fc.record({
    act: fc.constantFrom('present' as const, 'read' as const, 'bounce' as const, 'expire' as const),
    who: name,
    which: fc.nat({ max: 5 }),
  }),
  fc.record({ act: fc.constant('take' as const), who: name }),
)
const walk = fc.array(act, { minLength: 1, maxLength: 30 })

/** The events that result from the acts. Acts with nothing to act on are skipped. */
function live(acts: Act[]) {
  const first = post(
    {
      thread_id: 'thr_1',
      from: 'ann',
      address: 'role:builder',
      recipients: [QUEUE],
      kind: 'question',
      words: WORDS,
      expires_at: null,
    },
    { now: DAWN, messageId: 'msg_0', artifactIds: [] },
  )
  const log: Entry[] = []
  const inboxes = new Map<string, Delivery[]>()
  const counts: number[] = []
  let state: ThreadState = evolve(null, first)
  const note = (event: ThreadEvent) => {
    const { type, ...facts } = event.facts
    const event_id = log.length + 1
    log.push({
      event: {
        event_id,
        thread_id: 'thr_1',
        run_id: '',
        task_id: '',
        source: 'inbox',
        event_type: type,
        agent: event.agent,
        status: state.thread.status,
        message_id: event.message?.message_id ?? null,
        summary: event.summary,
        payload_json: JSON.stringify(facts),
        created_at: event.at,
      },
      message: event.message,
    })
    applyToDeliveries(inboxes, event, { event_id, assignee: null })
    counts.push([...inboxes.values()].flat().length)
  }
  note(first)
  for (const [i, one] of acts.entries()) {
    const event = decide(state, inboxes, one, i + 1)
    if (event === null) continue
    state = evolve(state, event)
    note(event)
  }
  return { log, inboxes, counts }
}

function decide(state: ThreadState, inboxes: Map<string, Delivery[]>, one: Act, n: number) {
  const now = plusSeconds(DAWN, n)
  const inbox = (who: string) => inboxes.get(`thr_1 ${who}`) ?? []
  if (one.act === 'say') {
    const { from, to: recipients, answers } = one
    const posting = {
      from,
      address: 'broadcast',
      recipients,
      kind: 'answer' as const,
      words: { ...WORDS, in_reply_to: inbox(from)[answers]?.message_id },
    }
    const at = { now, messageId: `msg_${n}`, artifactIds: [] }
    return postIn(state, { ...posting, expires_at: null }, at)
  }
  const recipient = one.who
  if (one.act === 'take') {
    const queued = inbox(QUEUE).find((delivery) => delivery.state === 'queued')
    if (queued === undefined) return null
    const { message_id, seq, kind, expires_at } = queued
    const taken = [{ message_id, seq, kind, expires_at }]
    return takeFromQueue(state.thread, { recipient, from: QUEUE, taken }, now)
  }
  const messages = inbox(recipient)
    .slice(0, one.which + 1)
    .map(({ message_id }) => message_id)
  if (messages.length === 0) return null
  const move = {
    present: { type: 'delivery_present', by: 'cli' },
    read: { type: 'delivery_read', by: 'mark' },
    bounce: { type: 'delivery_bounce', reason: 'off' },
    expire: { type: 'delivery_expire', reason: 'late' },
  } as const
  return step(state.thread, move[one.act], { recipient, messages: [...new Set(messages)] }, now)
}

test('deliveries never move back or get lost, and the log can be imported and replayed', () => {
  fc.assert(
    fc.property(walk, (acts) => {
      const { log, inboxes, counts } = live(acts)
      const replayed = emptyReplay()
      const admitted = startAdmitting()
      const rank = { queued: 0, presented: 1, read: 2, acted: 3, bounced: 3, expired: 3 }
      const reached = new Map<string, number>()
      for (const entry of log) {
        replayEvent(replayed, entry.event, entry.message)
        admit(admitted, entry)
        for (const { recipient, event_id, state } of [...replayed.deliveries.values()].flat()) {
          const key = `${recipient} ${event_id}`
          expect(rank[state]).toBeGreaterThanOrEqual(reached.get(key) ?? 0)
          reached.set(key, rank[state])
        }
      }
      expect(replayed.problems).toEqual([])
      expect(replayed.deliveries).toEqual(inboxes)
      expect(admitted.deliveries).toEqual(inboxes)
      // Taking mail moves a delivery to another inbox and writing adds deliveries; nothing else changes their number.
      expect(counts).toEqual([...counts].sort((a, b) => a - b))
      const named = log.map(({ event }) => JSON.parse(event.payload_json).recipients?.length ?? 0)
      expect(counts.at(-1)).toBe(named.reduce((sum, n) => sum + n, 0))
    }),
  )
})

test('replays agents, people and wakes, and reports impossible events', () => {
  const log = (facts: StoreFacts[]) =>
    facts.map(({ type, ...rest }, i): LoggedEvent => {
      const where = {
        thread_id: '',
        run_id: '',
        task_id: '',
        status: '',
        message_id: null,
      } as const
      const what = { event_type: type, agent: 'ann', summary: '', source: 'inbox' }
      const when = { event_id: i + 1, created_at: plusSeconds(DAWN, i) }
      return { ...where, ...what, ...when, payload_json: JSON.stringify(rest) }
    })
  const replay = (facts: StoreFacts[]) => {
    const into = emptyReplay()
    for (const event of log(facts)) replayEvent(into, event, null)
    return into
  }
  const told = replay([
    REGISTER,
    { type: 'agent_declare', agent_id: 'ann', status: 'off' },
    { ...REGISTER, role: 'critic' },
    { type: 'person_add', person_id: 'user:eve' },
    { type: 'person_add', person_id: 'user:eve' },
  ])
  expect(told.problems).toEqual([])
  expect(rowsOf(told.records, AGENTS).get('ann')).toMatchObject({
    role: 'critic',
    declared_status: 'off',
    registered_at: DAWN,
    updated_at: plusSeconds(DAWN, 2),
  })
  expect([...rowsOf(told.records, PEOPLE).values()]).toEqual([
    { person_id: 'user:eve', added_at: plusSeconds(DAWN, 3) },
  ])
  const wrong = replay([{ type: 'agent_declare', agent_id: 'ann', status: 'off' }])
  expect(wrong.problems[0]).toContain('agent_declare: that agent is not there')
})

const REGISTER: Extract<StoreFacts, { type: 'agent_register' }> = {
  type: 'agent_register',
  agent_id: 'ann',
  role: 'builder',
  source: 'agent',
  wake: {},
  parent_agent_id: null,
  paired_person: null,
  may_write_to_user: false,
}
