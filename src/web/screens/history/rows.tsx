// The rows of the history, day by day. A hundred thousand of them are as few in the page as a hundred.

import { Link } from '@tanstack/react-router'
import { ArrowRight, ChevronRight } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { useDisplayName } from '../../shell/names.tsx'
import { useRowWindow, useSight } from '../../ui/row-window.ts'
import { dayOf, useMinute } from '../../ui/time.tsx'
import type { PastRow } from './pages.ts'
import css from './screen.module.css'
import { TYPE_ICONS } from './type-icons.ts'

/** Heights in the style sheet: of a row, of a row where it is narrow, and of a day's heading. */
const ROW = 36
const NARROW_ROW = 64
const DAY = 36
/** Below this width a row has two lines. */
const NARROW = 640

type Day = { label: string; rows: readonly PastRow[] }
type Item = { day: number; row: PastRow; index: number } | { day: number }

type Props = {
  rows: readonly PastRow[]
  openId: string | undefined
  /** How many there are, where that is known. */
  total: number | undefined
  hasMore: boolean
  /** Called while the end of what was loaded is near. */
  onEnd: () => void
  /** Whether everything is drawn anew, from the top. */
  isNew: string
}

export function Rows({ rows, openId, total, hasMore, onEnd, isNew }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const now = useMinute()
  const sight = useSight(box)
  const isNarrow = sight.width <= NARROW
  const days = useMemo(() => daysOf(rows, now), [rows, now])
  const items = useMemo(() => itemsOf(days), [days])
  const tops = useMemo(() => topsOf(items, isNarrow ? NARROW_ROW : ROW), [items, isNarrow])
  const { shown, reveal } = useRowWindow(box, sight, tops)
  const { from, to } = shown
  useEffect(() => {
    if (hasMore && items.length - to < 40) onEnd()
  }, [hasMore, items.length, to, onEnd])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter begins at the top
  useEffect(() => {
    if (box.current !== null) box.current.scrollTop = 0
  }, [isNew])
  useOpened({ openId, items, reveal })
  const first = items[from]
  const drawn = items.slice(from, to)
  const groups = [...Map.groupBy(drawn, ({ day }) => day)]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by the keyboard
    <div ref={box} className={css.scroll} data-narrow={isNarrow} tabIndex={0}>
      {/* The heading of a day that began above stands for it. */}
      <div style={{ height: shown.above - (first !== undefined && 'row' in first ? DAY : 0) }} />
      {groups.map(([day, own]) => (
        <section key={day} aria-label={days[day]?.label}>
          <h2 className={css.day}>{days[day]?.label}</h2>
          <ul>
            {own.map((item) =>
              'row' in item ? (
                <Row
                  key={item.row.id}
                  row={item.row}
                  isOpen={item.row.id === openId}
                  place={item.index + 1}
                  of={hasMore ? (total ?? -1) : rows.length}
                />
              ) : null,
            )}
          </ul>
        </section>
      ))}
      <div style={{ height: shown.below }} />
      {hasMore && rows.length > 0 ? (
        <p className={css.further} role="status">
          Looking further back…
        </p>
      ) : null}
    </div>
  )
}

/** The row that is opened by keys is brought into sight, and has the focus as soon as it is drawn. */
function useOpened({
  openId,
  items,
  reveal,
}: {
  openId: string | undefined
  items: readonly Item[]
  reveal: (index: number, under: number) => void
}): void {
  const done = useRef<string>(undefined)
  useEffect(() => {
    if (openId === undefined || done.current === openId) {
      done.current = openId
      return
    }
    const index = items.findIndex((item) => 'row' in item && item.row.id === openId)
    if (index < 0) return
    done.current = openId
    reveal(index, DAY)
    const { activeElement } = document
    const isFree = activeElement === document.body || activeElement?.matches('[data-row]')
    if (!isFree) return
    // The row is drawn after the box has scrolled.
    requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        document.querySelector<HTMLElement>(`[data-row="${CSS.escape(openId)}"]`)?.focus({
          preventScroll: true,
        }),
      ),
    )
  }, [openId, items, reveal])
}

function daysOf(rows: readonly PastRow[], now: number): Day[] {
  const days: { label: string; rows: PastRow[] }[] = []
  let day: number | undefined
  for (const row of rows) {
    if (row.day === day) days.at(-1)?.rows.push(row)
    else days.push({ label: headingOf(row.created_at, now), rows: [row] })
    day = row.day
  }
  return days
}

function itemsOf(days: readonly Day[]): Item[] {
  let index = 0
  return days.flatMap(({ rows }, day): Item[] => [
    { day },
    ...rows.map((row) => ({ day, row, index: index++ })),
  ])
}

function topsOf(items: readonly Item[], height: number): number[] {
  const tops = [0]
  for (const item of items) tops.push((tops.at(-1) ?? 0) + ('row' in item ? height : DAY))
  return tops
}

/** Times stand without their day, so here each day has its own heading, however long ago. */
function headingOf(at: string, now: number): string {
  const day = dayOf(new Date(at), now)
  const date = new Date(at).toLocaleDateString(undefined, {
    ...{ day: 'numeric', month: 'long', year: 'numeric' },
  })
  return ['Today', 'Yesterday'].includes(day) ? `${day}, ${date}` : date
}

type RowProps = { row: PastRow; isOpen: boolean; place: number; of: number }

function Row({ row, isOpen, place, of }: RowProps) {
  const { id, type, from, to, subject, created_at } = row
  const called = useDisplayName()
  const Icon = TYPE_ICONS[type]
  return (
    <li className={css.item} aria-posinset={place} aria-setsize={of}>
      <Link
        className={css.row}
        to="/history/$id"
        params={{ id }}
        search={(before) => before}
        aria-current={isOpen ? 'true' : undefined}
        data-row={id}
      >
        <time className={css.time} dateTime={created_at}>
          {clockWithMs(new Date(created_at))}
        </time>
        <span className={css.type}>
          <Icon size={14} aria-hidden />
          {type}
        </span>
        <span className={css.way}>
          <span className={css.end} dir="auto">
            {called(from)}
          </span>
          <ArrowRight size={12} aria-label="to" />
          <span className={css.end} dir="auto">
            {called(to)}
          </span>
        </span>
        <span className={css.subject} dir="auto">
          {subject}
        </span>
        <ChevronRight className={css.turn} size={14} aria-hidden />
      </Link>
    </li>
  )
}

function clockWithMs(at: Date): string {
  const padded = (value: number, to = 2) => String(value).padStart(to, '0')
  const seconds = [at.getHours(), at.getMinutes(), at.getSeconds()].map((one) => padded(one))
  return `${seconds.join(':')}.${padded(at.getMilliseconds(), 3)}`
}
