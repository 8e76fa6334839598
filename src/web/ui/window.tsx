// A window over a list of any length: it has the height of all rows and renders those near what is seen. Each group is
// a block of its full height, so its head sticks by CSS alone.

import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
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
  rangeOf,
  topOf,
  type WindowGroup,
  type WindowRange,
  type WindowSizes,
} from './window-layout.ts'

export type WindowHandle = {
  /** Scrolls as little as is needed to show a row. */
  reveal: (position: number) => void
  toTop: () => void
  element: () => HTMLElement | null
}

export type WindowProps = {
  groups: readonly WindowGroup[]
  /** Draws the content of one row. The item around it is the window's. */
  renderRow: (position: number) => ReactNode
  keyOf: (position: number) => string
  /** A row that is rendered wherever it is, because it has the focus. */
  kept: number
  above?: ReactNode
  below?: ReactNode
  itemClass?: string | undefined
  isBusy?: boolean
  onRange: (range: WindowRange) => void
  onTop: (isAtTop: boolean) => void
  handle: RefObject<WindowHandle | null>
}

const NOTHING: WindowRange = { first: 0, end: 0 }
/** Touch screens bounce and zoom by fractions of a pixel. */
const TOP = 2

export function Window(props: WindowProps) {
  const { groups, above, below, isBusy = false, onRange, onTop, handle } = props
  const scroll = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const sizes = useSizes(scroll)
  const layout = useMemo(() => layOut(groups, sizes), [groups, sizes])
  const [range, setRange] = useState(NOTHING)

  const measure = useCallback(() => {
    const { current: box } = scroll
    if (box === null) return
    const top = box.scrollTop - (body.current?.offsetTop ?? 0)
    const next = rangeOf(layout, top, top + box.clientHeight)
    setRange((before) => (isSameRange(before, next) ? before : next))
  }, [layout])
  useLayoutEffect(measure, [measure])
  useEffect(() => onRange(range), [range, onRange])

  const frame = useRef(0)
  const onScroll = () => {
    frame.current ||= requestAnimationFrame(() => {
      frame.current = 0
      onTop((scroll.current?.scrollTop ?? 0) <= TOP)
      measure()
    })
  }
  useSteadyRows(scroll, body, measure)

  useImperativeHandle(
    handle,
    () => ({
      element: () => scroll.current,
      toTop() {
        scroll.current?.scrollTo({ top: 0 })
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
      (first < range.end && first + count > range.first) || isWithin(props.kept, first, count),
  )
  return (
    <div ref={scroll} className={css.scroll} onScroll={onScroll} aria-busy={isBusy}>
      <i className={css.row} data-probe="row" />
      <i className={css.head} data-probe="head" />
      {above}
      <div ref={body} className={css.body} style={{ height: layout.height }}>
        {rendered.map((group) => (
          <Block
            key={group.key}
            group={group}
            range={range}
            total={layout.rows}
            {...props}
            sizes={sizes}
          />
        ))}
      </div>
      {layout.left > 0 ? (
        <p className={css.end}>
          {`${layout.left.toLocaleString()} older rows do not fit. Search or filter to find them.`}
        </p>
      ) : null}
      {below}
    </div>
  )
}

type BlockProps = Pick<WindowProps, 'renderRow' | 'keyOf' | 'kept' | 'itemClass'> & {
  group: PlacedGroup
  range: WindowRange
  total: number
  sizes: WindowSizes
}

function Block({ group, range, total, sizes, renderRow, keyOf, kept, itemClass }: BlockProps) {
  const { key, label, count, first, top, height } = group
  const from = Math.max(first, Math.min(range.first, first + count))
  const to = Math.max(from, Math.min(range.end, first + count))
  const isApart = isWithin(kept, first, count) && (kept < from || kept >= to)
  const near = Array.from({ length: to - from }, (_, n) => from + n)
  // All stand in one list, so that a row which comes near stays the same element and keeps the focus.
  const positions = isApart ? (kept < from ? [kept, ...near] : [...near, kept]) : near
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div
      role="group"
      aria-labelledby={`group-${key}`}
      className={css.block}
      style={{ top, height }}
    >
      <h2 id={`group-${key}`} className={css.heading}>
        {label} <span className={css.count}>{count.toLocaleString()}</span>
      </h2>
      {/* biome-ignore lint/a11y/noRedundantRoles: a list without bullets is no list to some readers */}
      <ul role="list" className={css.rows} style={{ paddingTop: (from - first) * sizes.row }}>
        {positions.map((position) => (
          <li
            key={keyOf(position)}
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

/** The heights that the style gives to rows and heads, also after the person has changed the size of letters. */
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

/** Whatever grows or shrinks above the rows, a person who has scrolled sees them where they were. */
function useSteadyRows(
  scroll: RefObject<HTMLDivElement | null>,
  body: RefObject<HTMLDivElement | null>,
  measure: () => void,
): void {
  const before = useRef(-1)
  useLayoutEffect(() => {
    const { current: box } = scroll
    // On a phone the list is hidden behind what is open, and nothing in it has a place.
    if (box?.clientHeight === 0) return
    const top = body.current?.offsetTop ?? 0
    if (box !== null && before.current >= 0 && top !== before.current && box.scrollTop > TOP) {
      box.scrollTop += top - before.current
    }
    if (top !== before.current) measure()
    before.current = top
  })
  useEffect(() => {
    const { current: box } = scroll
    if (box === null) return
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    return () => observer.disconnect()
  }, [scroll, measure])
}
