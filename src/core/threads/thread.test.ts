import { expect, test } from 'bun:test'
import {
  HELD_STATUSES,
  isFinished,
  MOVES,
  type Move,
  moved,
  mustBeWorkedOn,
  mustMove,
  PRIORITIES,
  priorityRank,
  THREAD_STATUSES,
  type Thread,
  WORK_STATUSES,
} from './thread.ts'

const ALL_MOVES: Move[] = [
  ...(['claim', 'renew', 'start', 'block', 'answer', 'note'] as const),
  ...(['done', 'fail', 'cancel', 'lapse', 'read'] as const),
  ...(['trash', 'restore', 'delete'] as const),
]

test('the table has every status, and every move in it is one of ours to one of ours', () => {
  expect(Object.keys(MOVES).sort()).toEqual([...THREAD_STATUSES].sort())
  for (const moves of Object.values(MOVES)) {
    for (const [move, to] of Object.entries(moves)) {
      expect(ALL_MOVES).toContain(move as Move)
      expect(THREAD_STATUSES).toContain(to)
    }
  }
})

test('every move is legal somewhere, and every status of work can be reached from pending', () => {
  for (const move of ALL_MOVES) {
    expect(THREAD_STATUSES.some((status) => moved(status, move) !== undefined)).toBe(true)
  }
  const reached = new Set<string>(['pending'])
  for (const status of reached) {
    for (const to of Object.values(MOVES[status as Thread['status']])) reached.add(to)
  }
  expect([...reached].sort()).toEqual([...WORK_STATUSES].sort())
})

test('what is not work stays open, whatever is said, until it is put away or deleted', () => {
  for (const move of ['answer', 'note', 'read'] as const) expect(moved('open', move)).toBe('open')
  expect(moved('open', 'trash')).toBe('trashed')
  expect(moved('trashed', 'restore')).toBe('open')
  expect(moved('trashed', 'answer')).toBe('open')
  for (const status of ['open', 'trashed'] as const) expect(moved(status, 'delete')).toBe('deleted')
  for (const move of ALL_MOVES) {
    expect(moved('deleted', move)).toBe(move === 'read' ? 'deleted' : undefined)
  }
})

test('from a finished status nothing leads away', () => {
  expect(THREAD_STATUSES.filter(isFinished)).toEqual(['done', 'failed', 'cancelled'])
  for (const status of THREAD_STATUSES.filter(isFinished)) {
    for (const move of ALL_MOVES) {
      expect(moved(status, move)).toBe(move === 'read' ? status : undefined)
    }
  }
})

test('only who holds a thread can work on it, so only held statuses know the moves of work', () => {
  for (const move of ['renew', 'start', 'block', 'done', 'fail', 'lapse'] as const) {
    const legal = THREAD_STATUSES.filter((status) => moved(status, move) !== undefined)
    expect(legal).toEqual([...HELD_STATUSES])
  }
})

test('reading never moves a thread, and only an answer unblocks one', () => {
  for (const status of THREAD_STATUSES) expect(moved(status, 'read')).toBe(status)
  expect(moved('blocked', 'answer')).toBe('in_progress')
  expect(moved('blocked', 'note')).toBe('blocked')
})

test('an illegal move is refused with the status and what to do instead', () => {
  const thread = { thread_id: 'thr_1', status: 'done', kind: 'work' } as Thread
  expect(() => mustMove(thread, 'claim', 'claim')).toThrow(
    'cannot claim thread thr_1: it is done; start a new thread with send()',
  )
  const waiting = { thread_id: 'thr_1', status: 'pending', kind: 'work' } as Thread
  expect(() => mustMove(waiting, 'renew', 'renew')).toThrow('claim it first')
  expect(mustMove(waiting, 'claim', 'claim')).toBe('claimed')
  const mail = { thread_id: 'thr_1', status: 'open', kind: 'mail' } as Thread
  expect(() => mustMove(mail, 'claim', 'claim')).toThrow('only work can be worked on')
})

test('what cannot be claimed is not said to need claiming', () => {
  const mail = { thread_id: 'thr_1', status: 'open', kind: 'mail' } as Thread
  expect(() => mustBeWorkedOn(mail, 'finish')).toThrow(
    'cannot finish thread thr_1: it is a thread of mail; only work can be worked on; see show({"thread":"thr_1"})',
  )
  const pending = { ...mail, status: 'pending', kind: 'work' } as Thread
  expect(() => mustBeWorkedOn(pending, 'finish')).not.toThrow()
})

test('high sorts before normal, normal before low', () => {
  expect(PRIORITIES.map(priorityRank)).toEqual([0, 1, 2])
})
