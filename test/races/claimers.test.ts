import { expect, test } from 'bun:test'
import { claimAll, unfairness } from './claimers.ts'
import { ENGINES, withStore } from './own-store.ts'
import { contradictions, findingsOf } from './witness.ts'

test.each([...ENGINES])('%s: twenty claimers of one agent never share a thread', async (engine) => {
  await withStore(engine, async (store) => {
    const all = await claimAll(store, { claimers: 20, threads: 300 })
    const claimed = all.shares.flat()
    expect(unfairness(all)).toEqual([])
    expect(claimed).toHaveLength(300)
    expect(claimed.filter(({ generation }) => generation !== 1)).toEqual([])
    // It was a race: nobody got all of them.
    expect(Math.max(...all.shares.map((share) => share.length))).toBeLessThan(300)
    expect(await contradictions(store, [])).toEqual([])
    expect(await findingsOf(store.address)).toEqual([])
  })
})
