// Many clients submit an agent's review at once, and many decide it while its run ends or moves on to the next review.
// There is one request per review and one decision, and the run is always where the last of them left it.

import { expect, test } from 'bun:test'
import { type Client, connect, Refusal } from '../../src/index.ts'
import { ENGINES, withStore } from './own-store.ts'

const AT_ONCE = 20
const HANDS = 5
const REVIEW = { agent: 'ann', title: 'Shorter words', body: 'Please look.' }

async function withHands(address: string, use: (hands: Client[]) => Promise<void>): Promise<void> {
  const hands: Client[] = []
  for (let n = 0; n < HANDS; n++) hands.push(await connect(address))
  await use(hands)
  for (const hand of hands) await hand.close()
}

function atOnce<T>(hands: Client[], call: (hand: Client, n: number) => Promise<T>) {
  const calls = Array.from({ length: AT_ONCE }, (_, n) => call(hands[n % HANDS] as Client, n))
  return Promise.allSettled(calls)
}

function refusedAs(outcome: PromiseSettledResult<unknown>): string {
  if (outcome.status === 'fulfilled') return 'done'
  return outcome.reason instanceof Refusal ? outcome.reason.code : String(outcome.reason)
}

async function mustBeSound(owner: Client): Promise<void> {
  const { findings } = await owner.doctor({})
  expect(findings.find(({ check }) => check === 'log')).toMatchObject({ ok: true })
}

test.each([...ENGINES])(
  '%s: twenty simultaneous submissions of a review create one request',
  (engine) =>
    withStore(engine, ({ address, sql }) =>
      withHands(address, async (hands) => {
        const answers = await atOnce(hands, (hand) =>
          hand.requestReview({ ...REVIEW, review: 'r1' }),
        )
        expect(answers.map(refusedAs)).toEqual(Array(AT_ONCE).fill('done'))
        const made = answers.map((one) => (one.status === 'fulfilled' ? one.value.request_id : ''))
        expect(new Set(made).size).toBe(1)
        expect(await sql('select count(*) as n from requests')).toEqual([{ n: 1 }])
        expect(await sql('select status from agent_runs')).toEqual([{ status: 'paused' }])
        await mustBeSound(hands[0] as Client)
      }),
    ),
)

test.each([...ENGINES])(
  '%s: different reviews submitted at once share one run, and one stays open',
  (engine) =>
    withStore(engine, ({ address, sql }) =>
      withHands(address, async (hands) => {
        const answers = await atOnce(hands, (hand, n) =>
          hand.requestReview({ ...REVIEW, review: `r${n}` }),
        )
        expect(answers.map(refusedAs)).toEqual(Array(AT_ONCE).fill('done'))
        const [run] = await sql('select * from agent_runs')
        const open = await sql('select thread_id from requests where is_open = 1')
        expect(open).toEqual([{ thread_id: run?.request_id as string }])
        await mustBeSound(hands[0] as Client)
      }),
    ),
)

test.each([...ENGINES])(
  '%s: exactly one of twenty simultaneous decisions moves the run',
  (engine) =>
    withStore(engine, ({ address, sql }) =>
      withHands(address, async (hands) => {
        const owner = hands[0] as Client
        const statuses = { approved: 'running', rejected: 'cancelled', cancelled: 'running' }
        for (let round = 0; round < 6; round++) {
          const { request_id: request, agent_run_id } = await owner.requestReview({
            ...REVIEW,
            review: `r${round}`,
          })
          const answers = await atOnce(hands, (hand, n): Promise<object> => {
            if (n % 4 === round % 4) return hand.approve({ request, revision: 1 })
            if (n % 4 === (round + 1) % 4) return hand.reject({ request, revision: 1 })
            return hand.cancelRequest({ agent: 'user', request })
          })
          const codes = answers.map(refusedAs)
          expect(codes.filter((code) => code === 'done')).toHaveLength(1)
          expect(codes.filter((code) => code === 'invalid_state')).toHaveLength(AT_ONCE - 1)
          const [row] = await sql('select status from requests where thread_id = ?', request)
          const [run] = await sql('select * from agent_runs where agent_run_id = ?', agent_run_id)
          expect(run).toMatchObject({
            status: statuses[row?.status as keyof typeof statuses],
            review_status: row?.status as string,
          })
        }
        await mustBeSound(owner)
      }),
    ),
)

test.each([...ENGINES])(
  '%s: a run that ends during decisions and reviews leaves no open request',
  (engine) =>
    withStore(engine, ({ address, sql }) =>
      withHands(address, async (hands) => {
        const owner = hands[0] as Client
        for (let round = 0; round < 6; round++) {
          const { request_id: request, agent_run_id: agent_run } = await owner.requestReview({
            ...REVIEW,
            review: `first${round}`,
          })
          const answers = await atOnce(hands, (hand, n): Promise<object> => {
            if (n % 5 === 0) return hand.agentEndRun({ agent_run })
            if (n % 5 === 1)
              return hand.requestReview({ ...REVIEW, agent_run, review: `${round} ${n}` })
            if (n % 5 === 2) return hand.reject({ request, revision: 1 })
            if (n % 5 === 3) return hand.requestRevision({ request, revision: 1, notes: 'Less' })
            return hand.approve({ request, revision: 1 })
          })
          for (const code of answers.map(refusedAs)) {
            expect(['done', 'invalid_state', 'revision_conflict']).toContain(code)
          }
          const [run] = await sql('select * from agent_runs where agent_run_id = ?', agent_run)
          const open = await sql(
            'select thread_id from requests where is_open = 1 and entity_id = ?',
            agent_run,
          )
          expect(['ended', 'cancelled']).toContain(run?.status as string)
          expect(open).toEqual([])
        }
        await mustBeSound(owner)
      }),
    ),
)
