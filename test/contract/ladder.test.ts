// Random walks over the ladder: agents write, look, mark, answer, take work, go and come back, and time
// passes. After every step each delivery is where it was or further up, never further than what has
// happened to it, and none is gone. The test keeps what happened by itself, from what it asked and was
// told, and looks at the tables behind the operations.
//
// MAILROOM_WALKS sets how many; MAILROOM_WALK_SEED repeats one.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type DeliveryState, LADDER } from '../../src/core/delivery.ts'
import { type Client, connect, Refusal } from '../../src/index.ts'
import { type Engine, freshStore, type TestStore } from '../worlds/store.ts'

const WALKS = Number(process.env.MAILROOM_WALKS ?? 25)
const SEED = process.env.MAILROOM_WALK_SEED

const agent = fc.constantFrom('ann', 'bob', 'cid', 'dan')
const to = fc.constantFrom(
  ...[
    'ann',
    'bob',
    'cid',
    'dan',
    'role:builder',
    'role:tester',
    'broadcast',
    'user',
    'orchestrator',
  ],
)
const nth = fc.nat({ max: 30 })

type Step =
  | { op: 'send'; from: string; to: string; expires: number | undefined }
  | { op: 'task' | 'claim'; agent: string; to: string; nth: number }
  | { op: 'answer' | 'mark'; agent: string; nth: number }
  | { op: 'read' | 'peek' | 'mark all' | 'off' | 'on'; agent: string }
  | { op: 'look'; agent: string }
  | { op: 'sweep' }

const expires = fc.constantFrom(undefined, undefined, 5)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ op: fc.constant('send' as const), from: agent, to, expires }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ op: fc.constantFrom('task' as const, 'claim'), agent, to: agent, nth }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ op: fc.constantFrom('answer' as const, 'mark'), agent, nth }),
  },
  { weight: 5, arbitrary: fc.record({ op: fc.constant('read' as const), agent }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constantFrom('peek' as const, 'look'), agent }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('mark all' as const), agent }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constantFrom('off' as const, 'on', 'on'), agent }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('sweep' as const) }) },
)
/** Now and then as long as a message lives, or as nobody is believed to be there any more. */
const seconds = fc.constantFrom(0.001, 0.001, 1, 1, 5, 1000)
const walk = fc.array(fc.tuple(step, seconds), { minLength: 25, maxLength: 60 })

type Row = {
  recipient: string
  event_id: number
  message_id: string
  thread_id: string
  state: DeliveryState
  presented_at: string | null
  read_at: string | null
  acted_at: string | null
  ended_at: string | null
  reason: string | null
  expires_at: string | null
}

const keyOf = ({ recipient, event_id }: Row) => `${recipient} ${event_id}`
const isUnread = ({ state }: Row) => state === 'queued' || state === 'presented'

/** All that has happened, as the walker knows it: `who what`. */
type Happened = Record<'shown' | 'marked' | 'spoke' | 'claimed', Set<string>> & { off: Set<string> }

const reached = new Set<string>()

test.each(['sqlite', 'postgres'] as const)(
  '[%s] no delivery goes down, none goes further than it is, none is lost',
  async (engine) => {
    const property = fc.asyncProperty(walk, async (taken) => {
      const store = await freshStore(engine as Engine)
      const inbox = await connect(store.address)
      try {
        await walkAlong(store, inbox, taken)
      } finally {
        await inbox.close()
        await store.remove()
      }
    })
    await fc.assert(property, {
      numRuns: WALKS,
      interruptAfterTimeLimit: 60_000 + WALKS * 1000,
      markInterruptAsFailure: true,
      ...(SEED === undefined ? {} : { seed: Number(SEED) }),
    })
  },
  120_000 + WALKS * 2000,
)

// Walks that never came so far would prove nothing.
test('the walks came to every state, and took from a queue', () => {
  expect([...reached].sort()).toEqual([...Object.keys(LADDER), 'taken'].sort())
})

