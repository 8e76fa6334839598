// A page of the inbox's list, and the changes to its rows that are shown before the server has them.

import type { OperationAnswer } from '../../../ops/catalogue.ts'

export type ListedPage = OperationAnswer<'desk list'>
export type ListedRow = ListedPage['rows'][number]
/** Where a page is: below `before`, above `after`, or at the top if neither is set. */
export type PagePlace = { before?: number; after?: number }

/** A change to the rows of a page. It must also work on a page that already has the change. */
export type PageEdit = (page: ListedPage, place: PagePlace) => ListedPage

export function markInPage(
  unread: ReadonlyMap<string, number>,
  rows: readonly ListedRow[],
): PageEdit {
  const placeOf = new Map(rows.map(({ thread_id, event_id }) => [thread_id, event_id]))
  const mark = (row: ListedRow) =>
    // Don't mark a row that has a newer message.
    placeOf.get(row.thread_id) === row.event_id
      ? { ...row, unread: unread.get(row.thread_id) ?? row.unread }
      : row
  return (page) => ({
    ...page,
    rows: page.rows.map(mark),
    needs_you: page.needs_you.map(mark),
  })
}

export function removeFromPage(rows: readonly ListedRow[]): PageEdit {
  const ids = new Set(rows.map(({ thread_id }) => thread_id))
  const stays = ({ thread_id }: ListedRow) => !ids.has(thread_id)
  return (page) => ({
    ...page,
    rows: page.rows.filter(stays),
    needs_you: page.needs_you.filter(stays),
  })
}

/** Puts rows back where they were. */
export function restoreInPage(rows: readonly ListedRow[]): PageEdit {
  return (page, place) => {
    const { next_before, next_after } = page
    const isTop = place.before === undefined && place.after === undefined
    const bottom = place.after ?? next_before ?? 0
    const top = place.before ?? (next_after === null ? Number.POSITIVE_INFINITY : next_after + 1)
    const known = new Set(page.rows.map(({ thread_id }) => thread_id))
    const missing = rows.filter(
      ({ thread_id, event_id }) => !known.has(thread_id) && event_id >= bottom && event_id < top,
    )
    const needed = rows.filter(
      ({ thread_id, needs_you }) =>
        needs_you && isTop && !page.needs_you.some((one) => one.thread_id === thread_id),
    )
    return {
      ...page,
      rows: [...page.rows, ...missing].toSorted((a, b) => b.event_id - a.event_id),
      needs_you: [...page.needs_you, ...needed].toSorted(bySoonestExpiry),
    }
  }
}

function bySoonestExpiry(a: ListedRow, b: ListedRow): number {
  const [first, second] = [a.expires_at ?? '9999', b.expires_at ?? '9999']
  return first === second ? a.event_id - b.event_id : first < second ? -1 : 1
}
