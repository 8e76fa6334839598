import { Link } from '@tanstack/react-router'
import { LoaderCircle, TriangleAlert } from 'lucide-react'
import { Risk, typeOf } from '../../items/request/labels.tsx'
import type { ListedRequest } from '../../items/request/request-query.ts'
import { type ApprovalSearch, filtersIn } from '../../items/request/search.ts'
import { Sign, Status } from '../../items/status/request-status.tsx'
import { countdown, TimeAgo } from '../../ui/moment.tsx'
import { RowLines, rowCss } from '../../ui/row.tsx'
import { useCountdown, useMinute } from '../../ui/time.tsx'
import css from './list.module.css'
import { isWaiting } from './rows.ts'
import { type RowSelection, whyNotSelected } from './selection.ts'

const HOUR_MS = 3_600_000

/** While a decision can still be undone. */
const HELD: Record<string, string> = {
  approve: 'Applying',
  reject: 'Rejecting',
  request_revision: 'Requesting revision',
}

type Props = { row: ListedRequest; isOpen: boolean; selection: RowSelection }

export function ApprovalRow({ row, isOpen, selection }: Props) {
  const { request_id, title, requester, revision, type } = row
  const { word, icon: Icon } = typeOf(type)
  const now = useMinute()
  const waits = isWaiting(row)
  const left = row.expires_at === null ? null : new Date(row.expires_at).getTime() - now
  const isSoon = waits && left !== null && left < HOUR_MS && left > 0
  return (
    <li className={selection.isOn ? `${rowCss.item} ${css.pickable}` : rowCss.item}>
      {selection.isOn ? <PickBox row={row} selection={selection} /> : null}
      <Link
        className={rowCss.row}
        to="/approvals/$id"
        params={{ id: request_id }}
        search={(before: ApprovalSearch) => filtersIn(before)}
        aria-current={isOpen ? 'true' : undefined}
        data-row={request_id}
        data-sign={waits ? 'needs' : 'none'}
        data-strong={waits}
      >
        <RowLines
          name={requester}
          title={title}
          sign={waits ? 'needs' : 'none'}
          badge={
            revision > 1 ? (
              <span className="quiet round-chip edge px-3 micro">{`v${revision}`}</span>
            ) : null
          }
          time={
            isSoon && row.expires_at !== null ? (
              <Left until={row.expires_at} />
            ) : (
              <TimeAgo at={row.decided_at ?? row.created_at} />
            )
          }
          isSoon={isSoon}
        >
          <Icon size={14} aria-hidden className="rigid" />
          <span className="truncate grow">
            {word} <b className="ink medium">{requester}</b>
          </span>
          <State row={row} />
        </RowLines>
      </Link>
    </li>
  )
}

/** The one thing about a row that matters most before it is opened. */
function State({ row }: { row: ListedRequest }) {
  const { status, risk, held_move, title, type } = row
  if (held_move !== null) {
    return <Sign icon={LoaderCircle} hue="teal" word={HELD[held_move] ?? held_move} />
  }
  if (status !== 'pending') return <Status status={status} />
  if (isUnrouted(type, title)) return <Sign icon={TriangleAlert} hue="amber" word="Unrouted" />
  return risk === null ? null : <Risk level={risk} />
}

function Left({ until }: { until: string }) {
  return <span>{countdown(until, useCountdown(until))}</span>
}

function PickBox({ row, selection }: { row: ListedRequest; selection: RowSelection }) {
  const why = whyNotSelected(row, selection.selected)
  return (
    <input
      type="checkbox"
      className={css.pick}
      aria-label={`Select ${row.title}`}
      title={why ?? undefined}
      checked={selection.selected.has(row.request_id)}
      disabled={why !== null}
      onChange={() => selection.toggle(row)}
    />
  )
}

/** The title of a review says so when its agent isn't paired with anyone. */
function isUnrouted(type: string, title: string): boolean {
  return type === 'workspace_review' && title.startsWith('Workspace review (unrouted): ')
}
