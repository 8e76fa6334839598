// History: every message, of work and of mail, newest first, and each as the exact object.

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ArrowRight, ChevronRight, Download } from 'lucide-react'
import { useMemo } from 'react'
import type { OperationAnswer } from '../../ops/typed-call.ts'
import { call } from '../api/call.ts'
import { asking, queries } from '../api/queries.ts'
import { useMovement } from '../shell/movement.ts'
import { Button } from '../ui/button.tsx'
import { useCalled } from '../ui/names.tsx'
import { dayOf, useMinute } from '../ui/time.tsx'
import { ExactObject } from './exact-object.tsx'
import { ExportProgress, useExport } from './export.tsx'
import { Filters } from './filters.tsx'
import css from './screen.module.css'
import { filterOf, useHistorySearch } from './search.ts'
import { TYPE_ICONS } from './type-icons.ts'

export type PastMail = OperationAnswer<'mail history'>['messages'][number]

const PAGE = 100

export function HistoryScreen() {
  const { id } = useParams({ strict: false })
  const [search] = useHistorySearch()
  const filter = useMemo(() => filterOf(search), [search])
  // What is shown stays where it is: the stream tells only of the newest, and the person asks for it.
  const pagesKey = useMemo(() => ['history pages', filter], [filter])
  const list = useInfiniteQuery({
    queryKey: pagesKey,
    initialPageParam: null as number | null,
    queryFn: ({ signal, pageParam }) => {
      const before = pageParam === null ? {} : { before: pageParam }
      return call('mail history', { ...filter, limit: PAGE, ...before }, { signal })
    },
    getNextPageParam: ({ next_before }) => next_before,
    placeholderData: (before) => before,
  })
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.messages) ?? [], [list.data])
  const ids = useMemo(() => rows.map((row) => row.id), [rows])
  useMovement(ids, id, '/history/$id')
  const newest = useQuery(asking('mail history', { ...filter, limit: 1 })).data?.messages[0]
  const hasNewer =
    list.isSuccess && newest !== undefined && newest.event_id > (rows[0]?.event_id ?? 0)
  const exporting = useExport(filter)
  return (
    <div className={css.screen} data-open={id !== undefined}>
      <h1 id="history-title" className={css.spoken}>
        History
      </h1>
      <section className={css.list} aria-labelledby="history-title">
        <header className={css.header}>
          <span className={css.title} aria-hidden>
            History
          </span>
          <span className={css.quiet}>
            {rows.length === 0 ? '' : `${rows.length}${list.hasNextPage ? ' and more' : ''}`}
          </span>
          <span className={css.tools}>
            <Button
              icon={Download}
              disabled={exporting.progress !== null}
              onClick={exporting.begin}
            >
              Export JSON
            </Button>
          </span>
        </header>
        <ExportProgress exporting={exporting} />
        <Filters />
        <div className={css.scroll}>
          {list.error !== null && rows.length === 0 ? (
            <div className={css.empty} role="alert">
              <p>{`Couldn't load the history: ${list.error.message}.`}</p>
              <Button onClick={() => void list.refetch()}>Try again</Button>
            </div>
          ) : null}
          {hasNewer ? (
            <div className={css.more}>
              <Button onClick={() => void queries.resetQueries({ queryKey: pagesKey })}>
                Show newer
              </Button>
            </div>
          ) : null}
          {list.isSuccess && rows.length === 0 ? (
            <Empty isFiltered={Object.keys(search).length > 0} hasMore={list.hasNextPage} />
          ) : null}
          <Days rows={rows} openId={id} />
          {list.hasNextPage ? (
            <div className={css.more}>
              <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                Show older
              </Button>
            </div>
          ) : null}
        </div>
      </section>
      {id === undefined ? null : (
        <ExactObject message={rows.find((row) => row.id === id)} isLoaded={list.isSuccess} />
      )}
    </div>
  )
}

/** A search looks at a part of the log at a time, so an empty page may have more behind it. */
function Empty({ isFiltered, hasMore }: { isFiltered: boolean; hasMore: boolean }) {
  if (!isFiltered) return <p className={css.empty}>Nobody has written anything yet.</p>
  return (
    <div className={css.empty}>
      <p>{hasMore ? 'Nothing matches among the latest messages.' : 'No message matches.'}</p>
      <Link className={css.clear} to="/history" search={{}}>
        Clear filters
      </Link>
    </div>
  )
}

function Days({ rows, openId }: { rows: readonly PastMail[]; openId: string | undefined }) {
  const now = useMinute()
  const days = useMemo(
    () => [...Map.groupBy(rows, ({ created_at }) => headingOf(created_at, now))],
    [rows, now],
  )
  return days.map(([day, own]) => (
    <section key={day} aria-label={day}>
      <h2 className={css.day}>{day}</h2>
      <ul>
        {own.map((row) => (
          <Row key={row.id} row={row} isOpen={row.id === openId} />
        ))}
      </ul>
    </section>
  ))
}

/** Times stand without their day, so here each day has its own heading, however long ago. */
function headingOf(at: string, now: number): string {
  const day = dayOf(new Date(at), now)
  const date = new Date(at).toLocaleDateString(undefined, {
    ...{ day: 'numeric', month: 'long', year: 'numeric' },
  })
  return ['Today', 'Yesterday'].includes(day) ? `${day}, ${date}` : date
}

function Row({ row, isOpen }: { row: PastMail; isOpen: boolean }) {
  const { id, type, from, to, subject, created_at } = row
  const called = useCalled()
  const Icon = TYPE_ICONS[type]
  return (
    <li className={css.item}>
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
          <span className={css.end}>{called(from)}</span>
          <ArrowRight size={12} aria-label="to" />
          <span className={css.end}>{called(to)}</span>
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
