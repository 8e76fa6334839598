import { expect, test } from 'bun:test'
import { elementsOf } from './json-list.ts'

async function read(text: string): Promise<[number, string][]> {
  async function* lines() {
    yield* text.split('\n')
  }
  const all: [number, string][] = []
  for await (const { number, line } of elementsOf(lines())) all.push([number, line])
  return all
}

test('lines are lines', async () => {
  expect(await read('{"a":1}\n\nx]\n[2]')).toEqual([
    [1, '{"a":1}'],
    [2, ''],
    [3, 'x]'],
    [4, '[2]'],
  ])
})

test('a list is its elements, however it is laid out', async () => {
  const flat: [number, string][] = [
    [1, '{"a":"],}\\""}'],
    [1, '[1,2]'],
    [1, '3'],
  ]
  expect(await read('[{"a":"],}\\""},[1,2],3]')).toEqual(flat)
  expect(await read('\n [\n{"a":1},\n{\n "b": [2]\n}\n]\n')).toEqual([
    [3, '{"a":1}'],
    [4, '{  "b": [2] }'],
  ])
  expect(await read('[]\n')).toEqual([])
})

test('what does not end, and what comes after the end, is an element that is no JSON', async () => {
  expect(await read('[{"a":1},{"b"')).toEqual([
    [1, '{"a":1}'],
    [1, '{"b"'],
  ])
  expect(await read('[1]\nmore')).toEqual([
    [1, '1'],
    [2, 'more'],
  ])
})
