import { expect, test } from 'bun:test'
import { writeTogether } from './writers.ts'

// The journal of file systems without shared memory has readers and writers in each other's way.
test.each([
  ['sqlite', 'wal'],
  ['sqlite', 'delete'],
  ['postgres', ''],
] as const)('%s %s: two writers at full speed lose nothing', async (engine, journal) => {
  const written = await writeTogether(engine, { writers: 2, ms: 1200, journal })
  expect(written.problems).toEqual([])
  expect(written.logged).toEqual(written.told)
  expect(Math.min(...written.shares)).toBeGreaterThan(20)
})
