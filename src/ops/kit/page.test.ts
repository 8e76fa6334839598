import { expect, test } from 'bun:test'
import { PIECE_BYTES } from '../../core/page-bytes.ts'
import { readPage } from './page.ts'
import type { Looker } from './pieces.ts'

const ANN = { store: { place: 'a store' }, caller: { agent: 'ann' } } as Looker

type Item = { at: number; body: string }

/** Reads like a store: at most `count` items, and no more than fit into a piece. */
function listOf(bodies: string[]) {
  const all = bodies.map((body, at): Item => ({ at, body }))
  let reads = 0
  const read = async (count: number, last: Item | undefined) => {
    reads += 1
    const from = last === undefined ? 0 : last.at + 1
    let ahead = 0
    const wanted = all.slice(from, from + count)
    const end = wanted.findIndex(({ body }) => {
      const isCut = ahead >= PIECE_BYTES
      ahead += Buffer.byteLength(body)
      return isCut
    })
    return end < 0 ? wanted : wanted.slice(0, end)
  }
  return { read, reads: () => reads }
}

test('returns as many items as requested, and whether there are more', async () => {
  const { read } = listOf(Array(120).fill('x'))
  for (const [limit, has_more] of [
    [1, true],
    [25, true],
    [119, true],
    [120, false],
    [500, false],
  ] as const) {
    const page = await readPage(ANN, limit, read)
    expect({ count: page.items.length, has_more: page.has_more }).toEqual({
      count: Math.min(limit, 120),
      has_more,
    })
  }
})

test('ends a page before it gets too long', async () => {
  const { read } = listOf(Array(100).fill('a'.repeat(300_000)))
  const page = await readPage(ANN, 100, read)
  expect({ count: page.items.length, has_more: page.has_more }).toEqual({
    count: 3,
    has_more: true,
  })
})

test('counts the length of text as JSON', async () => {
  const { read } = listOf(Array(100).fill('\u0001'.repeat(80_000)))
  expect((await readPage(ANN, 100, read)).items).toHaveLength(2)
})

test('gives an item that is too long its own page', async () => {
  const { read } = listOf(Array(2).fill('a'.repeat(5_000_000)))
  expect(await readPage(ANN, 50, read)).toMatchObject({ items: [{ at: 0 }], has_more: true })
})

test('keeps reading after a short read, and stops at the real end', async () => {
  const letters = '\u20ac'.repeat(75_000)
  const { read, reads } = listOf(Array(13).fill(letters))
  expect(await readPage(ANN, 50, read)).toMatchObject({ items: Array(13).fill({ body: letters }) })
  expect(await readPage(ANN, 50, read)).toMatchObject({ has_more: false })
  const few = listOf(Array(3).fill('a'.repeat(25_000)))
  expect(await readPage(ANN, 50, few.read)).toMatchObject({ has_more: false })
  expect({ many: reads() > 2, few: few.reads() }).toEqual({ many: true, few: 1 })
})

test('reads a long page in pieces, and other callers run in between', async () => {
  const { read } = listOf(Array(60).fill('a'.repeat(16_000)))
  const order: string[] = []
  const lookAs = (name: string) =>
    readPage<Item>(ANN, 60, (count, last) => {
      order.push(name)
      return read(count, last)
    })
  const pages = await Promise.all(['one', 'two'].map(lookAs))
  expect(pages.map(({ items }) => items.length)).toEqual([60, 60])
  expect(order.slice(0, 6)).toEqual(['one', 'two', 'one', 'two', 'one', 'two'])
  // A read that fits into a single piece doesn't wait.
  let rounds = 0
  const round = setImmediate(() => {
    rounds += 1
  })
  await readPage(ANN, 60, listOf(Array(60).fill('a')).read)
  expect(rounds).toBe(0)
  clearImmediate(round)
})
