// A process kills itself at each named point of each write. If that's before the commit, nothing of the write remains;
// if it's after, all of it does. A retry with the same key gives the same result, without a second write.

import { describe, expect, test } from 'bun:test'
import { POINTS, type Point } from '../../src/core/store.ts'
import { connect } from '../../src/index.ts'
import { startActor } from '../programs/start.ts'
import { ENGINES, withEmptiedStore } from '../races/own-store.ts'
import { contradictions, findingsOf } from '../races/witness.ts'
import { extentAsked } from '../worlds/extent.ts'
import type { TestStore } from '../worlds/store.ts'
import { ACTS } from './acts.ts'

const isFull = extentAsked() === 'full'

const EARLIER = POINTS.filter((point) => point !== 'committed')

/**
 * All writes take the same path, so each is killed after its commit on one engine, and at one of the earlier points, in
 * turn, on the other. `npm run test:full` kills each write at every point on both.
 */
function casesOn(engine: (typeof ENGINES)[number]) {
  return Object.keys(ACTS).flatMap((name, index) => {
    const isMain = index % ENGINES.length === ENGINES.indexOf(engine)
    const turn = Math.floor(index / ENGINES.length)
    const earlier = EARLIER[turn % EARLIER.length] as Point
    const points: readonly Point[] = isFull ? POINTS : [isMain ? 'committed' : earlier]
    return points.map((point) => [name, point] as const)
  })
}

describe.each([...ENGINES])('%s: a process killed', (engine) => {
  test.each(casesOn(engine))(
    'in "%s" at "%s" leaves the whole write or none of it',
    async (name, at) => {
      const act = ACTS[name]
      if (act === undefined) throw new Error(`no act ${name}`)
      await withEmptiedStore(engine, async (store) => {
        const input = {
          ...(await act.scene(store)),
          ...(act.keyed ? { idempotency_key: 'k' } : {}),
        }
        const before = await contents(store)

        const victim = await startActor(store.address)
        expect(await victim.dies(act.op, input, { at, visit: 1 })).toBe(true)
        const killed = await settled(store)
        if (at === 'committed') expect(killed).not.toEqual(before)
        else expect(killed).toEqual(before)
        expect(await findingsOf(store.address)).toEqual([])

        // A caller that lost its answer calls again. With the same key, it gets the first answer, and there is no
        // second effect.
        const answer = await callAgain(store, act.op, input)
        const after = await contents(store)
        if (at === 'committed') expect(after).toEqual(killed)
        else expect(after).not.toEqual(before)
        if (act.adds > 0) {
          expect(after.events.length - before.events.length).toBe(act.adds)
          expect(answer.next_event_id).toBe(Number(after.events.at(-1)?.event_id))
        }
        expect(await contradictions(store, [])).toEqual([])
        expect(await findingsOf(store.address)).toEqual([])
      })
    },
  )
})

async function callAgain(store: TestStore, op: string, input: object) {
  const client = await connect(store.address, { agent: 'lead' })
  try {
    const call = client[op as 'send'] as (input: object) => Promise<{ next_event_id: number }>
    return await call(input)
  } finally {
    await client.close()
  }
}

type Contents = Record<string, Record<string, unknown>[]> & { events: { event_id?: unknown }[] }

/** What the store holds once the server process of a killed client has rolled back, which takes a moment. */
async function settled(store: TestStore): Promise<Contents> {
  if (store.engine === 'postgres') {
    // Takes the same locks in the same order, so it waits for the rollback.
    await store.sql(`select pg_advisory_xact_lock(7301, hashtext(current_schema()))`)
    await store.sql('select thread_id from threads for update')
  }
  return contents(store)
}

async function contents(store: TestStore): Promise<Contents> {
  const tables = ['threads', 'messages', 'artifacts', 'leases', 'thread_reads', 'events'] as const
  const later = ['agents', 'people', 'deliveries', 'role_turns', 'sightings', 'wakes'] as const
  const found: Record<string, Record<string, unknown>[]> = {}
  for (const table of [...tables, ...later, 'requests', 'agent_runs', 'snoozes', 'desk_rows'])
    found[table] = await store.sql(`select * from ${table} order by 1, 2`)
  return found as Contents
}
