import { expect, test } from 'bun:test'
import {
  callerBy,
  type DoorWords,
  field,
  operation,
  Refusal,
  refuse,
  type Sentence,
  sentence,
} from './error.ts'

const MARKED: DoorWords = {
  field: (name) => `<${name}>`,
  caller: (name) => `<me by ${name}>`,
  operation: (name, input) => `<${name} ${Object.values(input)}>`,
}

function both(said: Sentence): [plain: string, marked: string] {
  const refusal = refuse.invalid_input`${said}`
  return [refusal.message, refusal.inWords(MARKED)]
}

test('each door writes a sentence in its own form', () => {
  expect(both('as it is')).toEqual(['as it is', 'as it is'])
  expect(both(sentence`${field('to')} has ${3} parts`)).toEqual([
    'to has 3 parts',
    '<to> has 3 parts',
  ])
  expect(both(sentence`say who you are with ${callerBy('from')}`)).toEqual([
    'say who you are with from',
    'say who you are with <me by from>',
  ])
  expect(both(operation('mail mark-read', { all: true }))).toEqual([
    'mailMarkRead({"all":true})',
    '<mail mark-read true>',
  ])
})

test('a sentence can contain another', () => {
  const remedy = sentence`see ${operation('list')}`
  expect(both(sentence`no thread ${'thr_1'}; ${remedy}`)).toEqual([
    'no thread thr_1; see list()',
    'no thread thr_1; see <list >',
  ])
})

test('a stored or logged refusal has only its message', () => {
  const refusal = new Refusal('not_found', sentence`see ${operation('list')}`, { id: 'x' })
  expect(JSON.parse(JSON.stringify(refusal))).toEqual({
    name: 'Refusal',
    code: 'not_found',
    details: { id: 'x' },
  })
  expect(String(refusal)).toBe('Refusal: see list()')
})
