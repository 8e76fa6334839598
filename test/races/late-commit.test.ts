import { expect, test } from 'bun:test'
import { followLateCommit } from './late-commit.ts'
import { ENGINES, withLonelyStore } from './own-store.ts'
import { followWriters } from './writers.ts'

test('postgres: a cursor never steps over a writer that is slow to commit', async () => {
  await withLonelyStore('postgres', async (store) => {
    const { shown, logged, secondWaited } = await followLateCommit(store)
    expect(secondWaited).toBe(true)
    expect(logged).toHaveLength(3)
    expect(shown).toEqual(logged)
  })
})

test.each([...ENGINES])(
  '%s: sixteen writers, and a reader is shown every event once, in order',
  async (engine) => {
    const { shown, logged } = await followWriters(engine, { writers: 16, each: 10 })
    expect(shown).toEqual(logged)
  },
)
