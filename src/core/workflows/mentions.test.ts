import { expect, test } from 'bun:test'
import { mentionable, mentionsIn, priorityOf, strangersIn } from './mentions.ts'

const MEMBERS = [{ name: 'coder' }, { name: 'reviewer' }, { name: 'code' }, { name: 'team-lead_2' }]
const names = mentionable(MEMBERS)

test.each([
  ['@coder please fix', ['coder']],
  ['please fix, @coder', ['coder']],
  ['@reviewer then @coder', ['reviewer', 'coder']],
  ['@coder, @coder and @coder', ['coder']],
  ['ask @user', ['user']],
  ['@nobody and @all', []],
  ['no name: @ coder, @1coder, @', []],
  // The pattern matches whole words, because a longer word is a different name.
  ['@coders @code @code-review', ['code']],
  ['@Coder', []],
  ['@team-lead_2.', ['team-lead_2']],
  ['mail@coder.example', ['coder']],
  ['@coder@reviewer', ['coder', 'reviewer']],
  ['(@coder)[@reviewer]', ['coder', 'reviewer']],
  ['@cödér', []],
  ['a line\n@coder\n\n@reviewer', ['coder', 'reviewer']],
  ['', []],
])('%j mentions %j', (text, expected) => {
  expect(mentionsIn(text, { names })).toEqual(expected)
})

test('ignores an agent’s mention of itself', () => {
  expect(mentionsIn('@coder and @reviewer', { names, self: 'coder' })).toEqual(['reviewer'])
})

test('counts only mentions that are completely inside the given parts', () => {
  const text = 'PR: @coder wrote this. @reviewer look'
  const after = text.indexOf('@reviewer')
  expect(
    mentionsIn(text, {
      names,
      within: [
        [0, 4],
        [after, text.length],
      ],
    }),
  ).toEqual(['reviewer'])
  // A range that ends inside a name doesn't shorten it to a different name.
  expect(mentionsIn('@coder', { names, within: [[0, 5]] })).toEqual([])
  expect(mentionsIn('@coder', { names, within: [] })).toEqual([])
})

test.each([
  ['@reviwer look, and @coder', ['reviwer']],
  ['(@reviwer), @reviwer. @user', ['reviwer']],
  ['me@example.com, @types/node, @a.b and src/@x are no calls', []],
  ['@coder and @reviewer', []],
])('%j mentions strangers: %j', (text, expected) => {
  expect(strangersIn(text, { names: [...names, 'user'] })).toEqual(expected)
  expect(strangersIn(text, { names, within: [] })).toEqual([])
})

test('reads a long text in one pass', () => {
  const begun = performance.now()
  expect(mentionsIn(`${'@'.repeat(100_000)}coder`, { names })).toEqual(['coder'])
  expect(mentionsIn(`@${'a'.repeat(100_000)}`, { names })).toEqual([])
  expect(strangersIn(`@${'a'.repeat(100_000)}/`, { names })).toEqual([])
  expect(performance.now() - begun).toBeLessThan(1000)
})

test.each([
  ['@coder look', ['coder'], 'normal'],
  ['@coder @reviewer look', ['coder', 'reviewer'], 'high'],
  ['this is URGENT', [], 'high'],
  ['asap, please', ['coder'], 'high'],
  ['I am blocked', [], 'high'],
  ['a critical bug', [], 'high'],
  // The urgent words count only as whole words.
  ['unblocked now', [], 'normal'],
  ['urgently', [], 'normal'],
  ['critically', ['coder'], 'normal'],
])('%j with %j is %s', (text, mentions, expected) => {
  expect(priorityOf(text, mentions)).toBe(expected as 'normal' | 'high')
})
