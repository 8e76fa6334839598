import { Link } from '@tanstack/react-router'
import {
  ArrowRight,
  ChevronRight,
  ClipboardCheck,
  ClipboardList,
  CornerDownRight,
  Info,
  type LucideIcon,
  MessageCircleQuestionMark,
  MessageSquare,
  OctagonX,
  SearchCheck,
  SearchCode,
} from 'lucide-react'
import { useCallback, useEffect, useEffectEvent, useMemo, useRef } from 'react'
import type { MailType } from '../../../core/vocabulary.ts'
import { useDisplayName } from '../../shell/names.tsx'
import { useLatest } from '../../ui/store.ts'
import { dayOf, useMinute } from '../../ui/time.tsx'
import { Window, type WindowHandle } from '../../ui/window.tsx'
import type { WindowGroup, WindowRange } from '../../ui/window-layout.ts'
import type { PastRow } from './pages.ts'
import css from './screen.module.css'

/** The icons aren't colored, because they show a type and not a state. */
const TYPE_ICONS: Record<MailType, LucideIcon> = {
  'task-assigned': ClipboardList,
  'task-done': ClipboardCheck,
  'review-request': SearchCode,
  'review-result': SearchCheck,
  question: MessageCircleQuestionMark,
  answer: CornerDownRight,
  cancel: OctagonX,
  status: Info,
  custom: MessageSquare,
}

/** The next page is fetched when its first row is this many rows away. */
const AHEAD = 40

type Props = {
  rows: readonly PastRow[]
  openId: string | undefined
  total: number | undefined
  hasMore: boolean
  onEnd: () => void
  /** Changes when the list starts again from the top. */
  listKey: string
}

export function Rows({ rows, openId, total, hasMore, onEnd, listKey }: Props) {
  const now = useMinute()
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const groups = useMemo(() => groupByDay(rows, now), [rows, now])
  const handle = useRef<WindowHandle>(null)
  const visible = useRef<WindowRange>({ first: 0, end: 0 })
  const loadNear = useLatest(() => {
    if (hasMore && visible.current.end + AHEAD > rows.length) onEnd()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each page another may be missing
  useEffect(() => loadNear.current(), [rows.length, hasMore, onEnd])
  const onRange = useCallback(
    (range: WindowRange) => {
      visible.current = range
      loadNear.current()
    },
    [loadNear],
  )
  const position = openId === undefined ? -1 : ids.indexOf(openId)
  useRevealOpened(openId, position, handle)
  return (
    <Window
      key={listKey}
      handle={handle}
      className={css.scroll}
      groups={groups}
      ids={ids}
      renderRow={(at) =>
        rows[at] === undefined ? null : <Row row={rows[at]} isOpen={at === position} />
      }
      total={hasMore ? (total ?? -1) : rows.length}
      kept={position}
      onRange={onRange}
      below={
        hasMore && rows.length > 0 ? (
          <p className="quiet py-5 px-6" role="status">
            Loading older messages…
          </p>
        ) : null
      }
    />
  )
}

/** Scrolls to the row that was opened with the keyboard, and focuses it. */
function useRevealOpened(
  openId: string | undefined,
  position: number,
  handle: { current: WindowHandle | null },
): void {
  const done = useRef<string>(undefined)
  const reveal = useEffectEvent(() => {
    if (openId === undefined) done.current = undefined
    if (openId === undefined || position < 0 || done.current === openId) return
    done.current = openId
    handle.current?.reveal(position)
    // Keep the focus in a field the person is typing in.
    const { activeElement } = document
    const isFree = activeElement === document.body || activeElement?.matches('[data-row]')
    if (isFree) handle.current?.focusRow(openId)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another row is open, or its page arrives
  useEffect(() => reveal(), [openId, position])
}

/** The times in the rows don't show the day, so each day has its own heading, no matter how long ago it was. */
function groupByDay(rows: readonly PastRow[], now: number): WindowGroup[] {
  const groups: WindowGroup[] = []
  let day: number | undefined
  let group: WindowGroup | undefined
  for (const row of rows) {
    if (group === undefined || row.day !== day) {
      group = { key: row.id, label: headingOf(row.created_at, now), count: 0 }
      groups.push(group)
    }
    day = row.day
    group.count += 1
  }
  return groups
}

function headingOf(at: string, now: number): string {
  const day = dayOf(new Date(at), now)
  const date = new Date(at).toLocaleDateString(undefined, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  })
  return ['Today', 'Yesterday'].includes(day) ? `${day}, ${date}` : date
}

function Row({ row, isOpen }: { row: PastRow; isOpen: boolean }) {
  const { id, type, from, to, subject, created_at } = row
  const called = useDisplayName()
  const Icon = TYPE_ICONS[type]
  return (
    <Link
      className={css.row}
      to="/history/$id"
      params={{ id }}
      search={(before) => before}
      aria-current={isOpen ? 'true' : undefined}
      data-row={id}
    >
      <time className="code quiet" dateTime={created_at}>
        {clockWithMs(new Date(created_at))}
      </time>
      <span className={css.type}>
        <Icon size={14} aria-hidden />
        {type}
      </span>
      <span className={css.way}>
        <span className="truncate min-0" dir="auto">
          {called(from)}
        </span>
        <ArrowRight size={12} aria-label="to" />
        <span className="truncate min-0" dir="auto">
          {called(to)}
        </span>
      </span>
      <span className={css.subject} dir="auto">
        {subject}
      </span>
      <ChevronRight className={css.turn} size={14} aria-hidden />
    </Link>
  )
}

function clockWithMs(at: Date): string {
  const padded = (value: number, to = 2) => String(value).padStart(to, '0')
  const seconds = [at.getHours(), at.getMinutes(), at.getSeconds()].map((one) => padded(one))
  return `${seconds.join(':')}.${padded(at.getMilliseconds(), 3)}`
}
