import { expect, test } from 'bun:test'
import { checkStyle } from './style.ts'

const GOOD = 'export type Lease = { agent: string }\n'

function check(text: string, path = 'src/core/one.ts') {
  return checkStyle({ 'src/core/good.ts': GOOD, [path]: text })
}

test('a check that finds no types fails', () => {
  expect(checkStyle({}).violations).toHaveLength(1)
  expect(checkStyle({ 'src/core/one.ts': 'export const one = 1\n' }).violations).toHaveLength(1)
  expect(check('').violations).toEqual([])
})

test('a participle is refused as the name of a type', () => {
  for (const name of ['Given', 'Handled', 'Waiting']) {
    expect(check(`type ${name} = string\n`).violations).toHaveLength(1)
  }
  for (const name of ['GivenInput', 'Ruling', 'Thread']) {
    expect(check(`export interface ${name} { id: string }\n`).violations).toEqual([])
  }
})

test('a type name has one meaning in src, except the props of components', () => {
  const files = { 'src/core/a.ts': 'type Page = string\n', 'src/ops/b.ts': '\ntype Page = 1\n' }
  expect(checkStyle(files).violations).toEqual([
    'src/ops/b.ts:2: the type Page is declared in src/core/a.ts:1 too',
  ])
  expect(checkStyle({ 'src/core/a.ts': GOOD, 'test/c.ts': GOOD }).violations).toEqual([])
  expect(
    checkStyle({ 'src/web/a.tsx': 'type Props = 1', 'src/web/b.tsx': 'type Props = 2' }).violations,
  ).toEqual([])
})

test.each([
  "const a = ['x', ...['y', 'z']]",
  "const a = [...(['y', 'z'] as const)]",
  'const a = { ...{ b, c }, d }',
  "call(...['a', 'b'])",
])('%s is refused because it spreads a literal', (text) => {
  expect(check(text, 'test/one.ts').violations).toEqual([
    'test/one.ts:1: a literal is spread; write its elements in its place',
  ])
})

test.each([
  'const a = [...b, ...(c ? [d] : [])]',
  'const a = { ...b, ...(c && { d }) }',
  'const [first, ...others] = a',
])('%s is allowed', (text) => {
  expect(check(text).violations).toEqual([])
})
