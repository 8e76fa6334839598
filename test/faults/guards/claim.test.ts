import { expect, test } from 'bun:test'
import { claimAll, unfairness } from '../../races/claimers.ts'
import { withStore } from '../../races/own-store.ts'
import { withMutant } from './mutant.ts'

// test/races/claimers.test.ts runs the same claims on the real sources. Without the lock, the log's rule that a thread
// has one message per position still stops the second claimer.
test('postgres: without the row lock of the next thread, claimers collide', async () => {
  const mutation = {
    file: 'store/postgres/queries.gen.ts',
    guard: `assigned_to = $1 and kind = 'work' order by priority_rank, created_at, thread_id limit 1 for update skip locked`,
    without: `assigned_to = $1 and kind = 'work' order by priority_rank, created_at, thread_id limit 1`,
  }
  const problems = await withMutant(mutation, async (source) => {
    // Claims that happen to run one after the other prove nothing, so try more than once.
    for (let round = 0; round < 20; round++) {
      const how = { claimers: 8, threads: 60, source }
      const found = await withStore('postgres', async (store) =>
        unfairness(await claimAll(store, how)),
      )
      if (found.length > 0) return found
    }
    return []
  })
  expect(problems).not.toEqual([])
})
