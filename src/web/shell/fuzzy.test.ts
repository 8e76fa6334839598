import { expect, test } from 'bun:test'
import { match } from './fuzzy.ts'

const rank = (query: string, text: string) => match(query, text)?.rank

test('the start of the text ranks before the start of a word, a part, and scattered letters', () => {
  const found = ['Reply', 'Mark as reply', 'Unreply', 'Rare apple'].map((one) => rank('r', one))
  expect(found).toEqual([0, 1, 2, 0])
  expect(rank('rep', 'Reply') ?? 9).toBeLessThan(rank('rep', 'Mark as reply') ?? 9)
  expect(rank('rep', 'Unreply') ?? 9).toBeLessThan(rank('rep', 'Rare apple') ?? 9)
})

test("letters in another order don't match", () => {
  expect(match('ylper', 'Reply')).toBeNull()
  expect(match('zz', 'Reply')).toBeNull()
})

test('returns the positions of the matched letters', () => {
  expect(match('HIS', 'Show history')?.at).toEqual([5, 6, 7])
  expect(match('sy', 'Show history')?.at).toEqual([0, 11])
})

test("letters that are longer in lower case don't shift the positions", () => {
  expect(match('x', 'İx')).toEqual({ rank: 2, at: [] })
})

test('an empty query matches everything', () => {
  expect(match(' ', 'Reply')).toEqual({ rank: 0, at: [] })
})
