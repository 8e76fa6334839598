import { expect, test } from 'bun:test'
import { MAIL_TYPES } from '../vocabulary.ts'
import { DIRECTIONS, explainUncommon, mustBeFor, type Party } from './direction.ts'

const PARTIES: Party[] = ['orchestrator', 'agent', 'person']

test('every type has its way, and along it nothing is uncommon', () => {
  expect(Object.keys(DIRECTIONS).sort()).toEqual([...MAIL_TYPES].sort())
  for (const type of MAIL_TYPES) {
    for (const from of DIRECTIONS[type].from) {
      for (const to of DIRECTIONS[type].to) {
        expect(explainUncommon(type, from, [to])).toBeNull()
        expect(() => mustBeFor(type, 'someone', to)).not.toThrow()
      }
    }
  }
})

test('what takes another way is named, and not refused', () => {
  expect(explainUncommon('task-done', 'agent', ['agent'])).toBe(
    'task-done usually goes from an agent to the orchestrator',
  )
  expect(explainUncommon('answer', 'agent', ['agent'])).toContain(
    'from the orchestrator to an agent',
  )
  expect(explainUncommon('task-done', 'agent', ['agent', 'orchestrator'])).toBeNull()
  for (const type of MAIL_TYPES) expect(explainUncommon(type, 'person', PARTIES)).toBeNull()
})

test('a person is neither assigned a task nor cancelled', () => {
  for (const type of MAIL_TYPES) {
    const isClosed = type === 'task-assigned' || type === 'cancel'
    const asking = () => mustBeFor(type, 'user', 'person')
    if (isClosed) expect(asking).toThrow('ask with type question')
    else expect(asking).not.toThrow()
  }
})
