// The rows of a list by their positions, without those that stand elsewhere or that the person has just put away.

import { lastWhere, type WindowGroup } from '../../ui/window-layout.ts'
import type { DeskPiece } from './desk-pieces.ts'

export type RowView = {
  groups: readonly WindowGroup[]
  total: number
  idAt: (position: number) => string | undefined
  positionOf: (id: string) => number
}

type ViewPiece = { at: number; first: number; count: number; ids: readonly string[]; day: string }

export type DeskView = RowView & { shown: readonly ViewPiece[] }

export type Hidden = ReadonlyMap<string, { event_id: number }>

export function viewOf(
  pieces: readonly DeskPiece[],
  hidden: Hidden,
  headingOf: (day: string) => string,
): DeskView {
  const shown: ViewPiece[] = []
  let positions: Map<string, number> | undefined
  let first = 0
  pieces.forEach((piece, at) => {
    const ids = hidden.size === 0 ? piece.ids : piece.ids.filter((id) => !hidden.has(id))
    const unknown = piece.count - piece.ids.length
    const below = unknown === 0 ? 0 : hiddenIn(piece, pieces[at + 1], hidden)
    const count = ids.length + Math.max(0, unknown - below)
    if (count === 0) return
    shown.push({ at, first, count, ids, day: piece.day })
    first += count
  })
  return {
    shown,
    groups: grouped(shown, headingOf),
    total: first,
    positionOf(id) {
      positions ??= positionsIn(shown)
      return positions.get(id) ?? -1
    },
    idAt(position) {
      const piece = lastWhere(shown, (one) => one.first <= position)
      return piece?.ids[position - piece.first]
    },
  }
}

function positionsIn(shown: readonly ViewPiece[]): Map<string, number> {
  const positions = new Map<string, number>()
  for (const { first, ids } of shown)
    ids.forEach((id, index) => void positions.set(id, first + index))
  return positions
}

/** How many of the hidden rows are among those of a piece that are not known yet. */
function hiddenIn(piece: DeskPiece, next: DeskPiece | undefined, hidden: Hidden): number {
  let count = 0
  for (const { event_id } of hidden.values()) {
    const isBefore = event_id < (piece.last ?? piece.before ?? Number.POSITIVE_INFINITY)
    if (isBefore && event_id >= (next?.before ?? 0)) count += 1
  }
  return count
}

function grouped(shown: readonly ViewPiece[], headingOf: (day: string) => string): WindowGroup[] {
  const groups: WindowGroup[] = []
  for (const { day, count } of shown) {
    const label = headingOf(day)
    const last = groups.at(-1)
    if (last?.label === label) groups[groups.length - 1] = { ...last, count: last.count + count }
    else groups.push({ key: day, label, count })
  }
  return groups
}

/** A page of the server's list. */
export type WantedPage = { at: number; before: number | null; limit: number }

const PAGE = 100
const MOST = 500

/** The page that brings the first rows of a range that are not known, or nothing. */
export function missingIn(
  { shown }: DeskView,
  pieces: readonly DeskPiece[],
  { first, end }: { first: number; end: number },
): WantedPage | null {
  for (const { at, first: top, count, ids } of shown) {
    if (top + count <= first) continue
    if (top >= end) return null
    const lacking = Math.min(end - top, count) - ids.length
    if (lacking <= 0) continue
    const { before, last } = pieces[at] as DeskPiece
    const limit = Math.min(MOST, Math.ceil(lacking / PAGE) * PAGE)
    return { at, before: last ?? before, limit }
  }
  return null
}

/** Rows so far away are forgotten. */
const NEAR = 1500

/** The pieces with the rows of those near a range alone. */
export function nearTo(
  { first, end }: { first: number; end: number },
  { shown }: DeskView,
  pieces: readonly DeskPiece[],
): DeskPiece[] {
  const near = new Set(
    shown
      .filter((one) => one.first + one.count > first - NEAR && one.first < end + NEAR)
      .map(({ at }) => at),
  )
  return pieces.map((piece, at) => (near.has(at) ? piece : { ...piece, ids: [], last: null }))
}

/** Rows that are all there, in groups of their own. */
export function viewOfGroups(
  groups: readonly { label: string; ids: readonly string[] }[],
): RowView {
  const all = groups.flatMap(({ ids }) => ids)
  const positions = new Map(all.map((id, position) => [id, position]))
  return {
    groups: groups.map(({ label, ids }) => ({ key: label, label, count: ids.length })),
    total: all.length,
    idAt: (position) => all[position],
    positionOf: (id) => positions.get(id) ?? -1,
  }
}
