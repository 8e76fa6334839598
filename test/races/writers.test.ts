import { expect, test } from 'bun:test'
import { writeTogether } from './writers.ts'

// The journal of file systems without shared memory has readers and writers in each other's way.
test.each([
  ['sqlite', 'wal'],
  ['sqlite', 'delete'],
  ['postgres', ''],
] as const)('%s %s: two writers at full speed lose nothing', async (engine, journal) => {
  const written = await writeTogether(engine, { writers: 2, each: 50, journal })
  expect(written.problems).toEqual([])
  expect(written.logged).toEqual(written.told)
})
