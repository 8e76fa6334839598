// Random walks: several agents do random things, random time passes, and after every step both engines must have
// answered as the model did. At the end, the logs must equal the model's log, and replaying them must give the tables.
// A failure prints the seed and the shortest walk that shows it.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Client, connect, Refusal } from '../../src/index.ts'
import { DAWN } from '../worlds/store.ts'
import {
  BUILDERS,
  type Kind,
  type Logged,
  Model,
  NOWHERE,
  type Proof,
  ROLE,
  type Step,
} from './model.ts'
import { storeToWalk, WALKS, WALKS_LIMIT_MS } from './walks.ts'

const agent = fc.constantFrom('ann', 'bob', 'cid')
const thread = fc.nat({ max: NOWHERE })
const seconds = fc.constantFrom(5, 20, 60)
const proof = fc.constantFrom<Proof>('none', 'none', 'none', 'newest', 'newest', 'older', 'wrong')
const kind = fc.constantFrom<Kind>('progress', 'question', 'answer', 'control')
const key = fc.oneof(
  { weight: 9, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom('k1', 'k2') },
)
const addressee = fc.constantFrom('ann', 'bob', 'cid', ROLE)
const worker = fc.oneof(agent, fc.constant('holder'))
const on = { agent: worker, thread, key }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: record('send', { agent, to: addressee, priority: priority(), key }) },
  { weight: 2, arbitrary: record('append', { ...on, kind }) },
  { weight: 3, arbitrary: record('reply', { ...on, kind }) },
  { weight: 6, arbitrary: record('claim', { ...on, seconds, proof }) },
  { weight: 4, arbitrary: record('next', { agent, seconds, key }) },
  { weight: 3, arbitrary: record('renew', { ...on, seconds, proof }) },
  {
    weight: 6,
    arbitrary: record('update', {
      ...on,
      proof,
      status: fc.constantFrom('in_progress' as const, 'blocked' as const),
    }),
  },
  { weight: 2, arbitrary: record('done', { ...on, proof }) },
  { weight: 2, arbitrary: record('fail', { ...on, proof }) },
  { weight: 1, arbitrary: record('cancel', on) },
  { weight: 3, arbitrary: record('read', { agent: worker, thread }) },
  { weight: 2, arbitrary: record('sweep', { key }) },
  { weight: 2, arbitrary: record('fetch', { agent, unread: fc.boolean() }) },
  { weight: 1, arbitrary: record('list', { agent }) },
)

function priority() {
  return fc.constantFrom('high' as const, 'normal' as const, 'low' as const)
}

function record<Op extends string, F extends Record<string, fc.Arbitrary<unknown>>>(
  op: Op,
  fields: F,
) {
  return fc.record({ op: fc.constant(op), ...fields }) as unknown as fc.Arbitrary<Step>
}

/**
 * At least a millisecond, so that no two things happen at the same time and their order is always defined. Sometimes
 * exactly as long as a lease, and rarely longer.
 */
const waitMs = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(1, 100, 1000) },
  { weight: 1, arbitrary: fc.constantFrom(4999, 5000, 20_000, 61_000) },
)
const walk = fc.array(fc.tuple(step, waitMs), { minLength: 30, maxLength: 80 })

