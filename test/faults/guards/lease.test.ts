import { describe, expect, test } from 'bun:test'
import { nightOfZombies } from '../../races/zombies.ts'
import { type Mutation, withMutant } from './mutant.ts'

// test/races/zombies.test.ts runs the same night on the real sources.
const staleWrites = async (source?: string) =>
  (await nightOfZombies('sqlite', { accepted: 120, ...(source ? { source } : {}) })).stale

/** Runs several nights, because any given night might have no late writer. */
async function someNights(source: string): Promise<string[]> {
  for (let night = 0; night < 30; night++) {
    const stale = await staleWrites(source)
    if (stale.length > 0) return stale
  }
  return []
}

const GUARDS: Record<string, Mutation> = {
  'that the token names the live lease': {
    file: 'core/threads/lease.ts',
    guard:
      'who.token === undefined ? lease.agent_id === who.agent : lease.lease_token === who.token',
    without: 'lease.agent_id === who.agent',
  },
  'that the lease has not lapsed': {
    file: 'core/threads/lease.ts',
    guard: 'if (isLive(lease, now)) {\n    const holds =',
    without: 'if (lease !== null && lease.released_at === null) {\n    const holds =',
  },
  'that a thread to claim is free': {
    file: 'core/threads/commands.ts',
    guard: '  mustBeFree(thread, lease, stamp.now, want.agent)\n',
    without: '',
  },
}

describe('the night of zombies', () => {
  test('finds no stale write with the real sources', async () => {
    expect(await staleWrites()).toEqual([])
  })
  test.each(Object.entries(GUARDS))('finds one without the check %s', async (_, mutation) => {
    expect((await withMutant(mutation, someNights)).length).toBeGreaterThan(0)
  })
})
