import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FileText, ListFilter } from 'lucide-react'
import { useMemo } from 'react'
import type { OperationAnswer } from '../../ops/typed-call.ts'
import { call, type PageInput } from '../api/call.ts'
import { asking } from '../api/queries.ts'
import { Risk } from '../approvals/badges.tsx'
import type { ListedRequest } from '../approvals/request-answer.ts'
import { typeOf } from '../approvals/words.ts'
import { useCommands } from '../shell/commands.ts'
import { useMovement } from '../shell/movement.ts'
import { Button } from '../ui/button.tsx'
import { RowLines, rowCss } from '../ui/row.tsx'
import { Ago, dayOf, leftIn, timeIn, useMinute } from '../ui/time.tsx'
import { Connect } from './connect.tsx'
import css from './list.module.css'
import { type InboxSearch, useInboxSearch } from './search.ts'

export type DeskRow = OperationAnswer<'desk list'>['rows'][number]

const PAGE = 100
const NEEDS_SHOWN = 3

function useDesk({ view, ws, agent }: InboxSearch) {
  const input: PageInput<'desk list'> = {
    limit: PAGE,
    ...(view === 'unread' ? { unread: true } : {}),
    ...(ws === undefined ? {} : { workspace: ws }),
    ...(agent === undefined ? {} : { from: agent }),
  }
  return useInfiniteQuery({
    queryKey: ['desk list', input, 'pages'],
    initialPageParam: null as number | null,
    queryFn: ({ signal, pageParam }) => {
      const before = pageParam === null ? {} : { before: pageParam }
      return call('desk list', { ...input, ...before }, { signal })
    },
    getNextPageParam: ({ next_before }) => next_before,
    placeholderData: (before) => before,
  })
}

export function List({ openId }: { openId: string | undefined }) {
  const [search, setSearch] = useInboxSearch()
  const desk = useDesk(search)
  const needs = useQuery(asking('request list', { tab: 'pending', limit: 50 }))
  const isUnread = search.view === 'unread'
  const rows = useMemo(() => desk.data?.pages.flatMap(({ rows }) => rows) ?? [], [desk.data])
  const waiting = useMemo(
    () => (needs.data?.requests ?? []).filter(({ status }) => status === 'pending'),
    [needs.data],
  )
  const ids = useMemo(
    () => [
      ...waiting.slice(0, NEEDS_SHOWN).map(({ request_id }) => request_id),
      ...rows.filter(isNotAbove(waiting)).map(({ thread_id }) => thread_id),
    ],
    [waiting, rows],
  )
  useMovement(ids, openId, '/inbox/$id')
  useCommands(
    useMemo(
      () => [
        {
          title: 'Unread only',
          keys: 'U',
          group: 'Inbox',
          run: () => setSearch(isUnread ? {} : { view: 'unread' }),
        },
      ],
      [isUnread, setSearch],
    ),
  )
  const unread = desk.data?.pages[0]?.unread
  const isFiltered = Object.keys(search).length > 0
  return (
    <section className={css.list} aria-labelledby="inbox-title">
      <header className={css.header}>
        <span className={css.title} aria-hidden>
          Inbox
        </span>
        <span className={css.quiet}>
          {unread === undefined || unread === 0 ? '' : `${unread} unread`}
        </span>
        <span className={css.tools}>
          <Button
            look="quiet"
            icon={ListFilter}
            label="Unread only"
            aria-pressed={isUnread}
            onClick={() => setSearch(isUnread ? {} : { view: 'unread' })}
          />
        </span>
      </header>
      <div className={css.scroll}>
        {desk.error !== null && rows.length === 0 ? (
          <div className={css.empty} role="alert">
            <p>{`Couldn't load the inbox: ${desk.error.message}.`}</p>
            <Button onClick={() => void desk.refetch()}>Try again</Button>
          </div>
        ) : null}
        {isFiltered ? null : <NeedsYou waiting={waiting} openId={openId} />}
        <Days rows={isFiltered ? rows : rows.filter(isNotAbove(waiting))} openId={openId} />
        {desk.isSuccess && rows.length === 0 && waiting.length === 0 ? (
          isFiltered ? (
            <div className={css.empty}>
              <p>Nothing matches.</p>
              <Link className={css.clear} to="/inbox" search={{}}>
                Clear filters
              </Link>
            </div>
          ) : (
            <Connect />
          )
        ) : null}
        {desk.hasNextPage ? (
          <div className={css.more}>
            <Button onClick={() => void desk.fetchNextPage()}>Show older</Button>
          </div>
        ) : null}
      </div>
    </section>
  )
}

