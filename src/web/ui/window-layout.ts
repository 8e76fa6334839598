// The places of a long list's rows. Heights are constant, so a place is a sum and nothing has to be measured.

export type WindowGroup = {
  key: string
  label: string
  count: number
}

export type PlacedGroup = WindowGroup & {
  /** The position of its first row in the whole list. */
  first: number
  top: number
  height: number
}

export type WindowSizes = { row: number; head: number }

export type WindowLayout = {
  groups: readonly PlacedGroup[]
  rows: number
  height: number
  /** Rows at the end that have no place, because no browser draws anything so high. */
  left: number
  sizes: WindowSizes
}

/** Rows `first` up to, but not with, `end`. */
export type WindowRange = { first: number; end: number }

/** Browsers place nothing reliably beyond about 17 million pixels. */
const HIGHEST = 16_000_000
/** The range moves in steps, so that most scrolling renders nothing. */
const STEP = 6
const OVERSCAN = 3

export function layOut(
  groups: readonly WindowGroup[],
  sizes: WindowSizes,
  highest = HIGHEST,
): WindowLayout {
  const placed: PlacedGroup[] = []
  let top = 0
  let first = 0
  let left = 0
  for (const group of groups) {
    const fitting = Math.floor((highest - top - sizes.head) / sizes.row)
    const count = Math.max(0, Math.min(group.count, fitting))
    left += group.count - count
    if (count === 0) continue
    const height = sizes.head + count * sizes.row
    placed.push({ ...group, count, first, top, height })
    top += height
    first += count
  }
  return { groups: placed, rows: first, height: top, left, sizes }
}

/** The rows to render for what is seen between two heights. */
export function rangeOf(layout: WindowLayout, top: number, bottom: number): WindowRange {
  const seen = { first: positionAt(layout, top), end: positionAt(layout, bottom) + 1 }
  return {
    first: Math.max(0, Math.floor(seen.first / STEP) * STEP - OVERSCAN),
    end: Math.min(layout.rows, Math.ceil(seen.end / STEP) * STEP + OVERSCAN),
  }
}

/** The row at a height; the next one where a head stands. */
function positionAt({ groups, sizes, rows }: WindowLayout, y: number): number {
  const group = lastWhere(groups, ({ top }) => top <= y)
  if (group === undefined) return 0
  const within = Math.floor((y - group.top - sizes.head) / sizes.row)
  return Math.min(rows - 1, group.first + Math.max(0, Math.min(group.count - 1, within)))
}

export function groupOf({ groups }: WindowLayout, position: number): PlacedGroup | undefined {
  return lastWhere(groups, ({ first }) => first <= position)
}

export function topOf(layout: WindowLayout, position: number): number {
  const group = groupOf(layout, position)
  if (group === undefined) return 0
  return group.top + layout.sizes.head + (position - group.first) * layout.sizes.row
}

export function isSameRange(a: WindowRange, b: WindowRange): boolean {
  return a.first === b.first && a.end === b.end
}

/** The last of a list whose beginning fulfils it and whose rest does not. */
export function lastWhere<T>(list: readonly T[], isSo: (one: T) => boolean): T | undefined {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (isSo(list[middle] as T)) low = middle + 1
    else high = middle
  }
  return list[low - 1]
}
