// Many clients use one approval at the same moment, and only one succeeds. Many approve the first requests of a store
// at the same moment, and the store gets only one key.

import { expect, test } from 'bun:test'
import { type Client, connect, Refusal } from '../../src/index.ts'
import { ENGINES, withStore } from './own-store.ts'

const USERS = 20
const HANDS = 4
const PAYLOAD = '{"n":1}'
const ASKED = { agent: 'ann', type: 'chore', title: 'May I?', payload: PAYLOAD }

test.each([...ENGINES])(
  '%s: exactly one of twenty simultaneous uses of an approval succeeds',
  (engine) =>
    withStore(engine, async ({ address, sql }) => {
      const hands: Client[] = []
      for (let n = 0; n < HANDS; n++) hands.push(await connect(address))
      const owner = hands[0] as Client
      for (let round = 0; round < 5; round++) {
        const { request_id: request } = await owner.requestCreate(ASKED)
        await owner.approve({ request, revision: 1 })
        const uses = Array.from({ length: USERS }, (_, n) => {
          const hand = hands[n % HANDS] as Client
          return hand.requestVerify({ agent: 'ann', request, payload: PAYLOAD, use: true })
        })
        const outcomes = await Promise.allSettled(uses)
        expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
        for (const outcome of outcomes) {
          if (outcome.status === 'fulfilled') continue
          expect(outcome.reason).toBeInstanceOf(Refusal)
          expect(outcome.reason.details).toMatchObject({ why: 'used', used_by: 'ann' })
        }
        const used =
          "select count(*) as n from events where thread_id = ? and event_type = 'request_use'"
        expect(Number((await sql(used, request))[0]?.n)).toBe(1)
      }
      for (const hand of hands) await hand.close()
    }),
)

test.each([...ENGINES])('%s: simultaneous first approvals in a store create one key', (engine) =>
  withStore(engine, async ({ address, sql }) => {
    const hands: Client[] = []
    for (let n = 0; n < HANDS; n++) hands.push(await connect(address))
    const owner = hands[0] as Client
    const asked = await Promise.all(hands.map(() => owner.requestCreate(ASKED)))
    await Promise.all(
      hands.map((hand, n) =>
        hand.approve({ request: asked[n]?.request_id as string, revision: 1 }),
      ),
    )
    const keys = new Set<string>()
    for (const { request_id: request } of asked) {
      const { decision } = await owner.requestGet({ request })
      const warrant = JSON.stringify(decision?.warrant)
      for (const hand of hands) {
        keys.add((await hand.requestVerify({ warrant, payload: PAYLOAD })).key)
      }
    }
    expect(keys.size).toBe(1)
    expect(await sql("select name from settings where name = 'warrant_seed'")).toHaveLength(1)
    for (const hand of hands) await hand.close()
  }),
)
