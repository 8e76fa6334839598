import { expect, test } from 'bun:test'
import type { Move } from '../kinds.ts'
import { isFinished, statusAfter } from './thread.ts'
import { PRIORITIES, priorityRank, WORK, WORK_STATUSES, type WorkStatus } from './work.ts'

const MOVES = [
  'claim',
  'renew',
  'start',
  'block',
  'answer',
  'note',
  'done',
  'fail',
  'cancel',
  'lapse',
  'read',
] as const

function after(status: WorkStatus, move: Move) {
  return statusAfter({ kind: 'work', status }, move)
}

test('the table has exactly the expected statuses and moves', () => {
  expect(Object.keys(WORK.moves)).toEqual([...WORK_STATUSES])
  const legal = new Set(Object.values(WORK.moves).flatMap((moves) => Object.keys(moves)))
  expect([...legal].sort()).toEqual(MOVES.toSorted())
})

test('no move leaves a finished status', () => {
  const finished = WORK_STATUSES.filter((status) => isFinished({ kind: 'work', status }))
  expect(finished).toEqual(['done', 'failed', 'cancelled'])
  for (const status of finished) {
    for (const move of MOVES) expect(after(status, move)).toBe(move === 'read' ? status : undefined)
  }
})

test('only statuses with a holder allow the moves of work', () => {
  for (const move of ['renew', 'start', 'block', 'done', 'fail', 'lapse'] as const) {
    const legal = WORK_STATUSES.filter((status) => after(status, move) !== undefined)
    expect(legal).toEqual(['claimed', 'in_progress', 'blocked'])
  }
})

test('only an answer unblocks work', () => {
  expect(after('blocked', 'answer')).toBe('in_progress')
  expect(after('blocked', 'note')).toBe('blocked')
})

test('high sorts before normal, normal before low', () => {
  expect(PRIORITIES.map(priorityRank)).toEqual([0, 1, 2])
})
