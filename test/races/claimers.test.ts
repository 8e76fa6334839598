import { expect, test } from 'bun:test'
import { connect } from '../../src/index.ts'
import type { Claimed } from '../programs/claimer.ts'
import { startProgram, startTogether } from '../programs/start.ts'
import { ENGINES, withStore } from './own-store.ts'
import { contradictions, findingsOf } from './witness.ts'

const THREADS = 300

test.each([...ENGINES])('%s: twenty claimers of one agent never share a thread', async (engine) => {
  await withStore(engine, async (store) => {
    const lead = await connect(store.address, { agent: 'lead' })
    const sent = await Promise.all(
      Array.from({ length: THREADS }, () => lead.send({ to: 'worker', subject: 'work' })),
    )
    await lead.close()
    const claimers = await startTogether(20, () =>
      startProgram<Claimed>('claimer', [store.address, 'worker']),
    )
    const shares = await Promise.all(claimers.map((claimer) => claimer.rest()))
    const claimed = shares.flat()
    expect(claimed.map(({ thread }) => thread).sort()).toEqual(
      sent.map(({ thread }) => thread.thread_id).sort(),
    )
    expect(claimed.filter(({ generation }) => generation !== 1)).toEqual([])
    // It was a race: nobody got all of them.
    expect(Math.max(...shares.map((share) => share.length))).toBeLessThan(THREADS)
    expect(await contradictions(store, [])).toEqual([])
    expect(await findingsOf(store.address)).toEqual([])
  })
})
