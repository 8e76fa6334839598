import { expect, test } from 'bun:test'
import { startProgram, startTogether } from '../programs/start.ts'
import type { Sent } from '../programs/writer.ts'
import { withStore } from './own-store.ts'
import { contradictions, findingsOf } from './witness.ts'

const MS = 1200

// The journal of file systems without shared memory has readers and writers in each other's way.
test.each([
  ['sqlite', 'wal'],
  ['sqlite', 'delete'],
  ['postgres', ''],
] as const)('%s %s: two writers at full speed lose nothing', async (engine, journal) => {
  await withStore(engine, async (store) => {
    const env = { MAILROOM_JOURNAL: journal }
    const writers = await startTogether(2, (i) =>
      startProgram<Sent>('writer', [store.address, `writer${i}`, String(MS)], { env }),
    )
    const shares = await Promise.all(writers.map((writer) => writer.rest()))
    expect(writers.map((writer) => writer.stderr())).toEqual(['', ''])
    const sent = shares.flat()
    expect(Math.min(...shares.map((share) => share.length))).toBeGreaterThan(20)
    const stored = await store.sql('select event_id, thread_id from events order by event_id')
    const told = sent.sort((a, b) => a.event_id - b.event_id)
    expect(stored.map((row) => [Number(row.event_id), row.thread_id])).toEqual(
      told.map(({ event_id, thread }) => [event_id, thread]),
    )
    expect(await contradictions(store, sent)).toEqual([])
    if (journal !== 'delete') expect(await findingsOf(store.address)).toEqual([])
  })
})
