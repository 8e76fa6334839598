// Two processes make the same call with one idempotency key at the same time: the first is paused after writing its
// transaction and before committing it, the second runs into it, and the first resumes. Both must get the same answer,
// and the log must contain the change once.

import { startActor } from '../programs/start.ts'
import type { TestStore } from '../worlds/store.ts'
import { untilWaiting } from './waiting.ts'

export type Duplicate = { op: string; input: Record<string, unknown> }

export type Verdict = { answers: unknown[]; events: number }

/** The store must already be in a state where the call is possible. */
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
