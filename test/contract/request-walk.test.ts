// Random walks with requests: agents and people ask, decide immediately or with a grace period, undo, resubmit, cancel,
// comment and link, often without permission. After every step, both engines must agree with the model on the answer,
// on every request's state and on how many answers each agent got. At the end the logs are replayed.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Client, connect, Refusal } from '../../src/index.ts'
import { NAMED, RequestModel, type Standing, type Step } from './request-model.ts'
import { storeToWalk, WALKS, WALKS_LIMIT_MS } from './walks.ts'

const by = fc.constantFrom('ann', 'bob', 'user', 'user', NAMED, NAMED)
const n = fc.nat({ max: 9 })
const behind = fc.constantFrom(0, 0, 0, 1)
const move = fc.constantFrom('approve', 'reject', 'request_revision', 'request_revision')
const policy = fc.constantFrom('human_only', 'human_only', 'not_requester', 'named')

const step = fc.oneof(
  { weight: 4, arbitrary: record('create', { by, policy }) },
  {
    weight: 10,
    arbitrary: record('decide', { by, n, move, behind, grace: fc.constantFrom(0, 0, 20) }),
  },
  { weight: 2, arbitrary: record('bulk', { by, n, move, behind }) },
  { weight: 3, arbitrary: record('undo', { by, n }) },
  { weight: 6, arbitrary: record('resubmit', { by, n, behind }) },
  { weight: 1, arbitrary: record('cancel', { by, n }) },
  { weight: 2, arbitrary: record('comment', { by, n }) },
  { weight: 2, arbitrary: record('link', { by, n, to: n }) },
  { weight: 1, arbitrary: record('unlink', { by, n, to: n }) },
)

function record<F extends Record<string, fc.Arbitrary<unknown>>>(op: Step['op'], fields: F) {
  return fc.record({ op: fc.constant(op), ...fields }) as unknown as fc.Arbitrary<Step>
}

/** Some waits end just before, at or just after the end of a grace period. */
const waitMs = fc.constantFrom(1, 1, 1, 1000, 19_999, 20_000, 60_000)
const walk = fc.array(fc.tuple(step, waitMs), { minLength: 20, maxLength: 60 })

test(
  'both engines match the model in random walks with requests, and no answer is lost',
  async () => {
    const property = fc.asyncProperty(walk, async (taken) => {
      const model = new RequestModel()
      const walkers = await Promise.all([startWalker('sqlite'), startWalker('postgres')])
      try {
        for (const [planned, wait] of taken) {
          const one = aimed(model, planned)
          const revision = revisionOf(model, one)
          const answer = model.take(one, wait)
          const expected = { answer, standing: model.standing() }
          const [sqlite, postgres] = await Promise.all(
            walkers.map((walker) => walker.take(one, revision, wait)),
          )
          expect({ one, sqlite, postgres }).toEqual({ one, sqlite: expected, postgres: expected })
        }
        for (const walker of walkers) expect(await walker.replayed()).toEqual({ ok: true })
      } finally {
        await Promise.all(walkers.map((walker) => walker.end()))
      }
    })
    await fc.assert(property, WALKS)
  },
  WALKS_LIMIT_MS,
)

// Walks in which every call is refused would prove nothing.
test('random walks with requests reach every answer and every status', () => {
  const outcomes = new Set<string>()
  const statuses = new Set<string>()
  for (const taken of fc.sample(walk, { numRuns: 300, seed: 1 })) {
    const model = new RequestModel()
    for (const [planned, wait] of taken) {
      const one = aimed(model, planned)
      const answer = model.take(one, wait)
      const isCode = typeof answer === 'string' && answer !== 'said'
      if (one.op !== 'bulk') outcomes.add(`${one.op} ${isCode ? answer : 'answered'}`)
      for (const { status } of model.requests) statuses.add(status)
    }
  }
  const codes = ['invalid_state', 'revision_conflict', 'not_found', 'forbidden']
  for (const code of codes) expect(outcomes).toContain(`decide ${code}`)
  for (const op of ['create', 'decide', 'undo', 'resubmit', 'cancel', 'comment', 'link', 'unlink'])
    expect(outcomes).toContain(`${op} answered`)
  for (const code of ['invalid_state', 'forbidden']) expect(outcomes).toContain(`undo ${code}`)
  expect(outcomes).toContain('resubmit revision_conflict')
  expect(outcomes).toContain('link not_found')
  expect([...statuses].sort()).toEqual([
    'approved',
    'cancelled',
    'pending',
    'rejected',
    'revision_requested',
  ])
})

