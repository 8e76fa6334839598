import { expect, test } from 'bun:test'
import { changesBetween } from './changes.ts'

const paths = (...two: Parameters<typeof changesBetween>) =>
  changesBetween(...two).map(({ path }) => path)

test('only what differs is named, with what was there and what is', () => {
  expect(changesBetween({ a: 1, b: { c: 'x', d: 2 } }, { a: 1, b: { c: 'y', d: 2 } })).toEqual([
    { path: '/b/c', before: 'x', after: 'y' },
  ])
  expect(changesBetween({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] })).toEqual([])
})

test('a place that was not there has no before, and one that is gone no after', () => {
  expect(changesBetween({ a: null }, { b: null })).toEqual([
    { path: '/a', before: null },
    { path: '/b', after: null },
  ])
})

test('elements with an id or a name are matched by it', () => {
  const before = [
    { id: 1, n: 'a' },
    { id: 2, n: 'b' },
  ]
  expect(paths(before, [{ id: 0, n: 'new' }, ...before])).toEqual(['/[id=0]'])
  expect(paths([{ name: 'x/y', n: 1 }], [{ name: 'x/y', n: 2 }])).toEqual(['/[name=x~1y]/n'])
})

test('another order of such elements is a change of its own', () => {
  const [one, two] = [{ id: 'a' }, { id: 'b' }]
  expect(changesBetween([one, two], [two, one])).toEqual([
    { path: '/[order]', before: ['a', 'b'], after: ['b', 'a'] },
  ])
})

test('elements without one, or that have it twice, are compared place by place', () => {
  expect(paths([1, 2], [0, 1, 2])).toEqual(['/0', '/1', '/2'])
  expect(paths([{ id: 1 }, { id: 1 }], [{ id: 1 }, { id: 2 }])).toEqual(['/1/id'])
})

test('a key that every object seems to have is a key like any other', () => {
  const hostile = JSON.parse('{"__proto__":{"a":1}}')
  expect(paths({}, hostile)).toEqual(['/__proto__'])
  expect(paths({ toString: 1 }, {})).toEqual(['/toString'])
})
