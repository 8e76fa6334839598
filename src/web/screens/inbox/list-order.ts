// The rows in the order in which keys go through them: what needs the person, then the list.

import type { ListedRow } from './desk-ask.ts'
import type { RowView } from './desk-view.ts'

export type ListOrder = {
  total: number
  idAt: (index: number) => string | undefined
  indexOf: (id: string) => number
  /** The position in the list below, or less than 0 for what is pinned. */
  positionOf: (index: number) => number
}

export function orderOf(pinned: readonly ListedRow[], view: RowView): ListOrder {
  const ids = pinned.map(({ thread_id }) => thread_id)
  return {
    total: ids.length + view.total,
    idAt: (index) => (index < ids.length ? ids[index] : view.idAt(index - ids.length)),
    positionOf: (index) => index - ids.length,
    indexOf(id) {
      const at = ids.indexOf(id)
      if (at >= 0) return at
      const position = view.positionOf(id)
      return position < 0 ? -1 : position + ids.length
    },
  }
}

/** The row to select when some go away: the next older that stays, else the next newer. */
export function nextOf(
  { total, idAt }: ListOrder,
  index: number,
  isGoing: (id: string) => boolean,
): string | undefined {
  for (let at = index; at < total; at++) {
    const id = idAt(at)
    if (id === undefined) break
    if (!isGoing(id)) return id
  }
  for (let at = Math.min(index, total) - 1; at >= 0; at--) {
    const id = idAt(at)
    if (id !== undefined && !isGoing(id)) return id
  }
  return undefined
}
