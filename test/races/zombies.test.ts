import { expect, test } from 'bun:test'
import { ENGINES } from './own-store.ts'
import { nightOfZombies } from './zombies.ts'

test.each([...ENGINES])(
  '%s: a write under a lease that is over is never accepted',
  async (engine) => {
    const { stale, findings } = await nightOfZombies(engine, { accepted: 100, late: 40 })
    expect(stale).toEqual([])
    expect(findings).toEqual([])
  },
)
