import { expect, test } from 'bun:test'
import { ENGINES } from './own-store.ts'
import { nightOfZombies } from './zombies.ts'

test.each([...ENGINES])('%s: never accepts a write under an expired lease', async (engine) => {
  const { stale, findings } = await nightOfZombies(engine, { accepted: 100, late: 40 })
  expect(stale).toEqual([])
  expect(findings).toEqual([])
})
