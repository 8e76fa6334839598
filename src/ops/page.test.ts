import { expect, test } from 'bun:test'
import { readPage } from './page.ts'

type Item = { at: number; body: string }

function listOf(bodies: string[]) {
  const all = bodies.map((body, at): Item => ({ at, body }))
  let most = 0
  const read = async (count: number, last: Item | undefined) => {
    most = Math.max(most, count)
    const from = last === undefined ? 0 : last.at + 1
    return all.slice(from, from + count)
  }
  return { read, most: () => most }
}

test('a page has as many as were asked for, and says whether there are more', async () => {
  const { read } = listOf(Array(120).fill('x'))
  for (const [limit, has_more] of [
    [1, true],
    [25, true],
    [119, true],
    [120, false],
    [500, false],
  ] as const) {
    const page = await readPage(limit, read)
    expect({ count: page.items.length, has_more: page.has_more }).toEqual({
      count: Math.min(limit, 120),
      has_more,
    })
  }
})

test('it ends where it would be too long, and never holds much more than that', async () => {
  const { read, most } = listOf(Array(100).fill('a'.repeat(1_000_000)))
  const page = await readPage(100, read)
  expect({ count: page.items.length, has_more: page.has_more }).toEqual({
    count: 3,
    has_more: true,
  })
  expect(most()).toBeLessThanOrEqual(25)
})

test('text counts as it is written in JSON', async () => {
  const { read } = listOf(Array(100).fill('\u0001'.repeat(300_000)))
  expect((await readPage(100, read)).items).toHaveLength(2)
})

test('one that is too long by itself is a page', async () => {
  const { read } = listOf(Array(2).fill('a'.repeat(5_000_000)))
  expect(await readPage(50, read)).toMatchObject({ items: [{ at: 0 }], has_more: true })
})