test(
  'both engines match the model’s answers and log in random walks',
  async () => {
    const property = fc.asyncProperty(walk, async (taken) => {
      const model = new Model()
      const walkers = await Promise.all([startWalker('sqlite'), startWalker('postgres')])
      try {
        for (const [planned, wait] of taken) {
          const one = model.settle(planned)
          const aim = model.aim(one)
          const expected = model.take(one, wait)
          const answers = await Promise.all(walkers.map((walker) => walker.take(one, aim, wait)))
          expect({ sqlite: answers[0], postgres: answers[1] }).toEqual({
            sqlite: expected,
            postgres: expected,
          })
        }
        for (const walker of walkers) {
          expect(await walker.log()).toEqual(byNumberWithinMoment(model.log))
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

// Walks in which every call is refused would prove nothing, so walks must reach every answer. Which ones they reach
// depends only on the model, so no store is needed to check it.
test('random walks reach every answer of every operation', () => {
  const outcomes = new Set<string>()
  for (const taken of fc.sample(walk, { numRuns: 500, seed: 1 })) {
    const model = new Model()
    for (const [planned, wait] of taken) {
      const one = model.settle(planned)
      const answer = model.take(one, wait)
      outcomes.add(`${one.op} ${typeof answer === 'string' ? answer : 'answered'}`)
    }
  }
  expect([...outcomes].sort()).toEqual(everyOutcome().sort())
})

function everyOutcome(): string[] {
  const free = ['send', 'next', 'sweep', 'fetch', 'list']
  const onThread = ['append', 'reply', 'claim', 'renew', 'update', 'done', 'fail', 'cancel', 'read']
  const underLease = ['claim', 'renew', 'update', 'done', 'fail']
  return [
    ...[...free, ...onThread].map((op) => `${op} answered`),
    ...onThread.map((op) => `${op} not_found`),
    ...onThread.filter((op) => op !== 'read').map((op) => `${op} invalid_state`),
    // These two are refused only for a key that was used for something else.
    ...['send', 'next'].map((op) => `${op} invalid_state`),
    ...underLease.map((op) => `${op} lease_conflict`),
  ]
}

async function startWalker(engine: 'sqlite' | 'postgres') {
  const store = await storeToWalk(engine)
  const inbox = await connect(store.address)
  await store.clock.set(DAWN)
  for (const agent of BUILDERS) await inbox.agentRegister({ agent, role: 'builder' })
  const seen = makeEyes()
  return {
    async take(step: Step, aim: Aim, waitMs: number): Promise<unknown> {
      await store.clock.advance(waitMs / 1000)
      try {
        return seen.answer(step, await call(inbox, step, seen.name(aim)))
      } catch (error) {
        if (error instanceof Refusal) return error.code
        throw error
      }
    },
    async log() {
      const rows = await store.sql(
        `select e.*, coalesce(m.seq, 0) as seq from events e
         left join messages m on m.message_id = e.message_id
         where e.event_type like 'thread%' order by e.event_id`,
      )
      return byNumberWithinMoment(rows.map(seen.event))
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

type Aim = ReturnType<Model['aim']>
type Named = { thread: string; lease_token: string | undefined }

function call(inbox: Client, step: Step, { thread, lease_token }: Named): Promise<Answer> {
  const { op } = step
  if (op === 'sweep') return inbox.sweep({ idempotency_key: step.key })
  const { agent } = step
  if (op === 'fetch') return inbox.fetch({ agent, unread: step.unread })
  if (op === 'list') return inbox.list({ agent })
  const idempotency_key = step.key
  const lease_seconds = 'seconds' in step ? step.seconds : undefined
  if (op === 'next') return inbox.claim({ agent, lease_seconds, idempotency_key })
  if (op === 'send') {
    const { to, priority } = step
    return inbox.send({ from: agent, to, subject: 'So', priority, idempotency_key })
  }
  const mine = { agent, thread, idempotency_key }
  const said = { from: agent, thread, summary: 'So', idempotency_key }
  const held = { ...mine, lease_token }
  switch (op) {
    case 'append':
      return inbox.send({ ...said, kind: step.kind })
    case 'reply':
      return inbox.reply({ ...said, kind: step.kind })
    case 'claim':
      return inbox.claim({ ...held, lease_seconds })
    case 'renew':
      return inbox.renew({ ...held, lease_seconds })
    case 'update':
      return inbox.update({ ...held, status: step.status, summary: 'So' })
    case 'done':
      return inbox.done({ ...held, summary: 'So' })
    case 'fail':
      return inbox.fail({ ...held, summary: 'So' })
    case 'cancel':
      return inbox.cancel(mine)
    case 'read':
      return inbox.show({ agent, thread, mark_read: true })
  }
}

type Shown = Awaited<ReturnType<Client['list']>>['threads'][number]
type Lease = {
  agent: string
  lease_token?: string
  generation: number
  expires_at: string
  live?: boolean
}
type Said = { seq: number; from_agent: string; to_agent: string; kind: string }
type Answer = {
  thread?: Shown | null
  threads?: (Shown & { lease?: Lease | null })[]
  lease?: Lease | null
  message?: Said | null
  messages?: Said[]
}

/** Translates a store's answers into the model's form: ids and tokens by number, times since DAWN. */
function makeEyes() {
  const threads: string[] = []
  const tokens: string[] = []
  const numberOf = (names: string[], name: string): number => {
    if (!names.includes(name)) names.push(name)
    return names.indexOf(name)
  }
  const since = (at: string) => Date.parse(at) - Date.parse(DAWN)
  const thread = (t: Shown) => ({
    n: numberOf(threads, t.thread_id),
    by: t.created_by,
    to: t.assigned_to,
    status: t.status,
    priority: t.priority,
    count: t.message_count,
    made: since(t.created_at),
    moved: since(t.updated_at),
  })
  const lease = ({ agent, lease_token: token, generation, expires_at, live }: Lease) => ({
    agent,
    generation,
    until: since(expires_at),
    ...(token === undefined ? { live } : { token: numberOf(tokens, token) }),
  })
  const said = ({ seq, from_agent, to_agent, kind }: Said) => ({
    seq,
    from: from_agent,
    to: to_agent,
    kind,
  })
  return {
    name: ({ n, token }: Aim): Named => ({
      thread: threads[n] ?? 'thr_none',
      lease_token: token === -1 ? 'lse_wrong' : token === undefined ? undefined : tokens[token],
    }),
    event: (row: Record<string, unknown>): Logged => ({
      type: String(row.event_type),
      agent: String(row.agent),
      status: String(row.status),
      n: numberOf(threads, String(row.thread_id)),
      at: since(String(row.created_at)),
      seq: Number(row.seq),
    }),
    answer(step: Step, { threads: many, ...one }: Answer): unknown {
      if (many === undefined) {
        if (one.thread === null) return null
        return {
          ...(one.thread ? { thread: thread(one.thread) } : {}),
          ...(one.message ? { said: said(one.message) } : {}),
          ...(one.messages ? { said: one.messages.map(said) } : {}),
          ...(one.lease === undefined ? {} : { lease: one.lease && lease(one.lease) }),
        }
      }
      if (step.op === 'fetch') {
        const shown = many.map((t) => [thread(t).n, t.lease ? lease(t.lease) : null])
        // The model doesn't track whose turn it is to get mail about work for a role.
        return shown.filter((_, i) => !step.unread || many[i]?.assigned_to !== ROLE)
      }
      const views = many.map(thread)
      const moved = views.map((view) => view.moved)
      // Newest first. A sweep moves all its threads at once, so the model leaves their order open.
      if (step.op === 'list') expect(moved).toEqual([...moved].sort((a, b) => b - a))
      return views.sort((a, b) => a.n - b.n)
    },
  }
}

function byNumberWithinMoment(log: Logged[]): Logged[] {
  return log.sort((a, b) => a.at - b.at || a.n - b.n)
}
