import { expect, test } from 'bun:test'
import { ENGINES } from './own-store.ts'
import { nightOfZombies } from './zombies.ts'

test.each([...ENGINES])(
  '%s: a write under a lease that is over is never accepted',
  async (engine) => {
    let [accepted, late] = [0, 0]
    // Enough must go through, and enough come too late, for the two lines below to mean something; on a
    // busy machine one night is too short for that.
    for (let night = 1; night <= 5 && (accepted <= 30 || late <= 20); night++) {
      const seen = await nightOfZombies(engine, { ms: 2500 * night })
      expect(seen.stale).toEqual([])
      expect(seen.findings).toEqual([])
      accepted += seen.accepted
      late += seen.late
    }
    expect(accepted).toBeGreaterThan(30)
    expect(late).toBeGreaterThan(20)
  },
)
