import { expect, test } from 'bun:test'
import { match } from './fuzzy.ts'

const rank = (query: string, text: string) => match(query, text)?.rank

test('the beginning of the text is better than of a word, a part, and letters apart', () => {
  const found = ['Reply', 'Mark as reply', 'Unreply', 'Rare apple'].map((one) => rank('r', one))
  expect(found).toEqual([0, 1, 2, 0])
  expect(rank('rep', 'Reply') ?? 9).toBeLessThan(rank('rep', 'Mark as reply') ?? 9)
  expect(rank('rep', 'Unreply') ?? 9).toBeLessThan(rank('rep', 'Rare apple') ?? 9)
})

test('letters in another order are no match', () => {
  expect(match('ylper', 'Reply')).toBeNull()
  expect(match('zz', 'Reply')).toBeNull()
})

test('it says where the letters are', () => {
  expect(match('HIS', 'Show history')?.at).toEqual([5, 6, 7])
  expect(match('sy', 'Show history')?.at).toEqual([0, 11])
})

test('letters that grow in lower case put nothing out of place', () => {
  expect(match('x', 'İx')).toEqual({ rank: 2, at: [] })
})

test('nothing typed matches everything', () => {
  expect(match(' ', 'Reply')).toEqual({ rank: 0, at: [] })
})
