// A page of a person's desk: from the top, below or above a row, around a thread, by text, or what needs the person.

import type { DeskFilter, DeskItem } from '../../core/desk/desk-reads.ts'
import { operation, refuse } from '../../core/error.ts'
import type { Context } from '../kit/operation.ts'
import { makePage, readPage, searchDown } from '../kit/page.ts'

export type DeskPage = {
  items: DeskItem[]
  /** True if the search reached its limit before the page was full. */
  cut: boolean
  /** The cursors to continue below and above the page. Null where the list ends. */
  next_before: number | null
  next_after: number | null
}

export type DeskPlaces = {
  before?: number | undefined
  after?: number | undefined
  around?: string | undefined
}

export type DeskScope = Omit<DeskFilter, 'limit' | 'before' | 'after'>

export async function readDesk(
  context: Context,
  scope: DeskScope,
  { before, after, around }: DeskPlaces,
  limit: number,
): Promise<DeskPage> {
  if (after !== undefined) return above(context, scope, after, limit)
  if (around === undefined) {
    const page = await below(context, scope, before, limit)
    return { ...page, next_after: before === undefined ? null : placeOf(page.items.at(0)) }
  }
  const place = await placeOn(context, scope.person, around)
  // The thread itself belongs to the lower half.
  const over = Math.floor((limit - 1) / 2)
  const [upper, lower] = await Promise.all([
    over === 0 ? null : above(context, scope, place, over),
    below(context, scope, place + 1, limit - over),
  ])
  const items = [...(upper?.items ?? []), ...lower.items]
  const next_after = upper === null ? placeOf(items.at(0)) : upper.next_after
  return { items, cut: false, next_before: lower.next_before, next_after }
}

async function below(
  context: Context,
  scope: DeskScope,
  before: number | undefined,
  limit: number,
): Promise<Omit<DeskPage, 'next_after'>> {
  const { items, has_more } = await readPage<DeskItem>(context, limit, (count, last) =>
    context.store.desk({ ...scope, before: last?.event_id ?? before, limit: count }),
  )
  return { items, cut: false, next_before: has_more ? placeOf(items.at(-1)) : null }
}

/** Reads upward from a row. The page is newest first, like every page. */
async function above(
  { store }: Context,
  scope: DeskScope,
  after: number,
  limit: number,
): Promise<DeskPage> {
  const found = await store.desk({ ...scope, after, limit: limit + 1 })
  const page = makePage<DeskItem>(limit)
  const isWhole = page.add(found.toReversed())
  const items = page.items.toReversed()
  return {
    items,
    cut: false,
    next_before: placeOf(items.at(-1)),
    next_after: isWhole ? null : placeOf(items.at(0)),
  }
}

const LOOKS = 300

export async function searchDesk(
  context: Context,
  scope: DeskScope & { text: string },
  { before: given, around }: DeskPlaces,
  limit: number,
): Promise<DeskPage> {
  const from = around === undefined ? given : (await placeOn(context, scope.person, around)) + 1
  const found = await searchDown<DeskItem, number>(context, limit, {
    from,
    placeOf: ({ event_id }) => event_id,
    look: (before, count) =>
      context.store.searchDesk({ ...scope, looks: LOOKS, before, limit: count }),
  })
  return { ...found, next_after: from === undefined ? null : from - 1 }
}

/** The threads that need this person: soonest expiry first, then oldest. */
export async function readNeeds(
  { store }: Context,
  scope: DeskScope,
  before: number | undefined,
  limit: number,
): Promise<DeskPage> {
  const { items, next } = await store.deskNeeds({ ...scope, after: before, limit })
  return { items, cut: false, next_before: next, next_after: null }
}

async function placeOn({ store }: Context, person: string, thread: string): Promise<number> {
  const place = await store.deskPlace(person, thread)
  if (place !== null) return place
  throw notOnDesk(thread, person)
}

export function notOnDesk(thread_id: string, person: string) {
  return refuse.not_found`thread ${{ thread_id }} is not on the desk of ${person}; see ${operation('desk list')}`
}

function placeOf(item: DeskItem | undefined): number | null {
  return item?.event_id ?? null
}
