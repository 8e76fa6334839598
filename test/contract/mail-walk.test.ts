// Random walks with mail: agents come and go, write to each other, to a role and to everyone, read, mark, answer and
// are asked to stop. After every step both engines must have answered as the model did, and every delivery must be in
// the model's state: none lost, none moved back. At the end the logs must equal the model's, and replaying them must
// reproduce the tables.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Client, connect, Refusal } from '../../src/index.ts'
import { DAWN } from '../worlds/store.ts'
import { compare, type Logged, MailModel, NOBODY_WROTE, type Step } from './mail-model.ts'
import { storeToWalk, WALKS, WALKS_LIMIT_MS } from './walks.ts'

const NAMES = ['ann', 'bob', 'cid'] as const
const agent = fc.constantFrom(...NAMES)
const anyone = fc.constantFrom(...NAMES, 'user')
const message = fc.oneof(
  { weight: 19, arbitrary: fc.nat({ max: 20 }) },
  { weight: 1, arbitrary: fc.constant(NOBODY_WROTE) },
)
const to = fc.constantFrom(...NAMES, ...NAMES, 'role:crew', 'role:crew', 'broadcast', 'user')
const status = fc.constantFrom('idle', 'idle', 'running', 'dormant', 'off')

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: record('register', { agent, role: fc.constantFrom('', 'crew', 'crew') }),
  },
  { weight: 3, arbitrary: record('declare', { agent, status }) },
  {
    weight: 8,
    arbitrary: record('send', {
      agent: anyone,
      to,
      type: fc.constantFrom('question', 'question', 'question', 'cancel'),
      seconds: fc.constantFrom(undefined, undefined, undefined, 30),
    }),
  },
  { weight: 4, arbitrary: record('answer', { agent: anyone, message }) },
  { weight: 5, arbitrary: record('read', { agent: anyone }) },
  { weight: 2, arbitrary: record('peek', { agent: anyone }) },
  { weight: 3, arbitrary: record('mark', { agent: anyone, message }) },
  { weight: 1, arbitrary: record('markAll', { agent: anyone }) },
  { weight: 1, arbitrary: record('sweep', {}) },
)

function record<F extends Record<string, fc.Arbitrary<unknown>>>(op: Step['op'], fields: F) {
  return fc.record({ op: fc.constant(op), ...fields }) as unknown as fc.Arbitrary<Step>
}

/** At least a millisecond, and sometimes long enough to outlast a sighting, a message's expiry or all evidence. */
const waitMs = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(1, 1000) },
  { weight: 2, arbitrary: fc.constantFrom(30_000, 60_000, 899_999, 900_000) },
)
const walk = fc.array(fc.tuple(step, waitMs), { minLength: 30, maxLength: 80 })

test(
  'both engines match the model in random walks with mail, and no delivery is lost or moves back',
  async () => {
    const property = fc.asyncProperty(walk, async (taken) => {
      const model = new MailModel()
      const walkers = await Promise.all([startWalker('sqlite'), startWalker('postgres')])
      try {
        for (const [planned, wait] of taken) {
          const one = aimed(model, planned)
          const said = 'message' in one ? model.said(one.message) : undefined
          const expected = { answer: model.take(one, wait), standing: model.standing() }
          const [sqlite, postgres] = await Promise.all(
            walkers.map((walker) => walker.take(one, said, wait)),
          )
          expect({ one, sqlite, postgres }).toEqual({ one, sqlite: expected, postgres: expected })
        }
        for (const walker of walkers) {
          expect(await walker.log()).toEqual(model.log.sort(byMoment))
          expect(await walker.replayed()).toBe(true)
        }
      } finally {
        await Promise.all(walkers.map((walker) => walker.end()))
      }
    })
    await fc.assert(property, WALKS)
  },
  WALKS_LIMIT_MS,
)

// A model that refuses every call would match any store.
test('random walks with mail reach every answer and every state of a delivery', () => {
  const outcomes = new Set<string>()
  const states = new Set<string>()
  for (const taken of fc.sample(walk, { numRuns: 300, seed: 1 })) {
    const model = new MailModel()
    for (const [planned, wait] of taken) {
      const one = aimed(model, planned)
      const answer = model.take(one, wait)
      outcomes.add(`${one.op} ${typeof answer === 'string' ? answer : 'answered'}`)
      for (const { state } of model.deliveries) states.add(state)
    }
  }
  const refusals = {
    declare: ['not_found'],
    send: ['not_found', 'invalid_state', 'invalid_input', 'forbidden'],
    answer: ['not_found', 'invalid_state', 'invalid_input', 'forbidden'],
    mark: ['not_found'],
  }
  const ops = ['register', 'declare', 'send', 'answer', 'read', 'peek', 'mark', 'markAll', 'sweep']
  expect([...outcomes].sort()).toEqual(
    [
      ...ops.map((op) => `${op} answered`),
      ...Object.entries(refusals).flatMap(([op, codes]) => codes.map((code) => `${op} ${code}`)),
    ].sort(),
  )
  expect([...states].sort()).toEqual(
    ['queued', 'presented', 'read', 'acted', 'bounced', 'expired'].sort(),
  )
})

