import { expect, test } from 'bun:test'
import { type AgentLook, endingOf, type InstanceLook, QUIET_MS } from './ending.ts'

const STILL: AgentLook = {
  isWorking: false,
  waiting: 0,
  tooFar: 0,
  isSpent: false,
  isLeased: false,
  gaveUp: false,
}
const OVER: InstanceLook = {
  mode: 'run',
  isLost: false,
  isStopped: false,
  hasBegun: true,
  elapsedMs: 10_000,
  quietMs: QUIET_MS,
  agents: [STILL, STILL],
}

const run = (over: Partial<InstanceLook>, one: Partial<AgentLook> = {}) =>
  endingOf({ ...OVER, agents: [STILL, { ...STILL, ...one }], ...over })

test('a run is idle when no agent works, no mail waits, no lease is held and it is quiet', () => {
  expect(run({})).toBe('idle')
  expect(run({ quietMs: QUIET_MS - 1 })).toBeNull()
  expect(run({}, { isWorking: true })).toBeNull()
  expect(run({}, { waiting: 1 })).toBeNull()
  expect(run({}, { isLeased: true })).toBeNull()
})

test('a blocked run ends with the cause, once no agent is working', () => {
  expect(run({}, { gaveUp: true })).toBe('failed')
  expect(run({}, { tooFar: 1 })).toBe('hops')
  expect(run({}, { tooFar: 1, gaveUp: true })).toBe('hops')
  expect(run({ quietMs: 0 }, { isSpent: true, waiting: 1 })).toBe('budget')
  expect(run({}, { isSpent: true, waiting: 1, isLeased: true })).toBe('budget')
  const both = [
    { ...STILL, isSpent: true },
    { ...STILL, isWorking: true },
  ]
  expect(run({ agents: both })).toBeNull()
  const another = [
    { ...STILL, isSpent: true, waiting: 1 },
    { ...STILL, waiting: 1 },
  ]
  expect(run({ agents: another, quietMs: 0 })).toBeNull()
})

test('a run without a kickoff ends at once', () => {
  expect(run({ hasBegun: false, quietMs: 0 })).toBe('no_kickoff')
  expect(run({ hasBegun: false }, { waiting: 1 })).toBeNull()
})

test('a stop, a timeout or another runner ends a run at any time', () => {
  const busy = { isWorking: true, waiting: 3 }
  for (const mode of ['run', 'start'] as const) {
    expect(run({ mode, isStopped: true }, busy)).toBe('stopped')
    expect(run({ mode, isLost: true, isStopped: true }, busy)).toBe('lost')
    expect(run({ mode, timeoutMs: 10_000 }, busy)).toBe('timeout')
    expect(run({ mode, timeoutMs: 10_001 }, busy)).toBeNull()
  }
})

test('a started workflow never ends by itself', () => {
  expect(run({ mode: 'start', quietMs: 1e9 })).toBeNull()
  expect(run({ mode: 'start', hasBegun: false })).toBeNull()
  expect(run({ mode: 'start' }, { gaveUp: true, tooFar: 2 })).toBeNull()
})
