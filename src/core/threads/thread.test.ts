import { expect, test } from 'bun:test'
import { mustBeWorkedOn, mustMove, type Thread } from './thread.ts'

test('rejects an illegal move with the status and what to do instead', () => {
  const thread = { thread_id: 'thr_1', status: 'done', kind: 'work' } as Thread
  expect(() => mustMove(thread, 'claim', 'claim')).toThrow(
    'cannot claim thread thr_1: it is done; start a new thread with send()',
  )
  const waiting = { thread_id: 'thr_1', status: 'pending', kind: 'work' } as Thread
  expect(() => mustMove(waiting, 'renew', 'renew')).toThrow('claim it first')
  expect(mustMove(waiting, 'claim', 'claim')).toBe('claimed')
  // A thread of another kind can't be claimed, whatever its status.
  for (const kind of ['mail', 'push'] as const) {
    for (const status of ['open', 'pending', 'done', 'deleted'] as const) {
      const other = { thread_id: 'thr_1', status, kind } as Thread
      expect(() => mustMove(other, 'claim', 'claim')).toThrow('only work can be worked on')
    }
  }
})

test('does not tell the caller to claim what cannot be claimed', () => {
  const mail = { thread_id: 'thr_1', status: 'open', kind: 'mail' } as Thread
  expect(() => mustBeWorkedOn(mail, 'finish')).toThrow(
    'cannot finish thread thr_1: it is a thread of mail; only work can be worked on; see show({"thread":"thr_1"})',
  )
  const pending = { ...mail, status: 'pending', kind: 'work' } as Thread
  expect(() => mustBeWorkedOn(pending, 'finish')).not.toThrow()
})