/** A request that waits stands above, and not a second time among the days. */
function isNotAbove(waiting: readonly ListedRequest[]) {
  const above = new Set(waiting.map(({ request_id }) => request_id))
  return ({ thread_id }: DeskRow) => !above.has(thread_id)
}

function NeedsYou({
  waiting,
  openId,
}: {
  waiting: readonly ListedRequest[]
  openId: string | undefined
}) {
  const now = useMinute()
  if (waiting.length === 0) return null
  const more = waiting.length - NEEDS_SHOWN
  return (
    <section aria-labelledby="needs-title">
      <h2 id="needs-title" className={css.group}>
        Needs you <span className={css.quiet}>{waiting.length}</span>
      </h2>
      <ul>
        {waiting.slice(0, NEEDS_SHOWN).map((request) => {
          const { request_id, title, requester, type, risk, created_at, expires_at } = request
          return (
            <li key={request_id} className={rowCss.item}>
              <Link
                className={rowCss.row}
                to="/inbox/$id"
                params={{ id: request_id }}
                search={(before) => before}
                aria-current={openId === request_id ? 'true' : undefined}
                data-row={request_id}
                data-sign="needs"
                data-strong
              >
                <RowLines
                  name={requester}
                  title={title}
                  sign="needs"
                  isSoon={expires_at !== null}
                  time={expires_at === null ? <Ago at={created_at} /> : leftIn(expires_at, now)}
                >
                  <span className={rowCss.about}>
                    <b className={rowCss.who}>{requester}</b> {typeOf(type).word}
                  </span>
                  {risk === null ? null : <Risk level={risk} />}
                </RowLines>
              </Link>
            </li>
          )
        })}
      </ul>
      {more > 0 ? (
        <Link className={css.others} to="/approvals" search={{}}>
          {`Show ${more} more`}
        </Link>
      ) : null}
    </section>
  )
}

function Days({ rows, openId }: { rows: readonly DeskRow[]; openId: string | undefined }) {
  const now = useMinute()
  const days = useMemo(
    () => [...Map.groupBy(rows, ({ at }) => dayOf(new Date(at), now))],
    [rows, now],
  )
  return days.map(([day, own]) => (
    <section key={day} aria-label={day}>
      <h2 className={css.group}>
        {day} <span className={css.quiet}>{own.length}</span>
      </h2>
      <ul>
        {own.map((row) => (
          <Row key={row.thread_id} row={row} isOpen={row.thread_id === openId} now={now} />
        ))}
      </ul>
    </section>
  ))
}

const WHATS: Partial<Record<DeskRow['what'], string>> = { question: 'Question', request: 'Request' }

function Row({ row, isOpen, now }: { row: DeskRow; isOpen: boolean; now: number }) {
  const { thread_id, title, from, latest_from, preview, unread, documents, workspace_label, at } =
    row
  const what = WHATS[row.what]
  return (
    <li className={rowCss.item}>
      <Link
        className={rowCss.row}
        to="/inbox/$id"
        params={{ id: thread_id }}
        search={(before) => before}
        aria-current={isOpen ? 'true' : undefined}
        data-row={thread_id}
        data-sign={unread > 0 ? 'unread' : 'none'}
        data-strong={unread > 0}
      >
        <RowLines
          name={from}
          title={title}
          sign={unread > 0 ? 'unread' : 'none'}
          time={timeIn(new Date(at), now)}
        >
          <span className={rowCss.about} dir="auto">
            {unread > 0 ? <span className={css.spoken}>Unread. </span> : null}
            <b className={rowCss.who}>{latest_from}</b> {what === undefined ? '' : `${what} · `}
            {preview}
          </span>
          {documents === 0 ? null : (
            <span className={css.documents}>
              <FileText size={14} aria-hidden />
              {documents}
            </span>
          )}
          {workspace_label === '' ? null : <span className={css.workspace}>{workspace_label}</span>}
        </RowLines>
      </Link>
    </li>
  )
}
