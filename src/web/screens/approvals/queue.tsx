import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { MOST_COUNTED } from '../../../core/requests/request-reads.ts'
import type { ListedRequest } from '../../items/request/request-query.ts'
import { type ApprovalSearch, filtersIn, useApprovalSearch } from '../../items/request/search.ts'
import { useMovement } from '../../shell/movement.ts'
import { Button } from '../../ui/button.tsx'
import { More } from '../../ui/list-pane.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { type RowSelection, usePicking } from './picking.ts'
import css from './queue.module.css'
import { Filters } from './queue-filters.tsx'
import type { ApprovalRows } from './queue-pages.ts'
import { QueueRow } from './queue-row.tsx'

type QueueProps = { list: ApprovalRows; openId: string | undefined }

export function Queue({ list, openId }: QueueProps) {
  const [search, setSearch] = useApprovalSearch()
  const { pages: queue, first, asked, sentBack, ordered } = list
  const ids = useMemo(() => ordered.map(({ request_id }) => request_id), [ordered])
  const move = useMovement(ids, openId, '/approvals/$id')
  const picking = usePicking(ordered, openId, move)
  const tab = search.tab ?? 'pending'
  const isCut = queue.data?.pages.at(-1)?.cut === true
  return (
    <section className={css.queue} aria-labelledby="approvals-title">
      <header className={css.header}>
        <nav className={css.tabs} aria-label="Which requests">
          <Tab
            name="Pending"
            count={countOf(search, first, first?.pending)}
            isOpen={tab === 'pending'}
            tab={undefined}
          />
          <Tab
            name="Resolved"
            count={countOf(search, first, first?.resolved)}
            isOpen={tab === 'resolved'}
            tab="resolved"
          />
        </nav>
      </header>
      <Filters search={search} setSearch={setSearch} types={first?.types ?? []} />
      <div className={css.scroll}>
        {queue.error !== null && ordered.length === 0 ? (
          <div className={css.empty} role="alert">
            <p>{`Couldn't load the requests: ${queue.error.message}.`}</p>
            <Button onClick={() => void queue.refetch()}>Try again</Button>
          </div>
        ) : null}
        {queue.isSuccess && ordered.length === 0 && !isCut ? <Empty search={search} /> : null}
        <Rows
          rows={asked}
          openId={openId}
          picking={picking}
          label={tab === 'pending' ? 'Waiting for you' : 'Resolved'}
        />
        {sentBack.length === 0 ? null : (
          <>
            <h2 className={css.group}>
              Sent back{' '}
              <span className={css.count}>
                {queue.hasNextPage ? `${sentBack.length}+` : sentBack.length}
              </span>
            </h2>
            <Rows rows={sentBack} openId={openId} picking={picking} label="Sent back" />
          </>
        )}
        <More pages={queue} isByHand={isCut}>
          {isCut ? 'Search further' : 'Show more'}
        </More>
      </div>
      <BulkBar picking={picking} />
    </section>
  )
}

/**
 * The server counts no further than so many; beyond it the number says at least. Of a search and of a risk every number
 * then does, and none says nothing.
 */
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

type TabProps = {
  name: string
  count: string
  isOpen: boolean
  tab: 'resolved' | undefined
}

function Tab({ name, count, isOpen, tab }: TabProps) {
  return (
    <Link
      className={css.tab}
      to="/approvals"
      search={(before: ApprovalSearch) => {
        const { tab: _, sort: __, ...rest } = filtersIn(before)
        return tab === undefined ? rest : { ...rest, tab }
      }}
      aria-current={isOpen ? 'true' : undefined}
      data-open={isOpen}
    >
      {name} <span className={css.count}>{count}</span>
    </Link>
  )
}

function Empty({ search: { tab, q, type, risk } }: { search: ApprovalSearch }) {
  const isFiltered = [q, type, risk].some((one) => one !== undefined)
  if (isFiltered) {
    return (
      <div className={css.empty}>
        <p>No request matches.</p>
        <Link className={css.clear} to="/approvals" search={tab === undefined ? {} : { tab }}>
          Clear filters
        </Link>
      </div>
    )
  }
  return (
    <p className={css.empty}>
      {tab === 'resolved' ? 'No decisions yet.' : 'Nothing is waiting for your decision.'}
    </p>
  )
}

type RowsProps = {
  rows: readonly ListedRequest[]
  openId: string | undefined
  picking: RowSelection
  label: string
}

function Rows({ rows, openId, picking, label }: RowsProps) {
  if (rows.length === 0) return null
  return (
    <ul aria-label={label}>
      {rows.map((row) => (
        <QueueRow
          key={row.request_id}
          row={row}
          isOpen={row.request_id === openId}
          picking={picking}
        />
      ))}
    </ul>
  )
}
