// One page of a list: a number of items, and no more text than an answer may hold. A caller that asks for more gets
// what fits and continues from there. An item that is too long gets a page to itself.

import { isWhole, lettersIn, PAGE_BYTES } from '../../core/page-bytes.ts'
import { type Looker, turnsFor } from './pieces.ts'

export type ListPage<T> = {
  items: T[]
  /** How many to read next; 0 when the page is full. */
  want: () => number
  /** Returns whether everything fit: if so there's room, and there may be more. */
  add: (found: readonly T[]) => boolean
}

export function makePage<T extends object>(limit: number): ListPage<T> {
  const items: T[] = []
  let room = PAGE_BYTES
  let isFull = false
  return {
    items,
    want: () => (isFull ? 0 : limit + 1 - items.length),
    add(found) {
      for (const item of found) {
        room -= lettersIn(item)
        isFull ||= items.length >= limit || (room < 0 && items.length > 0)
        if (isFull) return false
        items.push(item)
      }
      return true
    },
  }
}

/** Reads in batches until the page is full or nothing is left. `last` is the item to continue after. */
export async function readPage<T extends object>(
  looker: Looker,
  limit: number,
  read: (count: number, last: T | undefined) => Promise<readonly T[]>,
): Promise<{ items: T[]; has_more: boolean; reads: number }> {
  const page = makePage<T>(limit)
  const turn = turnsFor(looker)
  for (let reads = 1; ; reads++) {
    const ours = turn()
    if (ours !== undefined) await ours
    const count = page.want()
    const found = await read(count, page.items.at(-1))
    if (!page.add(found)) return { items: page.items, has_more: true, reads }
    if (isWhole(found, count)) return { items: page.items, has_more: false, reads }
  }
}
