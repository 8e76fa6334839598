// Work: what is blocked on an answer first, then what is under way, what nobody has taken, and what is over.

import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { call } from '../api/call.ts'
import { OpenThread } from '../inbox/thread.tsx'
import { useMovement } from '../shell/movement.ts'
import { Button } from '../ui/button.tsx'
import { useCalled } from '../ui/names.tsx'
import paneCss from '../ui/panes.module.css'
import { RowLines, rowCss } from '../ui/row.tsx'
import { timeIn, useMinute } from '../ui/time.tsx'
import css from './screen.module.css'
import { TABS, type ThreadTab } from './search.ts'

const PAGE = 50

export function ThreadsScreen() {
  const { id } = useParams({ strict: false })
  return (
    <div className={paneCss.screen} data-open={id !== undefined}>
      <h1 id="threads-title" className={paneCss.spoken}>
        Threads
      </h1>
      <List openId={id} />
      {id === undefined ? (
        <section className={paneCss.nothing} aria-label="Thread">
          <p>Select a thread. J and K move through the list.</p>
        </section>
      ) : (
        <OpenThread key={id} id={id} backTo="/threads" />
      )}
    </div>
  )
}

function List({ openId }: { openId: string | undefined }) {
  const { state = 'blocked' } = useSearch({ from: '/threads' })
  const input = { status: [...TABS[state].statuses], limit: PAGE }
  const list = useInfiniteQuery({
    queryKey: ['list', input, 'pages'],
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam }) =>
      call('list', { ...input, ...(pageParam === null ? {} : { before: pageParam }) }, { signal }),
    getNextPageParam: ({ next_before }) => next_before,
    placeholderData: (before) => before,
  })
  const threads = useMemo(() => list.data?.pages.flatMap((page) => page.threads) ?? [], [list.data])
  const ids = useMemo(() => threads.map(({ thread_id }) => thread_id), [threads])
  useMovement(ids, openId, '/threads/$id')
  const now = useMinute()
  const called = useCalled()
  return (
    <section className={css.list} aria-labelledby="threads-title">
      <nav className={css.tabs} aria-label="Which threads">
        {(Object.keys(TABS) as ThreadTab[]).map((tab) => (
          <Link
            key={tab}
            className={css.tab}
            to="/threads"
            search={tab === 'blocked' ? {} : { state: tab }}
            data-open={tab === state}
          >
            {TABS[tab].word}
          </Link>
        ))}
      </nav>
      <div className={css.scroll}>
        {list.error !== null && threads.length === 0 ? (
          <div className={css.empty} role="alert">
            <p>{`Couldn't load the threads: ${list.error.message}.`}</p>
            <Button onClick={() => void list.refetch()}>Try again</Button>
          </div>
        ) : null}
        {list.isSuccess && threads.length === 0 ? (
          <p className={css.empty}>
            {state === 'blocked' ? 'No work waits for an answer.' : 'There is no such work.'}
          </p>
        ) : null}
        <ul>
          {threads.map(({ thread_id, subject, assigned_to, created_by, status, updated_at }) => (
            <li key={thread_id} className={rowCss.item}>
              <Link
                className={rowCss.row}
                to="/threads/$id"
                params={{ id: thread_id }}
                search={(before) => before}
                aria-current={openId === thread_id ? 'true' : undefined}
                data-row={thread_id}
                data-sign={status === 'blocked' ? 'needs' : 'none'}
                data-strong={status === 'blocked'}
              >
                <RowLines
                  name={assigned_to}
                  title={subject}
                  sign={status === 'blocked' ? 'needs' : 'none'}
                  time={timeIn(new Date(updated_at), now)}
                >
                  <span className={rowCss.about}>
                    <b className={rowCss.who}>{called(assigned_to)}</b>
                    {` ${status.replace('_', ' ')}, for ${called(created_by)}`}
                  </span>
                </RowLines>
              </Link>
            </li>
          ))}
        </ul>
        {list.hasNextPage ? (
          <div className={css.more}>
            <Button onClick={() => void list.fetchNextPage()}>Show more</Button>
          </div>
        ) : null}
      </div>
    </section>
  )
}
