import { expect, test } from 'bun:test'
import type { Wake } from '../core/waking/wake.ts'
import { isOwn, type Owner, sinceThen } from './owner.ts'

const OWNER: Owner = {
  instance: 'pr-1',
  since: '2026-03-01T12:00:00.000Z',
  holds: async () => true,
}

test('a runner starts its own agents alone, and every other broker those without a runner', () => {
  const ofRunner = (runner: string) => ({ wake: { command: ['x'], runner } })
  expect(isOwn(ofRunner('pr-1'), OWNER)).toBe(true)
  expect(isOwn(ofRunner('pr-2'), OWNER)).toBe(false)
  expect(isOwn(ofRunner('pr-1'), undefined)).toBe(false)
  expect(isOwn({ wake: { command: ['x'] } }, OWNER)).toBe(false)
  expect(isOwn({ wake: { command: ['x'] } }, undefined)).toBe(true)
})

test('what failed before a runner began does not count for it; what is under way does', () => {
  const history = (ended_at: string | null) => ({
    ...{ handed: 0, lastTimer: null, starts: 0, firstStart: null, tookAt: null },
    last: { wake_id: 'wak_1', state: 'failed', attempt: 3, ended_at } as Wake,
  })
  const last = (ended_at: string | null, owner?: Owner) =>
    sinceThen(history(ended_at), owner).last?.wake_id
  expect(last('2026-03-01T11:59:59.999Z', OWNER)).toBeUndefined()
  expect(last('2026-03-01T11:59:59.999Z')).toBe('wak_1')
  expect(last('2026-03-01T12:00:00.000Z', OWNER)).toBe('wak_1')
  expect(last(null, OWNER)).toBe('wak_1')
})
