import { expect, test } from 'bun:test'
import type { Move, ThreadStatus } from '../kinds.ts'
import { isFinished, statusAfter } from '../threads/thread.ts'
import { PUSH } from './push-kind.ts'

const MOVES = ['answer', 'note', 'read', 'trash', 'restore', 'delete'] as const

function after(status: ThreadStatus, move: Move) {
  return statusAfter({ kind: 'push', status }, move)
}

test('the table has exactly the expected statuses and moves', () => {
  expect(Object.keys(PUSH.moves)).toEqual(['open', 'trashed', 'deleted'])
  const legal = new Set(Object.values(PUSH.moves).flatMap((moves) => Object.keys(moves)))
  expect([...legal].sort()).toEqual(MOVES.toSorted())
})

test('a push stays open until it is trashed or deleted', () => {
  for (const move of ['answer', 'note', 'read'] as const) expect(after('open', move)).toBe('open')
  expect(after('open', 'trash')).toBe('trashed')
  expect(after('trashed', 'restore')).toBe('open')
  expect(after('trashed', 'answer')).toBe('open')
  for (const status of ['open', 'trashed'] as const) expect(after(status, 'delete')).toBe('deleted')
})

test('a deleted push can only be read', () => {
  expect(isFinished({ kind: 'push', status: 'deleted' })).toBe(true)
  for (const move of MOVES) {
    expect(after('deleted', move)).toBe(move === 'read' ? 'deleted' : undefined)
  }
})
