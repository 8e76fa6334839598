import { expect, test } from 'bun:test'
import { leavesFirst, mustHavePart, mustOutrank } from './cascade.ts'

function tree(parents: Record<string, string | null>) {
  return Object.entries(parents).map(([agent_id, parent_agent_id]) => ({
    agent_id,
    parent_agent_id,
  }))
}

const FAMILY = tree({ ann: null, bob: 'ann', cid: 'ann', dan: 'bob', eve: 'dan', fay: null })

test('each comes after everyone it started', () => {
  expect(leavesFirst(FAMILY, ['ann'])).toEqual(['eve', 'dan', 'bob', 'cid', 'ann'])
  expect(leavesFirst(FAMILY, ['dan'])).toEqual(['eve', 'dan'])
  expect(leavesFirst(FAMILY, ['fay'])).toEqual(['fay'])
})

test('who is named twice, or below another that is named, is there once', () => {
  expect(leavesFirst(FAMILY, ['dan', 'ann', 'fay', 'dan'])).toEqual([
    'eve',
    'dan',
    'bob',
    'cid',
    'ann',
    'fay',
  ])
})

test('a circle of parents is gone round once', () => {
  const circle = tree({ ann: 'bob', bob: 'cid', cid: 'ann' })
  expect(leavesFirst(circle, ['ann']).sort()).toEqual(['ann', 'bob', 'cid'])
  expect(() => mustOutrank(circle, { from: 'dan', role: '' }, 'ann')).toThrow('may not cancel')
})

test('people, the orchestrator and those above may cancel; nobody else, and nobody itself', () => {
  const may = (from: string, role: string, target: string) => () =>
    mustOutrank(FAMILY, { from, role }, target)
  for (const from of ['user', 'user:zoe']) expect(may(from, '', 'eve')).not.toThrow()
  expect(may('boss', 'orchestrator', 'ann')).not.toThrow()
  for (const from of ['dan', 'bob', 'ann']) expect(may(from, 'builder', 'eve')).not.toThrow()
  for (const from of ['cid', 'fay', 'eve', 'nobody']) expect(may(from, '', 'eve')).toThrow()
  expect(may('eve', '', 'dan')).toThrow('eve may not cancel dan')
})

test('work is ended by who asked for it or does it, by those above, and by nobody else', () => {
  const thread = { thread_id: 'thr_1', created_by: 'dan', assigned_to: 'cid' }
  const may =
    (from: string, role = '') =>
    () =>
      mustHavePart(FAMILY, { from, role }, thread)
  for (const from of ['dan', 'cid', 'bob', 'ann', 'user', 'user:zoe'])
    expect(may(from)).not.toThrow()
  expect(may('boss', 'orchestrator')).not.toThrow()
  for (const from of ['eve', 'fay', 'nobody']) expect(may(from)).toThrow('dan or cid may stop it')
})
