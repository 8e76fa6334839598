import { expect, test } from 'bun:test'
import { followLateCommit } from '../../races/late-commit.ts'
import { withLonelyStore } from '../../races/own-store.ts'
import { withMutant } from './mutant.ts'

const NEXT = '\\n  -- Taken apart once'

// test/races/late-commit.test.ts runs the same scenario on the real sources.
test('without the lock around the append, a cursor skips a slow writer', async () => {
  // The lock is taken twice: by its own statement, and by the append itself.
  const mutations = [
    {
      file: 'store/postgres/connection.ts',
      guard: 'select pg_advisory_xact_lock(7301, hashtext(current_schema()))',
      without: 'select 1',
    },
    {
      file: 'store/migrations.gen.ts',
      // Includes the comment after it, because the replaced first version of the function has this line too.
      guard: `perform pg_advisory_xact_lock(7301, hashtext(current_schema()));${NEXT}`,
      without: NEXT,
    },
  ]
  await withMutant(mutations, (source) =>
    withLonelyStore('postgres', async (store) => {
      const { shown, logged, secondWaited } = await followLateCommit(store, source)
      expect(secondWaited).toBe(false)
      expect(logged).toHaveLength(3)
      expect(shown).not.toEqual(logged)
    }),
  )
})