async function walkAlong(store: TestStore, inbox: Client, taken: [Step, number][]): Promise<void> {
  await inbox.agentRegister({ agent: 'ann', role: 'orchestrator', status: 'idle' })
  for (const builder of ['bob', 'cid']) {
    await inbox.agentRegister({ agent: builder, role: 'builder', status: 'idle' })
  }
  const happened: Happened = {
    shown: new Set(),
    marked: new Set(),
    spoke: new Set(),
    claimed: new Set(),
    off: new Set(),
  }
  let before: Row[] = []
  for (const [one, wait] of taken) {
    await store.clock.advance(wait)
    const messages = await count(store)
    try {
      await take(store, inbox, one, before, happened)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      expect(await count(store)).toBe(messages)
    }
    const after = await deliveries(store)
    nothingLost(before, after)
    nothingDown(before, after)
    nothingAhead(after, happened, store.clock.now())
    before = after
  }
  const { findings } = await inbox.doctor({})
  expect(findings.find(({ check }) => check === 'log')).toMatchObject({ ok: true })
}

async function deliveries({ sql }: TestStore): Promise<Row[]> {
  return (await sql('select * from deliveries order by event_id, recipient')) as unknown as Row[]
}

async function count({ sql }: TestStore): Promise<unknown> {
  return (await sql('select count(*) as n from messages'))[0]?.n
}

function nothingLost(before: Row[], after: Row[]): void {
  const there = new Set(after.map(keyOf))
  for (const row of before.filter((one) => !there.has(keyOf(one)))) {
    // Out of a role's queue, and only to one of the role.
    expect(row.recipient).toStartWith('role:')
    const heirs = after.filter((one) => one.message_id === row.message_id)
    expect(heirs.filter(({ recipient }) => !recipient.startsWith('role:'))).toHaveLength(1)
    reached.add('taken')
  }
}

function nothingDown(before: Row[], after: Row[]): void {
  const now = new Map(after.map((row) => [keyOf(row), row]))
  for (const row of before) {
    const state = now.get(keyOf(row))?.state
    if (state === undefined || state === row.state) continue
    expect({ from: row.state, may: LADDER[row.state] }).toEqual({
      from: row.state,
      may: expect.arrayContaining([state]),
    })
  }
}

/** Each state has its cause among what happened, and its time and reason in the row. */
function nothingAhead(rows: Row[], happened: Happened, now: string): void {
  for (const row of rows) {
    const { recipient, message_id, thread_id, state } = row
    reached.add(state)
    const message = `${recipient} ${message_id}`
    const causes: Record<DeliveryState, boolean> = {
      queued: true,
      presented: happened.shown.has(message) && row.presented_at !== null,
      read: happened.marked.has(message) && row.read_at !== null,
      acted: happened.spoke.has(`${recipient} ${thread_id}`) && row.acted_at !== null,
      bounced: happened.off.has(recipient) && row.ended_at !== null && row.reason !== null,
      expired:
        row.reason !== null &&
        ((row.expires_at ?? '9') <= now || happened.claimed.has(row.thread_id)),
    }
    expect({ message, state, hasCause: causes[state] }).toEqual({ message, state, hasCause: true })
  }
}

