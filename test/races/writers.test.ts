import { expect, test } from 'bun:test'
import { writeTogether } from './writers.ts'

// The journal of file systems without shared memory has readers and writers in each other's way.
test.each([
  ['sqlite', 'wal'],
  ['sqlite', 'delete'],
  ['postgres', ''],
] as const)('%s %s: two writers at full speed lose nothing', async (engine, journal) => {
  let share = 0
  // Enough of both for the two lines below to mean something; a busy machine needs longer for that.
  for (let ms = 1200; ms <= 20_000 && share <= 20; ms *= 4) {
    const written = await writeTogether(engine, { writers: 2, ms, journal })
    expect(written.problems).toEqual([])
    expect(written.logged).toEqual(written.told)
    share = Math.min(...written.shares)
  }
  expect(share).toBeGreaterThan(20)
})
