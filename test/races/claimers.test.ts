import { expect, test } from 'bun:test'
import { claimAll, unfairness } from './claimers.ts'
import { ENGINES, withStore } from './own-store.ts'
import { contradictions, findingsOf } from './witness.ts'

test.each([...ENGINES])(
  '%s: twenty processes of one agent never claim the same thread',
  async (engine) => {
    // A round is a race only if no claimer got every thread. On a busy machine it can take several rounds to get a
    // race.
    let isRace = false
    for (let round = 0; round < 20 && !isRace; round++) {
      await withStore(engine, async (store) => {
        const all = await claimAll(store, { claimers: 20, threads: 300 })
        const claimed = all.shares.flat()
        expect(unfairness(all)).toEqual([])
        expect(claimed).toHaveLength(300)
        expect(claimed.filter(({ generation }) => generation !== 1)).toEqual([])
        expect(await contradictions(store, [])).toEqual([])
        expect(await findingsOf(store.address)).toEqual([])
        isRace = all.shares.every((share) => share.length < 300)
      })
    }
    expect(isRace).toBe(true)
  },
)
