import { expect, test } from 'bun:test'
import { refuse } from '../../core/error.ts'
import { callerBy, field, operation, sentence } from '../../core/sentence.ts'
import { wordsAt } from './words.ts'

test('a field is called as the request has it, an operation by its path', () => {
  const refusal = refuse(
    'invalid_input',
    sentence`${field('workspace')}, ${callerBy('agent')}, ${operation('mail mark-read')}, ${operation('show', { thread: 'thr_1' })}, ${field('db')}`,
  )
  const end = 'agent, /api/ops/mail-mark-read, /api/ops/show {"thread":"thr_1"}, --db'
  expect(refusal.inWords(wordsAt())).toBe(`workspace, ${end}`)
  expect(refusal.inWords(wordsAt({ workspace: 'workspaceId' }))).toBe(`workspaceId, ${end}`)
})

test('a name that every object has is a name like any other', () => {
  for (const name of ['__proto__', 'constructor']) {
    expect(
      refuse('invalid_input', sentence`${field(name)} is not a known field`).inWords(wordsAt()),
    ).toBe(`${name} is not a known field`)
  }
})
