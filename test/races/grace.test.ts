// The grace period of a decision ends while its decider undoes it and others decide. One call wins, the others are
// refused, and the agent gets at most one outcome.

import { expect, test } from 'bun:test'
import { type Client, connect, Refusal } from '../../src/index.ts'
import { ENGINES, withStore } from './own-store.ts'

const CALLS = 50
const HANDS = 5
const ROUNDS = 4

/** Retries while PostgreSQL is out of connections, since other tests use the same server. */
async function retryWhileBusy<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'busy') throw error
    }
  }
}

test.each([...ENGINES])('%s: a held decision is made or undone, exactly once', (engine) =>
  withStore(engine, async ({ address, clock }) => {
    const hands: Client[] = []
    for (let n = 0; n < HANDS; n++) hands.push(await connect(address))
    const owner = hands[0] as Client
    await clock.set('2026-03-01T08:00:00.000Z')
    let heard = 0
    for (let round = 0; round < ROUNDS; round++) {
      const { request_id: request } = await owner.requestCreate({
        agent: 'ann',
        type: 'chore',
        title: 'May I?',
      })
      const revision = 1
      await owner.approve({ request, revision, grace_seconds: 10, notes: 'Go on' })
      // In even rounds the grace period is over before the calls start; in odd rounds it ends during them.
      const isEarly = round % 2 === 0
      if (isEarly) await clock.advance(10)
      const calls = Array.from({ length: CALLS }, (_, n): Promise<unknown> => {
        const hand = hands[n % HANDS] as Client
        if (n % 5 === 0) return retryWhileBusy(() => hand.undoDecision({ request }))
        if (n % 5 === 1) return retryWhileBusy(() => hand.reject({ request, revision }))
        if (n % 5 === 2) return retryWhileBusy(() => hand.requestGet({ request }))
        if (n % 5 === 3) return retryWhileBusy(() => hand.sweep({}))
        return retryWhileBusy(() => hand.cancelRequest({ agent: 'ann', request }))
      })
      if (!isEarly) await clock.advance(10)
      const outcomes = await Promise.allSettled(calls)
      for (const outcome of outcomes) {
        if (outcome.status === 'fulfilled') continue
        expect(outcome.reason).toBeInstanceOf(Refusal)
        expect(outcome.reason.code).toBe('invalid_state')
      }
      const { request: shown, activity } = await owner.requestGet({ request })
      const undone = activity.filter(({ action }) => action === 'undo').length
      const ends = activity.filter(({ to }) => to !== null && to !== 'pending')
      expect(shown.held_by).toBeNull()
      expect(ends).toHaveLength(1)
      expect(shown.status).not.toBe('pending')
      // If the decision was undone, someone else decided or the agent canceled. Otherwise it took effect.
      expect(undone).toBe(shown.status === 'approved' ? 0 : 1)
      if (isEarly) expect(shown.status).toBe('approved')
      if (shown.status !== 'cancelled') heard += 1
      expect((await owner.mailPeek({ agent: 'ann' })).messages).toHaveLength(heard)
    }
    const { findings } = await owner.doctor({})
    expect(findings.find(({ check }) => check === 'log')).toMatchObject({ ok: true })
    for (const hand of hands) await hand.close()
  }),
)
