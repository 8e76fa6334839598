import { expect, test } from 'bun:test'
import { MAIL_TYPES } from '../vocabulary.ts'
import { DIRECTIONS, explainUncommon, mustBeFor, type Party } from './direction.ts'

const PARTIES: Party[] = ['orchestrator', 'agent', 'person']

test('every type has a direction, which is not reported as uncommon', () => {
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

test('an uncommon direction is reported but not rejected', () => {
  expect(explainUncommon('task-done', 'agent', ['agent'])).toBe(
    'task-done usually goes from an agent to the orchestrator',
  )
  expect(explainUncommon('answer', 'agent', ['agent'])).toContain(
    'from the orchestrator to an agent',
  )
  expect(explainUncommon('task-done', 'agent', ['agent', 'orchestrator'])).toBeNull()
  for (const type of MAIL_TYPES) expect(explainUncommon(type, 'person', PARTIES)).toBeNull()
})

test('a person cannot be assigned a task or canceled', () => {
  for (const type of MAIL_TYPES) {
    const isClosed = type === 'task-assigned' || type === 'cancel'
    const asking = () => mustBeFor(type, 'user', 'person')
    if (isClosed) expect(asking).toThrow('ask with type question')
    else expect(asking).not.toThrow()
  }
})
