import { expect } from 'bun:test'
import { contract } from './engines.ts'
import { ladderFaults } from './ladder.ts'

// test/faults/guards/ladder.test.ts takes out what keeps a delivery from moving back.
contract('no step moves a delivery back, whatever state it is in', async ({ address }) => {
  expect(await ladderFaults(address)).toEqual([])
})
