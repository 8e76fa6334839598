// Eight workers that oversleep their leases, some under shared names, on few threads, with sweeps in
// between; the store's clock runs forty times as fast as ours. Was any write accepted that came too late?

import { startProgram, startTogether } from '../programs/start.ts'
import type { Accepted, Tally } from '../programs/zombie.ts'
import type { Engine } from '../worlds/store.ts'
import { withStore } from './own-store.ts'
import { contradictions, findingsOf } from './witness.ts'

const SPEED = 40
const NIGHTFALL = Date.parse('2030-01-01T00:00:00.000Z')

export type Night = Tally & { accepted: number; stale: string[]; findings: string[] }

export async function nightOfZombies(
  engine: Engine,
  { ms, source }: { ms: number; source?: string },
): Promise<Night> {
  return withStore(engine, async (store) => {
    const env = { MAILROOM_CLOCK: `${Date.now()}:${SPEED}` }
    const zombies = await startTogether(8, (i) => {
      const args = i < 6 ? [`shared${i % 2}`, 'byToken'] : [`own${i}`, 'byName']
      return startProgram<Accepted | Tally>('zombie', [store.address, ...args], { source, env })
    })
    const startedAt = performance.now()
    while (performance.now() - startedAt < ms) {
      // A server has its own clock; there it is set.
      if (engine === 'postgres') {
        await store.clock.set(
          new Date(NIGHTFALL + (performance.now() - startedAt) * SPEED).toISOString(),
        )
      }
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    for (const zombie of zombies) zombie.order({ stop: true })
    const lines = (await Promise.all(zombies.map((zombie) => zombie.rest()))).flat()
    const said = zombies.map((zombie) => zombie.stderr()).join('')
    if (said !== '') throw new Error(said)
    const acts = lines.filter((line) => 'event_id' in line)
    const tallies = lines.filter((line) => 'refused' in line)
    return {
      accepted: acts.length,
      refused: tallies.reduce((sum, { refused }) => sum + refused, 0),
      late: tallies.reduce((sum, { late }) => sum + late, 0),
      stale: await contradictions(store, acts),
      findings: await findingsOf(store.address),
    }
  })
}
