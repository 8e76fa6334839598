// Many people decide one request at the same moment, while its agent withdraws or resubmits it. One of them wins, the
// others are refused, and the agent gets one decision.

import { expect, test } from 'bun:test'
import { type Client, connect, Refusal } from '../../src/index.ts'
import { ENGINES, withStore } from './own-store.ts'

const DECIDERS = 50
const HANDS = 5

test.each([...ENGINES])('%s: exactly one of fifty simultaneous decisions succeeds', (engine) =>
  withStore(engine, async ({ address, sql }) => {
    const hands: Client[] = []
    for (let n = 0; n < HANDS; n++) hands.push(await connect(address))
    const owner = hands[0] as Client
    const asked = { agent: 'ann', type: 'chore', title: 'May I?' }
    for (const isRevised of [false, true]) {
      const { request_id: request } = await owner.requestCreate(asked)
      if (isRevised) {
        await owner.requestRevision({ request, revision: 1, notes: 'Say more' })
        await owner.resubmit({ agent: 'ann', request, revision: 1, description: 'Because' })
      }
      const revision = isRevised ? 2 : 1
      const before = (await owner.mailPeek({ agent: 'ann' })).messages.length
      const decisions = Array.from({ length: DECIDERS }, (_, n) => {
        const hand = hands[n % HANDS] as Client
        if (n % 3 === 0) return hand.approve({ request, revision })
        if (n % 3 === 1) return hand.reject({ request, revision })
        return hand.cancelRequest({ agent: 'user', request })
      })
      const outcomes = await Promise.allSettled(decisions)
      const won = outcomes.filter(({ status }) => status === 'fulfilled')
      expect(won).toHaveLength(1)
      for (const outcome of outcomes) {
        if (outcome.status === 'fulfilled') continue
        expect(outcome.reason).toBeInstanceOf(Refusal)
        expect(outcome.reason.code).toBe('invalid_state')
      }
      const { request: shown, activity } = await owner.requestGet({ request })
      expect(shown.decided_by).toBe('user')
      const ends = activity.filter(({ to }) => to === shown.status)
      expect(ends).toHaveLength(1)
      expect((await owner.mailPeek({ agent: 'ann' })).messages).toHaveLength(before + 1)
      const rows = await sql('select status from requests where thread_id = ?', request)
      expect(rows).toEqual([{ status: shown.status }])
    }
    const { findings } = await owner.doctor({})
    expect(findings.find(({ check }) => check === 'log')).toMatchObject({ ok: true })
    for (const hand of hands) await hand.close()
  }),
)
