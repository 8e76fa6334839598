import { expect, test } from 'bun:test'
import { ENGINES } from './own-store.ts'
import { mailTogether } from './round-robin.ts'

// Turns are assigned under the role's lock, so the log has them in order.
test.each(ENGINES)(
  '%s: twenty parallel senders reach the members of a role in turn',
  async (engine) => {
    const { turns, expected, told, stored, problems } = await mailTogether(engine, {
      senders: 20,
      each: 10,
    })
    expect(problems).toEqual([])
    expect(turns).toHaveLength(200)
    expect(turns).toEqual(expected)
    expect(stored).toEqual(told)
  },
)
