import { expect, test } from 'bun:test'
import { mailTogether } from '../../races/round-robin.ts'
import { withMutant } from './mutant.ts'

// test/races/round-robin.test.ts runs the same scenario on the real sources.
test('postgres: without the lock of the turn, two senders choose the same agent', async () => {
  const mutation = {
    file: 'store/postgres/queries.gen.ts',
    guard:
      "insert into role_turns (role, last_agent) values ($1, '') on conflict (role) do update set role = excluded.role returning last_agent",
    without:
      "with made as (insert into role_turns (role, last_agent) values ($1, '') on conflict do nothing) select coalesce((select last_agent from role_turns where role = $1), '') as last_agent",
  }
  const isSeen = await withMutant(mutation, async (source) => {
    // Sends that happen to run one after the other prove nothing, so try more than once.
    for (let round = 0; round < 20; round++) {
      const how = { senders: 8, each: 20, source }
      const { turns, expected, told } = await mailTogether('postgres', how)
      expect(told).toHaveLength(expected.length)
      if (!Bun.deepEquals(turns, expected)) return true
    }
    return false
  })
  expect(isSeen).toBe(true)
})
