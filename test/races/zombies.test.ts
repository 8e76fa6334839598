import { expect, test } from 'bun:test'
import { ENGINES } from './own-store.ts'
import { nightOfZombies } from './zombies.ts'

test.each([...ENGINES])(
  '%s: a write under a lease that is over is never accepted',
  async (engine) => {
    const { accepted, late, stale, findings } = await nightOfZombies(engine, { ms: 2500 })
    expect(stale).toEqual([])
    expect(findings).toEqual([])
    // Enough went through, and enough came too late, for the two lines above to mean something.
    expect(accepted).toBeGreaterThan(30)
    expect(late).toBeGreaterThan(20)
  },
)
