import { expect, test } from 'bun:test'
import { callerBy, field, operation, refuse } from '../../core/error.ts'
import type { Operation } from '../../ops/kit/operation.ts'
import { mailRead } from '../../ops/mail/mail-read.ts'
import { mailSend } from '../../ops/mail/mail-send.ts'
import { watch } from '../../ops/threads/watch.ts'
import { limitWait, makeHttpWords } from './ops-route.ts'

const seconds = (op: unknown, raw: object) =>
  limitWait(op as Operation, raw as Record<string, unknown>).timeout_seconds

test('limits every wait to the longest time a request may take', () => {
  expect(seconds(watch, {})).toBe(55)
  for (const asked of [0, '0', 56, 1800]) {
    expect(seconds(watch, { timeout_seconds: asked })).toBe(55)
    expect(seconds(mailSend, { wait: 'read', timeout_seconds: asked })).toBe(55)
  }
  expect(seconds(mailSend, { wait: 'read' })).toBe(55)
  expect(seconds(watch, { timeout_seconds: 20 })).toBe(20)
})

test('does not add a wait that was not requested or fix a wrong timeout', () => {
  expect(seconds(mailSend, {})).toBeUndefined()
  expect(seconds(mailRead, {})).toBeUndefined()
  expect(seconds(mailRead, { timeout_seconds: 0 })).toBe(0)
  expect(seconds(watch, { timeout_seconds: 'long' })).toBe('long')
})

test('refusals name fields as the request does, and operations by their paths', () => {
  const refusal = refuse.invalid_input`${field('workspace')}, ${callerBy('agent')}, ${operation('mail mark-read')}, ${operation('show', { thread: 'thr_1' })}, ${field('db')}`
  const end = 'agent, /api/ops/mail-mark-read, /api/ops/show {"thread":"thr_1"}, --db'
  expect(refusal.inWords(makeHttpWords())).toBe(`workspace, ${end}`)
  expect(refusal.inWords(makeHttpWords({ workspace: 'workspaceId' }))).toBe(`workspaceId, ${end}`)
})

test('handles field names inherited from Object', () => {
  for (const name of ['__proto__', 'constructor']) {
    expect(refuse.invalid_input`${field(name)} is not a known field`.inWords(makeHttpWords())).toBe(
      `${name} is not a known field`,
    )
  }
})
