// One page of a list: at most the requested number of items, and no more text than an answer can hold. A caller that
// asks for more gets what fits and continues from there. An item that is too long gets a page to itself.

import { isWhole, lettersIn, PAGE_BYTES } from '../../core/page-bytes.ts'
import type { Context } from './operation.ts'
import { type Looker, nextPiece, turnsFor } from './pieces.ts'

export type ListPage<T> = {
  items: T[]
  /** How many to read next; 0 when the page is full. */
  want: () => number
  /** Returns whether all of the items fit. If so, the page still has room, and the list may have more items. */
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

/** Reads in batches until the page is full or the list ends. `last` is the item to continue after. */
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

/** A search through a list. A place is a position where a page can begin. */
type ListSearch<T, Place> = {
  from: Place | undefined
  /** Looks at the next piece of the list; `bottom` is null if that was the last. */
  look: (
    from: Place | undefined,
    count: number,
  ) => Promise<{ items: readonly T[]; bottom: Place | null }>
  placeOf: (item: T) => Place
  /** The maximum number of pieces read for one answer. */
  mostLooks?: number
}

/** Reads a list piece by piece until the page is full, the list ends or the limit on pieces is reached. */
export async function searchDown<T extends object, Place>(
  context: Pick<Context, 'store' | 'caller' | 'door'>,
  limit: number,
  { from, look, placeOf, mostLooks = 2 }: ListSearch<T, Place>,
): Promise<{ items: T[]; next_before: Place | null; cut: boolean }> {
  const { store, caller } = context
  const { principal } = caller
  const page = makePage<T>(limit)
  const { items } = page
  let next_before: Place | null = from ?? null
  for (let left = limitLooks(context, mostLooks); left > 0; left -= 1) {
    await nextPiece(principal && { store, principal })
    const found = await look(next_before ?? undefined, page.want())
    const isRoom = page.add(found.items)
    const last = items.at(-1)
    next_before = isRoom ? found.bottom : last === undefined ? null : placeOf(last)
    if (!isRoom || next_before === null) return { items, next_before, cut: false }
  }
  return { items, next_before, cut: true }
}

/** A shell command has its process to itself, so it keeps reading instead of making its caller ask again. */
export function limitLooks({ door }: Pick<Context, 'door'>, most: number): number {
  return door === 'cli' ? Number.POSITIVE_INFINITY : most
}