/** The step, aimed at an existing request, or rarely at one after the last. */
function aimed({ requests }: RequestModel, step: Step): Step {
  const within = (n: number) => (n === 9 ? requests.length : n % Math.max(1, requests.length))
  if (!('n' in step)) return step
  return { ...step, n: within(step.n), ...('to' in step ? { to: within(step.to) } : {}) }
}

/** The revision that the caller names: the current one, or an earlier one. */
function revisionOf({ requests }: RequestModel, step: Step): number {
  const present = 'n' in step ? (requests[step.n]?.revision ?? 1) : 1
  return Math.max(1, present - ('behind' in step ? step.behind : 0))
}

async function startWalker(engine: 'sqlite' | 'postgres') {
  const store = await storeToWalk(engine)
  const inbox = await connect(store.address)
  await inbox.personAdd({ name: 'eve' })
  for (const agent of ['ann', 'bob']) await inbox.agentRegister({ agent })
  const ids: string[] = []
  const standing = async (): Promise<Standing> => {
    const requests: Standing['requests'] = []
    for (const request of ids) {
      const { request: row, links } = await inbox.requestGet({ request })
      const { status, revision, decided_by } = row
      const linked = links.map(({ thread_id }) => ids.indexOf(thread_id))
      requests.push({ status, revision, decided_by, links: linked })
    }
    const rows = await store.sql('select recipient, count(*) as n from deliveries group by 1')
    const told: Standing['told'] = { ann: 0, bob: 0 }
    for (const { recipient, n } of rows) {
      if (String(recipient) in told) told[String(recipient)] = Number(n)
    }
    return { requests, told }
  }
  return {
    async take(step: Step, revision: number, waitMs: number) {
      await store.clock.advance(waitMs / 1000)
      let answer: unknown
      try {
        answer = await call(inbox, step, revision, ids)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        answer = error.code
      }
      return { answer, standing: await standing() }
    },
    async replayed() {
      const { findings } = await inbox.doctor({})
      const log = findings.find(({ check }) => check === 'log')
      return log?.ok ? { ok: true } : { ok: false, detail: log?.detail }
    },
    async end() {
      await inbox.close()
      await store.remove()
    },
  }
}

async function call(inbox: Client, step: Step, revision: number, ids: string[]): Promise<unknown> {
  const { op, by: agent } = step
  if (op === 'create') {
    const { policy } = step
    const named = policy === 'named' ? { deciders: [NAMED] } : {}
    const wish = { agent, type: 'chore', title: 'May I?', policy, ...named }
    const made = await inbox.requestCreate(wish)
    ids.push(made.request_id)
    return { status: made.status, revision: made.revision }
  }
  const request = ids[step.n] ?? 'req_none'
  switch (op) {
    case 'decide': {
      const { move, grace: grace_seconds } = step
      const want = { agent, request, revision, notes: 'So', grace_seconds }
      return seen(await inbox[WAYS[move]](want))
    }
    case 'bulk': {
      const requests = [`${request}:${revision}`]
      const want = { agent, decision: step.move, requests, notes: 'So' }
      const { results } = await inbox.requestDecide(want)
      return results.map(({ status, code }) => status ?? code)
    }
    case 'undo':
      return seen(await inbox.undoDecision({ agent, request }))
    case 'resubmit':
      return seen(await inbox.resubmit({ agent, request, revision, description: 'More' }))
    case 'cancel': {
      const { status } = await inbox.cancelRequest({ agent, request })
      return { status, revision }
    }
    case 'comment':
      await inbox.comment({ agent, request, body: 'Hm' })
      return 'said'
    default: {
      const want = { agent, request, thread: ids[step.to] ?? 'req_none' }
      const linked = op === 'link' ? inbox.requestLink(want) : inbox.requestUnlink(want)
      return { links: (await linked).links.map((id) => ids.indexOf(id)) }
    }
  }
}

const WAYS = {
  approve: 'approve',
  reject: 'reject',
  request_revision: 'requestRevision',
} as const

function seen({ status, revision }: { status: string; revision: number }) {
  return { status, revision }
}
