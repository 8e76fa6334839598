import { expect, test } from 'bun:test'
import type { Refusal } from '../error.ts'
import { mustFitBelow } from './parent.ts'

/** Agents a1, a2 and so on down to a`depth`, each one above the next. */
function chain(depth: number, prefix = 'a') {
  return Array.from({ length: depth }, (_, i) => ({
    agent_id: `${prefix}${i + 1}`,
    parent_agent_id: i === 0 ? null : `${prefix}${i}`,
  }))
}

function fits(parent: string, agentId: string, agents: ReturnType<typeof chain>): string {
  try {
    mustFitBelow(parent, agentId, agents)
    return 'fits'
  } catch (error) {
    return (error as Refusal).code
  }
}

test('limits the depth of agents to 64, including those below a moved agent', () => {
  expect(fits('a63', 'new', chain(63))).toBe('fits')
  expect(fits('a64', 'new', chain(64))).toBe('invalid_state')
  expect(fits('a32', 'b1', [...chain(32), ...chain(32, 'b')])).toBe('fits')
  expect(fits('a33', 'b1', [...chain(33), ...chain(32, 'b')])).toBe('invalid_state')
})

test('an agent cannot be below itself', () => {
  expect(fits('a3', 'a1', chain(3))).toBe('invalid_state')
  expect(fits('a1', 'a1', chain(3))).toBe('invalid_state')
  expect(fits('a1', 'a3', chain(3))).toBe('fits')
  expect(fits('nobody', 'a1', chain(3))).toBe('not_found')
})
