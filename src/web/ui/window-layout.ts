// Positions of rows in a long list. All rows have the same height, as do all headings, so a position is just a sum and
// nothing has to be measured.

export type WindowGroup = {
  key: string
  /** Empty for a list without groups, whose CSS sets `--group` to 0px. */
  label: string
  count: number
  /** Shown beside the label. */
  note?: string
}

export type PlacedGroup = WindowGroup & {
  /** The position of the group's first row in the whole list. */
  first: number
  top: number
  height: number
}

export type WindowSizes = { row: number; head: number }

export type WindowLayout = {
  groups: readonly PlacedGroup[]
  rows: number
  height: number
  sizes: WindowSizes
}

/** Rows from `first` up to, but not including, `end`. */
export type WindowRange = { first: number; end: number }

/** The range moves in steps, so most scroll events don't cause a render. */
const STEP = 6
const OVERSCAN = 3

export function layOut(groups: readonly WindowGroup[], sizes: WindowSizes): WindowLayout {
  const placed: PlacedGroup[] = []
  let top = 0
  let first = 0
  for (const group of groups) {
    if (group.count === 0) continue
    const height = sizes.head + group.count * sizes.row
    placed.push({ ...group, first, top, height })
    top += height
    first += group.count
  }
  return { groups: placed, rows: first, height: top, sizes }
}

/** The rows to render when the part of the list from `top` to `bottom` is visible. */
export function rangeOf(layout: WindowLayout, top: number, bottom: number): WindowRange {
  const visible = { first: positionAt(layout, top), end: positionAt(layout, bottom) + 1 }
  return {
    first: Math.max(0, Math.floor(visible.first / STEP) * STEP - OVERSCAN),
    end: Math.min(layout.rows, Math.ceil(visible.end / STEP) * STEP + OVERSCAN),
  }
}

/** The row at height `y`. If a heading is there, the row after it. */
export function positionAt({ groups, sizes, rows }: WindowLayout, y: number): number {
  const group = findLast(groups, ({ top }) => top <= y)
  if (group === undefined) return 0
  const within = Math.floor((y - group.top - sizes.head) / sizes.row)
  return Math.min(rows - 1, group.first + Math.max(0, Math.min(group.count - 1, within)))
}

export function topOf({ groups, sizes }: WindowLayout, position: number): number {
  const group = findLast(groups, ({ first }) => first <= position)
  if (group === undefined) return 0
  return group.top + sizes.head + (position - group.first) * sizes.row
}

export function isSameRange(a: WindowRange, b: WindowRange): boolean {
  return a.first === b.first && a.end === b.end
}

/** Binary search. The test must be true for the first items of the list and false for all others. */
function findLast<T>(list: readonly T[], test: (one: T) => boolean): T | undefined {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (test(list[middle] as T)) low = middle + 1
    else high = middle
  }
  return list[low - 1]
}
