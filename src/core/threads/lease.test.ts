import { expect, test } from 'bun:test'
import type { Refusal } from '../error.ts'
import { hasLapsed, isLive, type Lease, mustBeFree, mustHold } from './lease.ts'
import type { Thread } from './thread.ts'

const THREAD = { thread_id: 'thr_1', status: 'claimed' } as Thread
const BEFORE = '2026-03-01T08:00:59.999Z'
const AT = '2026-03-01T08:01:00.000Z'
const LEASE: Lease = {
  thread_id: 'thr_1',
  agent_id: 'worker',
  lease_token: 'lse_1',
  generation: 3,
  lease_seconds: 60,
  claimed_at: '2026-03-01T08:00:00.000Z',
  expires_at: AT,
  released_at: null,
}
const RELEASED = { ...LEASE, released_at: BEFORE }

test('(1) a lease is live until it expires or is released', () => {
  expect(isLive(LEASE, BEFORE)).toBe(true)
  expect(isLive(RELEASED, BEFORE)).toBe(false)
  expect(isLive(null, BEFORE)).toBe(false)
})

test('(2) a lease has lapsed at the moment it expires, unless it was released', () => {
  expect([isLive(LEASE, AT), hasLapsed(LEASE, AT)]).toEqual([false, true])
  expect(hasLapsed(LEASE, BEFORE)).toBe(false)
  expect(hasLapsed(RELEASED, AT)).toBe(false)
  expect(hasLapsed(null, AT)).toBe(false)
})

type Asking = {
  agent?: string
  token?: string
  everHeld?: boolean
  lease?: Lease | null
  now?: string
}

function codeOf({
  agent = 'worker',
  token,
  everHeld = false,
  lease = LEASE,
  now = BEFORE,
}: Asking) {
  try {
    mustHold(THREAD, lease, { agent, token, everHeld }, now, 'update')
    return 'holds'
  } catch (error) {
    return (error as Refusal).code
  }
}

test('(4) a live lease is checked by token, or by name if no token is given', () => {
  expect(codeOf({})).toBe('holds')
  expect(codeOf({ token: 'lse_1' })).toBe('holds')
  expect(codeOf({ agent: 'heir', token: 'lse_1' })).toBe('holds')
  expect(codeOf({ agent: 'heir' })).toBe('lease_conflict')
  expect(codeOf({ token: 'lse_0' })).toBe('lease_conflict')
  expect(codeOf({ agent: 'heir', everHeld: true })).toBe('lease_conflict')
})

test('(2) after a lease ends, its former holder gets a conflict and others must claim the thread', () => {
  for (const over of [{ now: AT }, { lease: RELEASED }, { lease: null }]) {
    expect(codeOf({ ...over, everHeld: true })).toBe('lease_conflict')
    expect(codeOf({ ...over, token: 'lse_1' })).toBe('lease_conflict')
    expect(codeOf({ ...over })).toBe('invalid_state')
  }
})

test('a refusal names the current holder, or says there is none', () => {
  const said = (asking: Asking) => {
    const { agent = 'worker', token, lease = LEASE, now = BEFORE } = asking
    try {
      mustHold(THREAD, lease, { agent, token, everHeld: true }, now, 'update')
    } catch (error) {
      return error as Refusal
    }
    throw new Error('it holds')
  }
  expect(said({ agent: 'heir' }).details).toEqual({
    thread_id: 'thr_1',
    held_by: 'worker',
    expires_at: AT,
  })
  expect(said({ agent: 'heir' }).message).toContain('worker holds it until')
  expect(said({ now: AT }).details).toEqual({ thread_id: 'thr_1', held_by: null })
  expect(said({ now: AT }).message).toContain('claim({"thread":"thr_1"})')
})

test('(1) a thread is free only without a live lease', () => {
  expect(() => mustBeFree(THREAD, LEASE, BEFORE)).toThrow('held by worker until')
  for (const [lease, now] of [
    [LEASE, AT],
    [RELEASED, BEFORE],
    [null, BEFORE],
  ] as const) {
    expect(() => mustBeFree(THREAD, lease, now)).not.toThrow()
  }
})
