import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { ENGINES, withLonelyStore } from '../../races/own-store.ts'
import { hearsOne, WITHOUT_BACKSTOP } from '../noticing.ts'
import { hearsSecondRing } from '../second-ring.ts'
import { type Mutation, withMutant } from './mutant.ts'

// test/faults/wake.test.ts runs the same scenarios with these guards in place.
const RINGS: Record<(typeof ENGINES)[number], Mutation> = {
  sqlite: { file: 'store/sqlite/write.ts', guard: ') afterCommit()\n', without: ') void 0\n' },
  postgres: {
    file: 'store/postgres/write.ts',
    guard: '  ring(client)\n',
    without: '  void ring\n',
  },
}

describe.each([...ENGINES])('%s: without the ring after the commit', (engine) => {
  const isWoken = (mutations: Mutation[], patience: 'until it comes' | 'until it sleeps') =>
    withMutant(mutations, (source) =>
      withLonelyStore(engine, (store) => hearsOne(store, source, patience)),
    )
  test('a waiter stays asleep', async () => {
    expect(await isWoken([RINGS[engine], ...WITHOUT_BACKSTOP], 'until it sleeps')).toBe(false)
  })
  test('a waiter is woken by its backstop', async () => {
    expect(await isWoken([RINGS[engine]], 'until it comes')).toBe(true)
  })
})

test('without the second look, a waiter misses the last ring of a burst', async () => {
  const mutation = {
    file: 'wake/wait.ts',
    guard: 'const SECOND_LOOKS_MS = [3, 50]',
    without: 'const SECOND_LOOKS_MS: number[] = []',
  }
  await withMutant(mutation, async (source) => {
    const { waitFor } = await import(join(source, 'wake/wait.ts'))
    const hears = (n: number) => hearsSecondRing(waitFor, join(source, `bell-${n}`))
    // On a busy machine a ring may come a moment too late to be swallowed.
    let heard = 0
    while (heard < 100 && (await hears(heard))) heard += 1
    expect(heard).toBeLessThan(100)
  })
})
