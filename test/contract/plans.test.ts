import { expect, test } from 'bun:test'
import { fillStore } from '../../bench/fill.ts'
import { postgresPlans, sqlitePlans } from '../../bench/plans.ts'
import { inPlace } from './engines.ts'

test('[sqlite] every query finds its rows through an index', () =>
  inPlace('sqlite wal', async ({ address }) => {
    await fillStore(address, { threads: 100 })
    expect(sqlitePlans(address).faults).toEqual([])
  }))

// PostgreSQL rightly reads all of a small table, so here the tables are not small.
test(
  '[postgres] every query finds its rows through an index',
  () =>
    inPlace('postgres C', async ({ address }) => {
      await fillStore(address, { threads: 20_000 })
      expect((await postgresPlans(address)).faults).toEqual([])
    }),
  30_000,
)