/** Aims the step at an existing message, unless it's meant for a nonexistent one. */
function aimed(model: MailModel, step: Step): Step {
  if (!('message' in step) || step.message === NOBODY_WROTE) return step
  return { ...step, message: step.message % Math.max(1, model.messages.length) }
}

async function startWalker(engine: 'sqlite' | 'postgres') {
  const store = await storeToWalk(engine)
  const inbox = await connect(store.address)
  const threads: string[] = []
  const nameOf = async ([n, seq]: [number, number]) => {
    const [row] = await store.sql(
      'select message_id from messages where thread_id = ? and seq = ?',
      threads[n] ?? '',
      seq,
    )
    return (row?.message_id as string | undefined) ?? 'msg_none'
  }
  const since = (at: string) => Date.parse(at) - Date.parse(DAWN)
  const places = async (): Promise<Said> => {
    const rows = await store.sql('select message_id, thread_id, seq from messages')
    const found = new Map(rows.map((row) => [row.message_id, row]))
    return (messageId) => {
      const { thread_id, seq } = found.get(messageId) ?? {}
      return [numberOf(threads, thread_id as string), seq as number]
    }
  }
  const standing = async () => {
    const rows = await store.sql('select thread_id, seq, recipient, state from deliveries')
    return rows
      .map((row) => [
        numberOf(threads, row.thread_id as string),
        row.seq as number,
        row.recipient as string,
        row.state as string,
      ])
      .sort(compare)
  }
  return {
    async take(step: Step, at: [number, number] | undefined, waitMs: number) {
      await store.clock.advance(waitMs / 1000)
      const messageId = at === undefined ? '' : await nameOf(at)
      let answer: unknown
      try {
        answer = view(step, await call(inbox, step, messageId), await places())
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        answer = error.code
      }
      // This call changes nothing. It starts only once the previous call has completely finished.
      await inbox.status({})
      return { answer, standing: await standing() }
    },
    async log(): Promise<Logged[]> {
      const rows = await store.sql('select * from events order by event_id')
      const events = rows.map((row) => ({
        type: String(row.event_type),
        agent: String(row.agent),
        n: row.thread_id === '' ? -1 : numberOf(threads, String(row.thread_id)),
        at: since(String(row.created_at)),
      }))
      return events.sort(byMoment)
    },
    async replayed() {
      const { findings } = await inbox.doctor({})
      return findings.find(({ check }) => check === 'log')?.ok
    },
    async end() {
      await inbox.close()
      await store.remove()
    },
  }
}

type Answer = {
  agent?: { status: string }
  taken?: number
  bounced?: number
  message?: { id: string } | null
  recipients?: string[]
  messages?: { id: string; state: string; event_id: number }[]
  marked?: number
  unread?: number
  expired?: { message_id: string; recipient: string }[]
}

async function call(inbox: Client, step: Step, messageId: string): Promise<Answer> {
  switch (step.op) {
    case 'register':
      return inbox.agentRegister({ agent: step.agent, ...(step.role ? { role: step.role } : {}) })
    case 'declare':
      return inbox.agentStatus({ agent: step.agent, status: step.status })
    case 'send': {
      const { agent: from, to, type, seconds } = step
      return inbox.mailSend({ from, to, type, body: 'So', expires_seconds: seconds })
    }
    case 'answer':
      return inbox.mailSend({
        from: step.agent,
        type: 'answer',
        body: 'So',
        in_reply_to: messageId,
      })
    case 'read':
      return inbox.mailRead({ agent: step.agent })
    case 'peek':
      return inbox.mailPeek({ agent: step.agent })
    case 'mark':
      return inbox.mailMarkRead({ agent: step.agent, messages: [messageId] })
    case 'markAll':
      return inbox.mailMarkRead({ agent: step.agent, all: true })
    case 'sweep':
      return inbox.sweep({})
  }
}

type Said = (messageId: string) => (string | number)[]

/** Translates a store's answer into the model's form: threads by number, messages by position. */
function view(step: Step, answer: Answer, said: Said): unknown {
  switch (step.op) {
    case 'register':
      return { status: answer.agent?.status }
    case 'declare':
      return { status: answer.agent?.status, taken: answer.taken, bounced: answer.bounced }
    case 'send':
    case 'answer':
      return {
        said: said(answer.message?.id ?? ''),
        recipients: [...(answer.recipients ?? [])].sort(),
      }
    case 'read':
    case 'peek': {
      const places = (answer.messages ?? []).map(({ event_id }) => event_id)
      expect(places).toEqual([...places].sort((a, b) => a - b))
      return (answer.messages ?? []).map(({ id, state }) => [...said(id), state]).sort(compare)
    }
    case 'mark':
    case 'markAll':
      return { marked: answer.marked, unread: answer.unread }
    case 'sweep': {
      const expired = answer.expired ?? []
      return expired
        .map(({ message_id, recipient }) => [...said(message_id), recipient])
        .sort(compare)
    }
  }
}

function numberOf(names: string[], name: string): number {
  if (!names.includes(name)) names.push(name)
  return names.indexOf(name)
}

function byMoment(a: Logged, b: Logged): number {
  return compare([a.at, a.n, a.type, a.agent], [b.at, b.n, b.type, b.agent])
}
