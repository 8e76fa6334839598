import { expect, test } from 'bun:test'
import { followLateCommit } from './late-commit.ts'
import { ENGINES, withLonelyStore } from './own-store.ts'
import { followWriters } from './writers.ts'

test('postgres: a cursor never skips the event of a writer that commits late', async () => {
  await withLonelyStore('postgres', async (store) => {
    const { shown, logged, secondWaited } = await followLateCommit(store)
    expect(secondWaited).toBe(true)
    expect(logged).toHaveLength(3)
    expect(shown).toEqual(logged)
  })
})

test.each([...ENGINES])(
  '%s: a reader sees every event of sixteen writers once and in order',
  async (engine) => {
    const { shown, logged } = await followWriters(engine, { writers: 16, each: 10 })
    expect(shown).toEqual(logged)
  },
)
