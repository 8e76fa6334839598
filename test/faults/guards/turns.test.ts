import { expect, test } from 'bun:test'
import { mailTogether } from '../../races/round-robin.ts'
import { withMutant } from './mutant.ts'

// test/races/round-robin.test.ts asks the same of the sources as they are.
test('postgres: without the lock of the turn, senders give the same turn twice', async () => {
  const mutation = {
    file: 'store/queries-postgres.gen.ts',
    guard:
      "insert into role_turns (role, last_agent) values ($1, '') on conflict (role) do update set role = excluded.role returning last_agent",
    without:
      "with made as (insert into role_turns (role, last_agent) values ($1, '') on conflict do nothing) select coalesce((select last_agent from role_turns where role = $1), '') as last_agent",
  }
  const { turns, expected, told } = await withMutant(mutation, (source) =>
    mailTogether('postgres', { senders: 8, each: 20, source }),
  )
  expect(told).toHaveLength(expected.length)
  expect(turns).not.toEqual(expected)
})
