import { expect, test } from 'bun:test'
import {
  INSTANCE_KEEP_MS,
  INSTANCE_LEASE_SECONDS,
  instanceIn,
  isHeld,
  isInstanceName,
} from './instance.ts'

const NOON = '2026-01-31T12:00:00.000Z'

test.each([
  ['coder@pr-123', 'pr-123'],
  ['helper', 'helper'],
])('%s is of the instance %s', (agent, instance) => {
  expect(instanceIn(agent)).toBe(instance)
})

test.each(['default', 'pr-123', 'A_b'])('%s is an instance name', (name) => {
  expect(isInstanceName(name)).toBe(true)
})

test.each(['', '1', 'a b', 'a@b', '../x', 'x'.repeat(65)])('%j is not an instance name', (name) => {
  expect(isInstanceName(name)).toBe(false)
})

test('an instance is held until its lease ends, and only while it runs', () => {
  const later = '2026-01-31T12:00:00.001Z'
  expect(isHeld({ state: 'running', expires_at: later }, NOON)).toBe(true)
  expect(isHeld({ state: 'running', expires_at: NOON }, NOON)).toBe(false)
  expect(isHeld({ state: 'ended', expires_at: later }, NOON)).toBe(false)
  // An imported run has no lease.
  expect(isHeld({ state: 'running', expires_at: null }, NOON)).toBe(false)
})

test('a runner can miss two renewals', () => {
  expect(INSTANCE_KEEP_MS * 3).toBeLessThan(INSTANCE_LEASE_SECONDS * 1000)
})
