import { Clock, Ellipsis, Mail, MailOpen, Trash2 } from 'lucide-react'
import { memo, useState } from 'react'
import { Risk, typeOf } from '../../items/request/labels.tsx'
import { RowLines, rowCss } from '../../ui/row.tsx'
import { agoIn, futureIn, leftIn, timeIn, useCountdown } from '../../ui/time.tsx'
import type { ListedRow } from './page.ts'
import css from './row.module.css'

export type RowProps = {
  row: ListedRow
  href: string
  now: number
  isOpen: boolean
  /** The Tab key reaches only this row. */
  isTabStop: boolean
  /** Undefined unless the person is choosing rows. */
  isChosen: boolean | undefined
  isPinned: boolean
}

/** Without hover, a row has a menu instead of buttons. */
const HAS_HOVER = matchMedia('(hover: hover)').matches

export const Row = memo(function Row(props: RowProps) {
  const { row, href, now, isOpen, isTabStop, isChosen, isPinned } = props
  const [isHovered, setHovered] = useState(false)
  const { thread_id: id, title, latest_from, unread } = row
  const sign = isPinned ? 'needs' : unread > 0 ? 'unread' : 'none'
  const spoken = spokenSigns(row)
  const isSelecting = isChosen !== undefined
  return (
    <div
      className={css.around}
      data-chosen={isChosen === true}
      onPointerEnter={({ pointerType }) => setHovered(pointerType === 'mouse')}
      onPointerLeave={() => setHovered(false)}
    >
      {isSelecting ? (
        <input
          type="checkbox"
          className={css.box}
          checked={isChosen}
          readOnly
          tabIndex={-1}
          data-choose={id}
          aria-label={`Select ${title}`}
        />
      ) : null}
      <a
        className={rowCss.row}
        href={href}
        aria-current={isOpen ? 'true' : undefined}
        tabIndex={isTabStop ? 0 : -1}
        data-row={id}
        data-sign={sign}
        data-strong={unread > 0 || isPinned}
      >
        {spoken === '' ? null : <span className="spoken">{`${spoken} `}</span>}
        <RowLines
          name={latest_from}
          title={title}
          sign={sign}
          isSoon={isPinned && row.expires_at !== null}
          time={
            isPinned && row.expires_at !== null ? (
              <Left until={row.expires_at} />
            ) : (
              timeOf(row, now, isPinned)
            )
          }
        >
          <SecondLine row={row} isPinned={isPinned} />
        </RowLines>
      </a>
      {isSelecting || (HAS_HOVER && !isHovered) ? null : <Tools row={row} />}
    </div>
  )
})

function SecondLine({ row, isPinned }: { row: ListedRow; isPinned: boolean }) {
  const { latest_from, preview, documents, workspace_label, woken, risk } = row
  const what = kindOf(row)
  if (isPinned) {
    return (
      <>
        <span className="truncate grow" dir="auto">
          <b className="ink medium">{latest_from}</b> {what ?? preview}
        </span>
        {risk === null ? null : <Risk level={risk} />}
      </>
    )
  }
  return (
    <>
      <span className="truncate grow" dir="auto">
        {woken ? (
          <span className={css.woken} aria-hidden>
            {'Back from snooze '}
          </span>
        ) : null}
        <b className="ink medium">{latest_from}</b> {what ?? ''}
        {what === undefined || preview === '' ? '' : ' · '}
        {preview}
      </span>
      {documents === 0 ? null : (
        <span className={css.documents}>
          <svg viewBox="0 0 12 14" width="10" height="12" aria-hidden="true">
            <path d="M7 1H2v12h8V4L7 1v3h3M4 7h4M4 10h4" />
          </svg>
          {documents}
          <span className="spoken">{documents === 1 ? ' document' : ' documents'}</span>
        </span>
      )}
      {workspace_label === '' ? null : <span className={css.workspace}>{workspace_label}</span>}
    </>
  )
}

/** The list handles the clicks, so a row has no callbacks that change with each render. */
function Tools({ row: { thread_id: id, title, unread, what } }: { row: ListedRow }) {
  const button = (act: RowAct, label: string, Icon: typeof Mail) => (
    <button
      type="button"
      className={css.tool}
      tabIndex={-1}
      data-act={act}
      data-of={id}
      title={label}
      aria-label={`${label}: ${title}`}
    >
      <Icon size={16} aria-hidden />
    </button>
  )
  if (!HAS_HOVER) return <span className={css.tools}>{button('menu', 'More', Ellipsis)}</span>
  return (
    <span className={css.tools}>
      {unread > 0
        ? button('read', 'Mark as read', MailOpen)
        : button('read', 'Mark as unread', Mail)}
      {button('snooze', 'Snooze', Clock)}
      {button('away', what === 'push' ? 'Move to trash' : 'Put away', Trash2)}
    </span>
  )
}

export type RowAct = 'read' | 'snooze' | 'away' | 'menu'

function Left({ until }: { until: string }) {
  return leftIn(until, useCountdown(until))
}

function timeOf({ at, snoozed_until }: ListedRow, now: number, isPinned: boolean): string {
  if (isPinned) return agoIn(new Date(at), now)
  if (snoozed_until !== null) return `until ${futureIn(new Date(snoozed_until), new Date(now))}`
  return timeIn(new Date(at), now)
}

const WHATS: Partial<Record<ListedRow['what'], string>> = {
  question: 'Question',
  request: 'Request',
}

function kindOf({ request_type, what, needs_you }: ListedRow): string | undefined {
  if (request_type !== null) return typeOf(request_type).word
  return needs_you ? 'Question' : WHATS[what]
}

/** For screen readers: what the row shows with a dot, a diamond or a color. */
function spokenSigns({ unread, woken, needs_you }: ListedRow): string {
  const signs = [
    ...(needs_you ? ['Needs you.'] : []),
    ...(unread > 0 ? ['Unread.'] : []),
    ...(woken ? ['Back from snooze.'] : []),
  ]
  return signs.join(' ')
}

export function RowSkeleton() {
  return (
    <div className={css.skeleton} aria-hidden>
      <i />
      <i />
      <i />
    </div>
  )
}