async function take(
  store: TestStore,
  inbox: Client,
  one: Step,
  rows: Row[],
  happened: Happened,
): Promise<void> {
  const own = 'agent' in one ? rows.filter(({ recipient }) => recipient === one.agent) : []
  const chosen = 'nth' in one && own.length > 0 ? own[one.nth % own.length] : undefined
  switch (one.op) {
    case 'send': {
      const expires_seconds = one.expires
      const sent = await inbox.mailSend({ from: one.from, to: one.to, body: 'So', expires_seconds })
      const got = (await deliveries(store)).filter((row) => row.message_id === sent.message?.id)
      expect(got.map(({ recipient }) => recipient).sort()).toEqual(sent.recipients.toSorted())
      return
    }
    case 'answer': {
      if (chosen === undefined) return
      const body = 'Then so'
      await inbox.mailSend({ from: one.agent, to: 'bob', in_reply_to: chosen.message_id, body })
      happened.spoke.add(`${one.agent} ${chosen.thread_id}`)
      return
    }
    case 'task':
      await inbox.send({ from: one.agent, to: one.to, subject: 'So' })
      return
    case 'claim': {
      const work = await inbox.list({ status: ['pending'] })
      const thread = work.threads[one.nth % Math.max(1, work.threads.length)]?.thread_id
      if (thread === undefined) return
      await inbox.claim({ agent: one.agent, thread })
      happened.spoke.add(`${one.agent} ${thread}`)
      happened.claimed.add(thread)
      return
    }
    case 'read': {
      const { messages } = await inbox.mailRead({ agent: one.agent, limit: 500 })
      for (const { id } of messages) happened.shown.add(`${one.agent} ${id}`)
      const given = new Set(messages.map(({ id }) => id))
      const now = store.clock.now()
      const owed = own.filter((row) => isUnread(row) && (row.expires_at ?? '9') > now)
      expect(owed.filter(({ message_id }) => !given.has(message_id))).toEqual([])
      return
    }
    case 'peek':
      await inbox.mailPeek({ agent: one.agent, limit: 500 })
      return
    case 'look':
      await inbox.mailPeek({ agent: 'user', to: one.agent })
      await inbox.mailRead({ agent: 'user', to: one.agent })
      await inbox.mailHistory({ agent: one.agent })
      await inbox.mailReceipts({ agent: one.agent })
      await inbox.agentList({})
      return
    case 'mark':
      if (chosen === undefined) return
      await inbox.mailMarkRead({ agent: one.agent, messages: [chosen.message_id] })
      happened.marked.add(`${one.agent} ${chosen.message_id}`)
      return
    case 'mark all':
      await inbox.mailMarkRead({ agent: one.agent, all: true })
      for (const { message_id } of own) happened.marked.add(`${one.agent} ${message_id}`)
      expect((await unreadOf(store, one.agent)).length).toBe(0)
      return
    case 'off':
      await inbox.agentStatus({ agent: one.agent, status: 'off' })
      happened.off.add(one.agent)
      await sendersWereTold(store, own.filter(isUnread))
      return
    case 'on': {
      const role = one.agent === 'dan' ? 'tester' : undefined
      await inbox.agentRegister({ agent: one.agent, role, status: 'idle' })
      return
    }
    case 'sweep':
      await inbox.sweep({})
  }
}

async function unreadOf(store: TestStore, agent: string): Promise<Row[]> {
  return (await deliveries(store)).filter((row) => row.recipient === agent && isUnread(row))
}

/** Whoever wrote what came back has mail about it, unless it is gone itself. */
async function sendersWereTold(store: TestStore, unread: Row[]): Promise<void> {
  const told = await store.sql(
    "select to_agent, payload_json from messages where from_agent = 'system' and payload_json like '%bounced%'",
  )
  const bounced = new Set(
    (await deliveries(store)).filter(({ state }) => state === 'bounced').map(keyOf),
  )
  for (const row of unread) {
    expect(bounced).toContain(keyOf(row))
    const [sent] = await store.sql(
      `select m.from_agent, a.declared_status from messages m
       left join agents a on a.agent_id = m.from_agent where m.message_id = ?`,
      row.message_id,
    )
    if (sent?.from_agent === 'system' || sent?.from_agent === row.recipient) continue
    if (sent?.declared_status === 'off') continue
    const notes = told.filter(({ to_agent, payload_json }) => {
      const { bounced: ids, recipient } = JSON.parse(String(payload_json))
      return (
        to_agent === sent?.from_agent && recipient === row.recipient && ids.includes(row.message_id)
      )
    })
    expect({ message: row.message_id, notes: notes.length }).toEqual({
      message: row.message_id,
      notes: 1,
    })
  }
}
