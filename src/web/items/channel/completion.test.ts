import { expect, test } from 'bun:test'
import { completed } from './completion.ts'

test('a name takes the place of what was begun, and one writes on behind it', () => {
  expect(completed('Please, @co', 11, 'coder')).toEqual({ text: 'Please, @coder ', at: 15 })
  expect(completed('@ and then', 1, 'coder')).toEqual({ text: '@coder and then', at: 7 })
  expect(completed('(@rev)', 5, 'reviewer')).toEqual({ text: '(@reviewer )', at: 11 })
})
