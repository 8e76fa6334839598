import { expect, test } from 'bun:test'
import { withLonelyStore } from '../../races/own-store.ts'
import { BEFORE_BACKSTOP_MS, noticeBursts, worstOfSingles } from '../noticing.ts'
import { withMutant } from './mutant.ts'

// test/faults/wake.test.ts asks the same of the sources as they are.
test('sqlite: without the ring after the commit, a waiter has only its backstop', async () => {
  const mutation = { file: 'store/sqlite.ts', guard: ') afterCommit()\n', without: ') void 0\n' }
  const late = await withMutant(mutation, (source) =>
    withLonelyStore('sqlite', (store) => worstOfSingles(store, source)),
  )
  expect(late).toBeGreaterThan(BEFORE_BACKSTOP_MS)
})

test('postgres: without the ring after the commit, a waiter has only its backstop', async () => {
  const mutation = {
    file: 'store/postgres-write.ts',
    guard: '  ring(client)\n',
    without: '  void ring\n',
  }
  const late = await withMutant(mutation, (source) =>
    withLonelyStore('postgres', (store) => worstOfSingles(store, source)),
  )
  expect(late).toBeGreaterThan(BEFORE_BACKSTOP_MS)
})

test('without the second look, the last ring of a burst is lost on a waiter', async () => {
  const mutation = {
    file: 'wake/wait.ts',
    guard: 'const SECOND_LOOKS_MS = [3, 50]',
    without: 'const SECOND_LOOKS_MS: number[] = []',
  }
  const late = await withMutant(mutation, (source) =>
    withLonelyStore('sqlite', (store) =>
      noticeBursts(store, { bursts: 400, source, enoughMs: BEFORE_BACKSTOP_MS }),
    ),
  )
  expect(Math.max(...late)).toBeGreaterThan(BEFORE_BACKSTOP_MS)
})
