// A virtual list: as tall as all its rows, but only those near the visible part are in the DOM. Each group is a block
// of its full height, so its heading is sticky with CSS alone.
// 1. Rows the person is looking at don't move when rows are added or removed above them, or when `above` grows.
// 2. At the very top they do: the newest row is always visible there.

import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import css from './window.module.css'
import {
  isSameRange,
  layOut,
  type PlacedGroup,
  positionAt,
  rangeOf,
  topOf,
  type WindowGroup,
  type WindowLayout,
  type WindowRange,
  type WindowSizes,
} from './window-layout.ts'

export type WindowHandle = {
  /** Scrolls as little as needed to show a row. */
  reveal: (position: number) => void
  scrollToTop: () => void
  /** Focuses the row with this `data-row`, if it is in the DOM. */
  focusRow: (id: string) => void
}

export type WindowProps = {
  groups: readonly WindowGroup[]
  ids: readonly string[]
  /** Renders the content of one row. The window renders the list item around it. */
  renderRow: (position: number) => ReactNode
  /** The number of rows including those not loaded; -1 if unknown. */
  total: number
  /** Whether rows before the first one can still be loaded. If so, the top of the box isn't the top of the list. */
  hasEarlier?: boolean
  /** A row that stays in the DOM wherever it is, because it has the focus. */
  kept?: number
  above?: ReactNode
  below?: ReactNode
  className?: string | undefined
  itemClass?: string | undefined
  isBusy?: boolean
  onRange: (range: WindowRange) => void
  onTop?: (isAtTop: boolean) => void
  handle: RefObject<WindowHandle | null>
}

const NOTHING: WindowRange = { first: 0, end: 0 }
/** Scrolling less than this counts as being at the top: touch screens bounce and zoom by fractions of a pixel. */
const TOP_PX = 2

export function Window(props: WindowProps) {
  const { groups, ids, above, below, isBusy = false, hasEarlier = false } = props
  const { kept = -1, onRange, onTop, handle } = props
  const scroll = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const sizes = useSizes(scroll)
  const layout = useMemo(() => layOut(groups, sizes), [groups, sizes])
  const [range, setRange] = useState(NOTHING)

  const measure = useCallback(() => {
    const { current: box } = scroll
    // On a phone the list is hidden behind the opened item and has no height.
    if (box === null || box.clientHeight === 0) return
    const top = box.scrollTop - (body.current?.offsetTop ?? 0)
    const next = rangeOf(layout, top, top + box.clientHeight)
    setRange((before) => (isSameRange(before, next) ? before : next))
  }, [layout])
  useLayoutEffect(measure, [measure])
  useEffect(() => onRange(range), [range, onRange])
  useEffect(() => {
    const { current: box } = scroll
    if (box === null) return
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    return () => observer.disconnect()
  }, [measure])

  const frame = useRef(0)
  const isAtTop = useRef(true)
  const onScroll = () => {
    frame.current ||= requestAnimationFrame(() => {
      frame.current = 0
      const { current: box } = scroll
      const isTop = box === null || box.scrollTop <= TOP_PX
      if (isTop !== isAtTop.current && box?.clientHeight !== 0) onTop?.(isTop)
      isAtTop.current = isTop
      measure()
    })
  }
  useSteadyRows({ scroll, body, layout, ids, hasEarlier, measure })

  useImperativeHandle(
    handle,
    () => ({
      scrollToTop: () => scroll.current?.scrollTo({ top: 0 }),
      focusRow(id) {
        const row = scroll.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)
        row?.focus({ preventScroll: true })
        // Rows in `above` have no position that `reveal` could use.
        if (body.current?.contains(row ?? null) === false) row?.scrollIntoView({ block: 'nearest' })
      },
      reveal(position) {
        const { current: box } = scroll
        if (box === null) return
        const y = (body.current?.offsetTop ?? 0) + topOf(layout, position)
        const most = y - layout.sizes.head
        const least = y + layout.sizes.row - box.clientHeight
        if (box.scrollTop > most) box.scrollTop = position === 0 ? 0 : most
        else if (box.scrollTop < least) box.scrollTop = least
        measure()
      },
    }),
    [layout, measure],
  )

  const rendered = layout.groups.filter(
    ({ first, count }) =>
      (first < range.end && first + count > range.first) || isWithin(kept, first, count),
  )
  return (
    <div
      ref={scroll}
      className={`${css.scroll} ${props.className ?? ''}`}
      onScroll={onScroll}
      aria-busy={isBusy}
    >
      <i className={css.row} data-probe="row" />
      <i className={css.head} data-probe="head" />
      {above}
      <div ref={body} className="relative" style={{ height: layout.height }}>
        {rendered.map((group) => (
          <Block key={group.key} group={group} range={range} kept={kept} sizes={sizes} {...props} />
        ))}
      </div>
      {below}
    </div>
  )
}

