// Eight workers oversleep their leases on a few threads, some under shared names, with sweeps in between. The store's
// clock runs forty times as fast as ours. Was any late write accepted?

import { startProgram, startTogether } from '../programs/start.ts'
import type { Accepted, Late } from '../programs/zombie.ts'
import type { Engine } from '../worlds/store.ts'
import { withStore } from './own-store.ts'
import { contradictions, findingsOf } from './witness.ts'

const SPEED = 40
const NIGHTFALL = Date.parse('2030-01-01T00:00:00.000Z')

export type Night = { accepted: number; late: number; stale: string[]; findings: string[] }

/** Ends after enough accepted and enough late writes. With fewer, the result would mean little. */
export async function nightOfZombies(
  engine: Engine,
  { accepted = 0, late = 0, source }: { accepted?: number; late?: number; source?: string },
): Promise<Night> {
  return withStore(engine, async (store) => {
    const env = { MAILROOM_CLOCK: `${Date.now()}:${SPEED}` }
    const zombies = await startTogether(8, (i) => {
      const args = i < 6 ? [`shared${i % 2}`, 'byToken'] : [`own${i}`, 'byName']
      return startProgram<Accepted | Late>('zombie', [store.address, ...args], { source, env })
    })
    const acts: Accepted[] = []
    let tooLate = 0
    const listening = zombies.map(async (zombie) => {
      for await (const line of zombie.lines) {
        if ('late' in line) tooLate += 1
        else acts.push(line)
      }
    })
    const startedAt = performance.now()
    while (acts.length < accepted || tooLate < late) {
      // A PostgreSQL server has its own clock, so set it.
      if (engine === 'postgres') {
        await store.clock.set(
          new Date(NIGHTFALL + (performance.now() - startedAt) * SPEED).toISOString(),
        )
      }
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    for (const zombie of zombies) zombie.order({ stop: true })
    await Promise.all(listening)
    const said = zombies.map((zombie) => zombie.stderr()).join('')
    if (said !== '') throw new Error(said)
    return {
      accepted: acts.length,
      late: tooLate,
      stale: await contradictions(store, acts),
      findings: await findingsOf(store.address),
    }
  })
}
