import { expect, test } from 'bun:test'
import { completeMention } from './completion.ts'

test('completing a mention replaces what was typed, and puts the caret after it', () => {
  expect(completeMention('Please, @co', 11, 'coder')).toEqual({ text: 'Please, @coder ', at: 15 })
  expect(completeMention('@ and then', 1, 'coder')).toEqual({ text: '@coder and then', at: 7 })
  expect(completeMention('(@rev)', 5, 'reviewer')).toEqual({ text: '(@reviewer )', at: 11 })
})
