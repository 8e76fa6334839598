import { expect, test } from 'bun:test'
import { findReached, leavesFirst, mustHavePart, mustOutrank } from './cascade.ts'

function tree(parents: Record<string, string | null>) {
  return Object.entries(parents).map(([agent_id, parent_agent_id]) => ({
    agent_id,
    parent_agent_id,
    role:
      agent_id === 'boss'
        ? 'orchestrator'
        : agent_id === 'eve' || agent_id === 'fay'
          ? 'builder'
          : '',
  }))
}

const FAMILY = tree({ ann: null, bob: 'ann', cid: 'ann', dan: 'bob', eve: 'dan', fay: null })

test('an agent comes after all agents it started', () => {
  expect(leavesFirst(FAMILY, ['ann'])).toEqual(['eve', 'dan', 'bob', 'cid', 'ann'])
  expect(leavesFirst(FAMILY, ['dan'])).toEqual(['eve', 'dan'])
  expect(leavesFirst(FAMILY, ['fay'])).toEqual(['fay'])
})

test('lists an agent once, even if named twice or below another named agent', () => {
  expect(leavesFirst(FAMILY, ['dan', 'ann', 'fay', 'dan'])).toEqual([
    'eve',
    'dan',
    'bob',
    'cid',
    'ann',
    'fay',
  ])
})

test('visits each agent once in a cycle of parents', () => {
  const circle = tree({ ann: 'bob', bob: 'cid', cid: 'ann' })
  expect(leavesFirst(circle, ['ann']).sort()).toEqual(['ann', 'bob', 'cid'])
  expect(() => mustOutrank(circle, { from: 'dan', role: '' }, 'ann')).toThrow('may not cancel')
})

test('only people, the orchestrator and agents above can cancel an agent', () => {
  const may = (from: string, role: string, target: string) => () =>
    mustOutrank(FAMILY, { from, role }, target)
  for (const from of ['user', 'user:zoe']) expect(may(from, '', 'eve')).not.toThrow()
  expect(may('boss', 'orchestrator', 'ann')).not.toThrow()
  for (const from of ['dan', 'bob', 'ann']) expect(may(from, 'builder', 'eve')).not.toThrow()
  for (const from of ['cid', 'fay', 'eve', 'nobody']) expect(may(from, '', 'eve')).toThrow()
  expect(may('eve', '', 'dan')).toThrow('eve may not cancel dan')
})

test('a cancel never reaches agents above, or the orchestrator unless a person sends it', () => {
  const family = tree({ ann: null, bob: 'ann', boss: 'bob', cid: 'boss' })
  const ann = { from: 'ann', role: '' }
  expect(() => mustOutrank(family, { from: 'bob', role: '' }, 'ann')).toThrow('may not cancel ann')
  expect(() => mustOutrank(family, ann, 'boss')).toThrow('boss, which is the orchestrator')
  expect(() => mustOutrank(family, { from: 'user', role: '' }, 'boss')).not.toThrow()
  expect(() => mustOutrank(family, ann, 'bob')).not.toThrow()
  expect(findReached(family, ann, ['bob'])).toEqual(['cid', 'bob'])
  expect(findReached(family, { from: 'user', role: '' }, ['bob'])).toEqual(['cid', 'boss', 'bob'])
})

const THREAD = { thread_id: 'thr_1', created_by: 'dan', assigned_to: 'cid', sent_to: 'cid' }

const may = (from: string, thread: Partial<typeof THREAD> = {}) => {
  return () => mustHavePart([...FAMILY, ...tree({ boss: null })], from, { ...THREAD, ...thread })
}

test('only the requester, the assignee and agents above them can cancel work', () => {
  for (const from of ['dan', 'cid', 'bob', 'ann', 'user', 'user:zoe', 'boss'])
    expect(may(from)).not.toThrow()
  for (const from of ['eve', 'fay', 'nobody'])
    expect(may(from)).toThrow('only dan or cid, an agent above them')
})

test('claiming work sent to another agent gives no right to cancel it', () => {
  const claimed = { assigned_to: 'gil' }
  expect(may('gil', claimed)).toThrow('thread thr_1 was not sent to gil; only dan or cid')
  expect(may('cid', claimed)).not.toThrow()
  const byEve = { created_by: 'fay', assigned_to: 'eve', sent_to: 'cid' }
  for (const from of ['eve', 'dan', 'bob']) expect(may(from, byEve)).toThrow()
})

test('any member can cancel unclaimed work of its role; then only the claimer can', () => {
  const free = { assigned_to: 'role:builder', sent_to: 'role:builder' }
  for (const from of ['eve', 'fay', 'dan']) expect(may(from, free)).not.toThrow()
  expect(may('cid', free)).toThrow('only dan or role:builder, an agent above')
  const held = { ...free, created_by: 'zoe', assigned_to: 'eve' }
  for (const from of ['eve', 'dan', 'zoe']) expect(may(from, held)).not.toThrow()
  for (const from of ['fay', 'cid']) expect(may(from, held)).toThrow('zoe or role:builder or eve')
  expect(may('cid', { ...free, assigned_to: 'cid' })).toThrow('was not sent to cid')
})
