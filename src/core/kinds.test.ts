import { expect, test } from 'bun:test'
import {
  KINDS,
  movesOf,
  statusesOf,
  THREAD_KINDS,
  type ThreadKind,
  type ThreadStatus,
} from './kinds.ts'
import { isFinished, statusAfter } from './threads/thread.ts'

test.each(THREAD_KINDS)('%s: every move is to a status of the same kind', (kind) => {
  const statuses = statusesOf(kind)
  for (const status of statuses) {
    for (const to of Object.values(movesOf(kind, status))) expect(statuses).toContain(to)
  }
})

test.each(THREAD_KINDS)('%s: every status can be reached from the first', (kind) => {
  const reached = new Set<ThreadStatus>([KINDS[kind].first])
  for (const status of reached) {
    for (const to of Object.values(movesOf(kind, status))) reached.add(to)
  }
  expect([...reached].sort()).toEqual(statusesOf(kind).toSorted())
})

test.each(THREAD_KINDS)('%s: reading never moves a thread', (kind) => {
  for (const status of statusesOf(kind)) expect(statusAfter({ kind, status }, 'read')).toBe(status)
})

test.each(THREAD_KINDS)('%s: no move is legal in a status of another kind', (kind) => {
  const own = statusesOf(kind)
  const others = THREAD_KINDS.flatMap(statusesOf).filter((status) => !own.includes(status))
  for (const status of others) {
    expect(movesOf(kind, status)).toEqual({})
    expect(isFinished({ kind, status })).toBe(false)
  }
})

test.each(THREAD_KINDS)('%s: can be claimed if and only if it is leased', (kind) => {
  const claimable = statusesOf(kind).filter((status) => 'claim' in movesOf(kind, status))
  expect(claimable.length > 0).toBe(KINDS[kind].leased)
})

test('each of these rules belongs to exactly one kind', () => {
  const having = (has: (kind: ThreadKind) => boolean) => THREAD_KINDS.filter(has)
  // `mail_prunable` and the queries for pushes, requests and revisions (src/store) handle one kind each; 'finished'
  // handles every kind.
  expect(having((kind) => KINDS[kind].retention === 'handled')).toEqual(['mail'])
  expect(having((kind) => KINDS[kind].retention === 'trashed')).toEqual(['push'])
  expect(having((kind) => KINDS[kind].retention === 'resolved')).toEqual(['request'])
  expect(having((kind) => KINDS[kind].retention === 'outlived')).toEqual(['document'])
  expect(having((kind) => KINDS[kind].retention === 'left')).toEqual(['channel'])
  // src/ops/inbox/visible-thread.ts and src/ops/server/tail.ts read the workspace from the push's row.
  expect(having((kind) => KINDS[kind].ofWorkspaces)).toEqual(['push'])
})
