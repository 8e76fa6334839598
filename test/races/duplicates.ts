// Two processes make the same call under one idempotency key at the same time: the first is stopped
// with its transaction written and not committed, the second runs into it, then the first goes on.
// Both must come to the same answer, and the log must hold the act once.

import { startActor } from '../programs/start.ts'
import type { TestStore } from '../worlds/store.ts'
import { untilWaiting } from './waiting.ts'

export type Duplicate = { op: string; input: Record<string, unknown> }

export type Verdict = { answers: unknown[]; events: number }

/** `prepare` brings the store to where the call is possible, and says what to call. */
export async function callTwice(
  store: TestStore,
  { op, input }: Duplicate,
  source?: string,
): Promise<Verdict> {
  const [first, second] = await Promise.all([
    startActor(store.address, 'lead', { source }),
    startActor(store.address, 'lead', { source }),
  ])
  try {
    const before = await lastEvent(store)
    const keyed = { ...input, idempotency_key: `same ${op}` }
    const held = await first.hold(op, keyed, 'written')
    const other = second.call(op, keyed)
    await untilWaiting(store, second.pid)
    first.resume()
    const answers = await Promise.all([held.answer, other])
    return {
      answers: answers.map(({ result, refusal }) => result ?? refusal),
      events: (await lastEvent(store)) - before,
    }
  } finally {
    await Promise.all([first.close(), second.close()])
  }
}

async function lastEvent(store: TestStore): Promise<number> {
  const [row] = await store.sql("select count(*) as n from events where thread_id <> ''")
  return Number(row?.n)
}
