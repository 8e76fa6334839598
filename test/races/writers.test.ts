import { expect, test } from 'bun:test'
import { writeTogether } from './writers.ts'

// The `delete` journal is for file systems without shared memory. There, readers and writers block each other.
test.each([
  ['sqlite', 'wal'],
  ['sqlite', 'delete'],
  ['postgres', ''],
] as const)('%s %s: two writers at full speed lose no writes', async (engine, journal) => {
  const written = await writeTogether(engine, { writers: 2, each: 50, journal })
  expect(written.problems).toEqual([])
  expect(written.logged).toEqual(written.told)
})
