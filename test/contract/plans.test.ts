import { expect, test } from 'bun:test'
import { fillStore } from '../../bench/fill.ts'
import { postgresPlans, sqlitePlans } from '../../bench/plans.ts'
import { inPlace } from './engines.ts'

test('[sqlite] every query finds its rows through an index', () =>
  inPlace('sqlite wal', async ({ address }) => {
    await fillStore(address, { threads: 100 })
    expect(sqlitePlans(address).faults).toEqual([])
  }))

// A small table is often read completely even if it has an index, so this one is large.
test('[postgres] every query finds its rows through an index', () =>
  inPlace(
    'postgres C',
    async ({ address }) => {
      await fillStore(address, { threads: 20_000 })
      expect((await postgresPlans(address)).faults).toEqual([])
    },
    'unmade',
  ))

// A connection keeps its plans, so a plan made while a table was empty must still be good later.
test('[postgres] queries use indexes even if the server believes that every table is empty', () =>
  inPlace(
    'postgres C',
    async (place) => {
      await place.open()
      expect((await postgresPlans(place.address)).faults).toEqual([])
    },
    'unmade',
  ))
