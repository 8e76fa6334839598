import { expect, test } from 'bun:test'
import { changesBetween } from './changes.ts'

const paths = (...two: Parameters<typeof changesBetween>) =>
  changesBetween(...two).map(({ path }) => path)

test('lists only what differs, with the old and the new value', () => {
  expect(changesBetween({ a: 1, b: { c: 'x', d: 2 } }, { a: 1, b: { c: 'y', d: 2 } })).toEqual([
    { path: '/b/c', before: 'x', after: 'y' },
  ])
  expect(changesBetween({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] })).toEqual([])
})

test('an added place has no before, and a removed one no after', () => {
  expect(changesBetween({ a: null }, { b: null })).toEqual([
    { path: '/a', before: null },
    { path: '/b', after: null },
  ])
})

test('matches elements by id or name', () => {
  const before = [
    { id: 1, n: 'a' },
    { id: 2, n: 'b' },
  ]
  expect(paths(before, [{ id: 0, n: 'new' }, ...before])).toEqual(['/[id=0]'])
  expect(paths([{ name: 'x/y', n: 1 }], [{ name: 'x/y', n: 2 }])).toEqual(['/[name=x~1y]/n'])
})

test('reports a new order of such elements as a change', () => {
  const [one, two] = [{ id: 'a' }, { id: 'b' }]
  expect(changesBetween([one, two], [two, one])).toEqual([
    { path: '/[order]', before: ['a', 'b'], after: ['b', 'a'] },
  ])
})

test('compares other elements, and those with duplicate ids, by position', () => {
  expect(paths([1, 2], [0, 1, 2])).toEqual(['/0', '/1', '/2'])
  expect(paths([{ id: 1 }, { id: 1 }], [{ id: 1 }, { id: 2 }])).toEqual(['/1/id'])
})

test('handles keys inherited from Object', () => {
  const hostile = JSON.parse('{"__proto__":{"a":1}}')
  expect(paths({}, hostile)).toEqual(['/__proto__'])
  expect(paths({ toString: 1 }, {})).toEqual(['/toString'])
})
