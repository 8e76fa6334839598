import { expect } from 'bun:test'
import { contract } from './engines.ts'
import { ladderFaults } from './ladder.ts'

// test/faults/guards/ladder.test.ts removes the guard that keeps a delivery from moving back.
contract('no step moves a delivery back, in any state', async ({ address }) => {
  expect(await ladderFaults(address)).toEqual([])
})
