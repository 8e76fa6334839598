import { expect, test } from 'bun:test'
import { claimAll, unfairness } from '../../races/claimers.ts'
import { withStore } from '../../races/own-store.ts'
import { withMutant } from './mutant.ts'

// test/races/claimers.test.ts asks the same of the sources as they are.
// The log's own rule, that a thread has one message at each place, then stops the second claimer.
test('postgres: without the row lock of the next thread, claimers run into each other', async () => {
  const mutation = {
    file: 'store/postgres/queries.gen.ts',
    guard: `assigned_to = $1 and kind = 'work' order by priority_rank, created_at, thread_id limit 1 for update skip locked`,
    without: `assigned_to = $1 and kind = 'work' order by priority_rank, created_at, thread_id limit 1`,
  }
  const problems = await withMutant(mutation, async (source) => {
    // A machine that runs one after the other needs more than one try.
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
