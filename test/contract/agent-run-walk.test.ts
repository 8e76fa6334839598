// Random walks of two agents and a person through reviews, decisions and ends. After every step a small model predicts
// the status of each run and request. At the end, replaying the log must reproduce the tables.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Client, Refusal } from '../../src/index.ts'
import { inPlace } from './engines.ts'
import { WALKS, WALKS_LIMIT_MS } from './walks.ts'

type ModelRequest = { id: string; agent: string; review: string; run: string; status: string }
type ModelRun = { agent: string; status: string; request: string }
type Model = { requests: ModelRequest[]; runs: Map<string, ModelRun> }

/** `pick` chooses among the existing requests or runs. */
type Step =
  | { do: 'review'; agent: string; review: string }
  | { do: 'approve' | 'reject' | 'revise' | 'cancel' | 'resubmit' | 'end'; pick: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('review' as const),
      agent: fc.constantFrom('ann', 'bob'),
      review: fc.constantFrom('r1', 'r2', 'r3', 'r4', 'r5', 'r6'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('approve', 'reject', 'revise', 'cancel', 'resubmit', 'end' as const),
      pick: fc.nat(100),
    }),
  },
) as fc.Arbitrary<Step>

const OPEN = ['pending', 'revision_requested']
const AFTER = {
  approve: 'approved',
  reject: 'rejected',
  revise: 'revision_requested',
  cancel: 'cancelled',
}

const isOver = ({ status }: ModelRun) => status === 'cancelled' || status === 'ended'
const revisions = new Map<string, number>()

/** Makes the call. Returns false if it was refused because of the current state. */
async function succeeds(call: Promise<object>): Promise<boolean> {
  return call.then(
    () => true,
    (error: unknown) => {
      if (error instanceof Refusal && error.code === 'invalid_state') return false
      throw error
    },
  )
}

async function review(client: Client, model: Model, agent: string, name: string): Promise<void> {
  const { requests, runs } = model
  const call = client.requestReview({ agent, review: name, title: name, body: 'Look' })
  const known = requests.find((one) => one.agent === agent && one.review === name)
  if (known !== undefined) {
    const run = runs.get(known.run) as ModelRun
    expect(await succeeds(call)).toBe(run.request === known.id && !isOver(run))
    return
  }
  const { agent_run_id: id, request_id: request } = await call
  const [openId] = [...runs].find(([, run]) => run.agent === agent && !isOver(run)) ?? [undefined]
  if (openId === undefined) expect(runs.has(id)).toBe(false)
  else expect(id).toBe(openId)
  const before = requests.find((one) => one.id === runs.get(id)?.request)
  if (before !== undefined && OPEN.includes(before.status)) before.status = 'cancelled'
  runs.set(id, { agent, status: 'paused', request })
  requests.push({ id: request, agent, review: name, run: id, status: 'pending' })
  revisions.set(request, 1)
}

async function decide(
  client: Client,
  { runs }: Model,
  one: ModelRequest,
  move: Exclude<Step['do'], 'review' | 'end'>,
): Promise<void> {
  const { id: request, agent } = one
  const revision = revisions.get(request) ?? 1
  const calls = {
    approve: () => client.approve({ request, revision }),
    reject: () => client.reject({ request, revision }),
    revise: () => client.requestRevision({ request, revision, notes: 'Less' }),
    cancel: () => client.cancelRequest({ agent, request }),
    resubmit: () => client.resubmit({ agent, request, revision, title: 'Less' }),
  }
  const wanted = { revise: ['pending'], resubmit: ['revision_requested'] }[move as 'revise'] ?? OPEN
  const isPossible = wanted.includes(one.status)
  expect(await succeeds(calls[move]())).toBe(isPossible)
  if (!isPossible) return
  const run = runs.get(one.run) as ModelRun
  if (move === 'resubmit') revisions.set(request, revision + 1)
  one.status = move === 'resubmit' ? 'pending' : AFTER[move]
  run.status = move === 'resubmit' ? 'paused' : move === 'reject' ? 'cancelled' : 'running'
}

async function end(client: Client, { runs, requests }: Model, id: string): Promise<void> {
  const run = runs.get(id) as ModelRun
  expect(await succeeds(client.agentEndRun({ agent_run: id }))).toBe(!isOver(run))
  if (isOver(run)) return
  run.status = 'ended'
  const waiting = requests.find((one) => one.id === run.request)
  if (waiting !== undefined && OPEN.includes(waiting.status)) waiting.status = 'cancelled'
}

async function take(client: Client, model: Model, step: Step): Promise<void> {
  if (step.do === 'review') return review(client, model, step.agent, step.review)
  const { runs, requests } = model
  if (runs.size === 0) return
  if (step.do === 'end')
    return end(client, model, [...runs.keys()][step.pick % runs.size] as string)
  return decide(client, model, requests[step.pick % requests.length] as ModelRequest, step.do)
}

async function mustAgree(client: Client, { runs, requests }: Model): Promise<void> {
  const { agent_runs } = await client.agentRuns({ limit: 500 })
  const found = agent_runs.map(({ agent_run_id, agent_id, status, request_id, review_status }) => {
    return [agent_run_id, agent_id, status, request_id, review_status]
  })
  const expected = [...runs].map(([id, { agent, status, request }]) => {
    return [id, agent, status, request, requests.find((one) => one.id === request)?.status ?? '']
  })
  expect(found.sort()).toEqual(expected.sort())
  const list = await client.requestList({ tab: 'all', limit: 500 })
  const statuses = (all: { id: string; status: string }[]) =>
    all.map(({ id, status }) => `${id} ${status}`).sort()
  expect(statuses(list.requests.map(({ request_id: id, status }) => ({ id, status })))).toEqual(
    statuses(requests),
  )
}

test.each(['sqlite wal', 'postgres C'] as const)(
  '%s: runs and their reviews match the model after every step',
  async (engine) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), (steps) =>
        inPlace(engine, async ({ connect }) => {
          const client = await connect()
          const model: Model = { requests: [], runs: new Map() }
          for (const one of steps) {
            await take(client, model, one)
            await mustAgree(client, model)
          }
          const { findings } = await client.doctor({})
          expect(findings.find(({ check }) => check === 'log')).toMatchObject({ ok: true })
          expect(findings.find(({ check }) => check === 'reviews')).toMatchObject({ ok: true })
        }),
      ),
      WALKS,
    )
  },
  WALKS_LIMIT_MS,
)
