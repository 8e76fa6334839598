import { expect, test } from 'bun:test'
import { ENGINES } from './own-store.ts'
import { mailTogether } from './round-robin.ts'

// The turn is decided under its lock, so the log has the turns in order.
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
