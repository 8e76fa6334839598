import { expect, test } from 'bun:test'
import type { Wake } from '../core/waking/wake-record.ts'
import { historySince, mayBrokerStart, type Owner } from './wake-life.ts'

const OWNER: Owner = {
  instance: 'pr-1',
  since: '2026-03-01T12:00:00.000Z',
  holds: async () => true,
}

test('a runner starts only its own agents, and other brokers start agents without a runner', () => {
  const ofRunner = (runner: string) => ({ wake: { command: ['x'], runner } })
  expect(mayBrokerStart(ofRunner('pr-1'), OWNER)).toBe(true)
  expect(mayBrokerStart(ofRunner('pr-2'), OWNER)).toBe(false)
  expect(mayBrokerStart(ofRunner('pr-1'), undefined)).toBe(false)
  expect(mayBrokerStart({ wake: { command: ['x'] } }, OWNER)).toBe(false)
  expect(mayBrokerStart({ wake: { command: ['x'] } }, undefined)).toBe(true)
})

test('a failure from before the runner began does not count, an open wake does', () => {
  const history = (ended_at: string | null) => ({
    handed: 0,
    lastTimer: null,
    starts: 0,
    firstStart: null,
    tookAt: null,
    last: { wake_id: 'wak_1', state: 'failed', attempt: 3, ended_at } as Wake,
  })
  const last = (ended_at: string | null, owner?: Owner) =>
    historySince(history(ended_at), owner).last?.wake_id
  expect(last('2026-03-01T11:59:59.999Z', OWNER)).toBeUndefined()
  expect(last('2026-03-01T11:59:59.999Z')).toBe('wak_1')
  expect(last('2026-03-01T12:00:00.000Z', OWNER)).toBe('wak_1')
  expect(last(null, OWNER)).toBe('wak_1')
})
