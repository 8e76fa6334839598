import { Link } from '@tanstack/react-router'
import { ListFilter, LoaderCircle, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { MOST_COUNTED } from '../../../core/requests/request-reads.ts'
import { RISKS } from '../../../core/requests/request-record.ts'
import { RISK_WORDS, Risk, typeOf } from '../../items/request/labels.tsx'
import type { ListedRequest } from '../../items/request/request-query.ts'
import { type ApprovalSearch, filtersIn, useApprovalSearch } from '../../items/request/search.ts'
import { Sign, Status } from '../../items/status/request-status.tsx'
import { useMovement } from '../../shell/movement.ts'
import { SaveView } from '../../shell/save-view.tsx'
import { Button } from '../../ui/button.tsx'
import {
  Choice,
  Filters,
  ListEmpty,
  ListGroup,
  ListPane,
  More,
  NoMatch,
  SearchField,
  Tabs,
} from '../../ui/list-pane.tsx'
import { countdown, TimeAgo } from '../../ui/moment.tsx'
import { RowLines, rowCss } from '../../ui/row.tsx'
import { useCountdown, useMinute } from '../../ui/time.tsx'
import { BulkBar } from './bulk-bar.tsx'
import css from './list.module.css'
import { type ApprovalRows, isWaiting } from './rows.ts'
import { type RowSelection, useSelection, whyNotSelected } from './selection.ts'

type ListProps = { list: ApprovalRows; openId: string | undefined }

export function ApprovalList({ list, openId }: ListProps) {
  const [search] = useApprovalSearch()
  const { query, first, last, asked, sentBack, all } = list
  const ids = all.map(({ request_id }) => request_id)
  const move = useMovement(ids, openId, '/approvals/$id')
  const selection = useSelection(all, openId, move)
  const tab = search.tab ?? 'pending'
  const isCut = last?.cut === true
  const row = (request: (typeof all)[number]) => (
    <ApprovalRow
      key={request.request_id}
      row={request}
      isOpen={request.request_id === openId}
      selection={selection}
    />
  )
  return (
    <ListPane
      titleId="approvals-title"
      what="requests"
      className={css.list}
      header={<ApprovalTabs search={search} first={first} />}
      filters={<ApprovalFilters types={first?.types ?? []} />}
      queries={[query]}
      isEmpty={all.length === 0 && !isCut}
      empty={<NoRequests search={search} />}
      foot={<BulkBar selection={selection} />}
    >
      {asked.length === 0 ? null : (
        <ListGroup title={tab === 'pending' ? 'Waiting for you' : 'Resolved'}>
          {asked.map(row)}
        </ListGroup>
      )}
      {sentBack.length === 0 ? null : (
        <ListGroup
          id="approvals-sent-back"
          title="Revision requested"
          count={query.hasNextPage ? `${sentBack.length}+` : sentBack.length}
        >
          {sentBack.map(row)}
        </ListGroup>
      )}
      <More pages={query} isByHand={isCut}>
        {isCut ? 'Search older' : 'Show more'}
      </More>
    </ListPane>
  )
}

type TabsProps = { search: ApprovalSearch; first: ApprovalRows['first'] }

function ApprovalTabs({ search, first }: TabsProps) {
  const open = search.tab ?? 'pending'
  const others = (before: ApprovalSearch) => {
    const { tab: _, sort: __, ...rest } = filtersIn(before)
    return rest
  }
  return (
    <Tabs
      label="Which requests"
      to="/approvals"
      tabs={[
        {
          key: 'pending',
          title: 'Pending',
          count: countOf(search, first, first?.pending),
          isOpen: open === 'pending',
          search: others,
        },
        {
          key: 'resolved',
          title: 'Resolved',
          count: countOf(search, first, first?.resolved),
          isOpen: open === 'resolved',
          search: (before: ApprovalSearch) => ({ ...others(before), tab: 'resolved' }),
        },
      ]}
    />
  )
}

/** Adds `+` to lower bounds: the server stops at a limit, and search or risk filters make any count inexact. */
function countOf(
  { q, risk }: ApprovalSearch,
  page: { counts_cut: boolean } | undefined,
  count = 0,
): string {
  if (page === undefined) return ''
  const isExact = q === undefined && risk === undefined && count < MOST_COUNTED
  if (!page.counts_cut || isExact) return String(count)
  return count === 0 ? '' : `${Math.min(count, MOST_COUNTED)}+`
}

type FilterProps = { types: readonly { type: string; count: number }[] }

/** The risk and order filters are hidden until the person opens or uses them. */
function ApprovalFilters({ types }: FilterProps) {
  const [{ q, type, risk, sort, tab }, setSearch] = useApprovalSearch()
  const [isOpen, setOpen] = useState(false)
  const isShown = isOpen || risk !== undefined || sort !== undefined
  return (
    <>
      <Filters>
        <SearchField label="Search titles" value={q} onChange={(next) => setSearch({ q: next })} />
        <Choice
          label="Type"
          all="All types"
          value={type}
          options={types.map((one) => ({
            value: one.type,
            label: `${typeOf(one.type).word} (${one.count})`,
          }))}
          onChange={(next) => setSearch({ type: next })}
        />
        <Button
          look="quiet"
          icon={ListFilter}
          label="Risk and sort order"
          aria-expanded={isShown}
          onClick={() => setOpen(!isShown)}
        />
        <SaveView />
      </Filters>
      {isShown ? (
        <Filters>
          <Choice
            label="Risk"
            all="Any risk"
            value={risk}
            options={RISKS.map((one) => ({ value: one, label: `${RISK_WORDS[one].word} risk` }))}
            onChange={(next) => setSearch({ risk: RISKS.find((one) => one === next) })}
          />
          {tab === 'resolved' ? null : (
            <Choice
              label="Order"
              all="Expiring soonest"
              value={sort}
              options={[{ value: 'new', label: 'Newest first' }]}
              onChange={(next) => setSearch({ sort: next === 'new' ? 'new' : undefined })}
            />
          )}
        </Filters>
      ) : null}
    </>
  )
}

function NoRequests({ search: { tab, q, type, risk } }: { search: ApprovalSearch }) {
  if ([q, type, risk].some((one) => one !== undefined)) {
    return <NoMatch search={tab === undefined ? {} : { tab }}>No requests match.</NoMatch>
  }
  return (
    <ListEmpty>
      {tab === 'resolved' ? 'No decisions yet.' : 'Nothing is waiting for your decision.'}
    </ListEmpty>
  )
}

const HOUR_MS = 3_600_000

/** Shown while a decision can still be undone. */
const HELD: Record<string, string> = {
  approve: 'Applying',
  reject: 'Rejecting',
  request_revision: 'Requesting revision',
}

type Props = { row: ListedRequest; isOpen: boolean; selection: RowSelection }

function ApprovalRow({ row, isOpen, selection }: Props) {
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

/** Shows what matters most about a row before it's opened. */
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

/** Whether a review's agent isn't paired with anyone, according to the review's title. */
function isUnrouted(type: string, title: string): boolean {
  return type === 'workspace_review' && title.startsWith('Workspace review (unrouted): ')
}