type BlockProps = Pick<WindowProps, 'renderRow' | 'ids' | 'itemClass' | 'total'> & {
  group: PlacedGroup
  range: WindowRange
  kept: number
  sizes: WindowSizes
}

function Block({ group, range, total, sizes, renderRow, ids, kept, itemClass }: BlockProps) {
  const { label, note, count, first, top, height } = group
  const headingId = useId()
  const named = label === '' ? {} : { role: 'group', 'aria-labelledby': headingId }
  const from = Math.max(first, Math.min(range.first, first + count))
  const to = Math.max(from, Math.min(range.end, first + count))
  const isApart = isWithin(kept, first, count) && (kept < from || kept >= to)
  const near = Array.from({ length: to - from }, (_, n) => from + n)
  // The kept row stays in the same list, so it's still the same element and keeps the focus when it comes into range.
  const positions = isApart ? (kept < from ? [kept, ...near] : [...near, kept]) : near
  return (
    <div {...named} className={css.block} style={{ top, height }}>
      {label === '' ? null : (
        <h2 id={headingId} className={css.heading}>
          {label} {note === undefined ? null : <span className="regular">{note}</span>}
        </h2>
      )}
      {/* biome-ignore lint/a11y/noRedundantRoles: some screen readers ignore a list without bullets */}
      <ul role="list" className="relative" style={{ paddingTop: (from - first) * sizes.row }}>
        {positions.map((position) => (
          <li
            key={ids[position] ?? position}
            className={`${css.item} ${itemClass ?? ''}`}
            aria-setsize={total}
            aria-posinset={position + 1}
            data-apart={isApart && position === kept}
            style={{ top: isApart && position === kept ? (kept - first) * sizes.row : undefined }}
          >
            {renderRow(position)}
          </li>
        ))}
      </ul>
    </div>
  )
}

function isWithin(position: number, first: number, count: number): boolean {
  return position >= first && position < first + count
}

/** The heights that CSS gives to rows and headings, updated when the person changes the font size. */
function useSizes(scroll: RefObject<HTMLDivElement | null>): WindowSizes {
  const [sizes, setSizes] = useState<WindowSizes>({ row: 64, head: 32 })
  useLayoutEffect(() => {
    const probes = ['row', 'head'].map((name) =>
      scroll.current?.querySelector<HTMLElement>(`[data-probe="${name}"]`),
    )
    const read = () => {
      const [row = 0, head = 0] = probes.map((one) => one?.getBoundingClientRect().height ?? 0)
      if (row === 0) return
      setSizes((before) => (before.row === row && before.head === head ? before : { row, head }))
    }
    read()
    const observer = new ResizeObserver(read)
    for (const one of probes) if (one) observer.observe(one)
    return () => observer.disconnect()
  }, [scroll])
  return sizes
}

type SteadyInput = {
  scroll: RefObject<HTMLDivElement | null>
  body: RefObject<HTMLDivElement | null>
  layout: WindowLayout
  ids: readonly string[]
  hasEarlier: boolean
  measure: () => void
}

/** Scrolls by as much as the first visible row has moved. */
function useSteadyRows({ scroll, body, layout, ids, hasEarlier, measure }: SteadyInput): void {
  const drawn = useRef({ layout, ids, offset: -1 })
  const keepSteady = useEffectEvent(() => {
    const { current: box } = scroll
    if (box === null || box.clientHeight === 0) return
    const before = drawn.current
    const offset = body.current?.offsetTop ?? 0
    drawn.current = { layout, ids, offset }
    if (before.offset < 0 || (before.layout === layout && before.offset === offset)) return
    if (box.scrollTop > TOP_PX || hasEarlier) {
      const moved = distanceMoved(before, { layout, ids }, box.scrollTop - before.offset)
      box.scrollTop += offset - before.offset + moved
    }
    measure()
  })
  useLayoutEffect(() => keepSteady())
}

type DrawnList = { layout: WindowLayout; ids: readonly string[] }

/** How far the row at this height has moved. If that row is gone, uses the next one that's still there. */
function distanceMoved(before: DrawnList, now: DrawnList, y: number): number {
  if (before.ids === now.ids || before.ids.length === 0) return 0
  const places = new Map(now.ids.map((id, position) => [id, position]))
  const first = Math.max(0, positionAt(before.layout, Math.max(0, y)))
  for (let position = first; position < before.ids.length; position++) {
    const place = places.get(before.ids[position] as string)
    if (place !== undefined) return topOf(now.layout, place) - topOf(before.layout, position)
  }
  return 0
}
