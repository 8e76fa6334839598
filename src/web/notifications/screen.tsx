// Notifications: short words from programs, in a quiet list of their own. Nothing here ever needs the person.

import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { CheckCheck } from 'lucide-react'
import { useMemo } from 'react'
import { call } from '../api/call.ts'
import { queries } from '../api/queries.ts'
import { OpenPush } from '../inbox/push.tsx'
import { useMovement } from '../shell/movement.ts'
import { notify } from '../shell/notices.tsx'
import css from '../threads/screen.module.css'
import own from '../trash/screen.module.css'
import { Button } from '../ui/button.tsx'
import paneCss from '../ui/panes.module.css'
import { RowLines, rowCss } from '../ui/row.tsx'
import { timeIn, useMinute } from '../ui/time.tsx'

const PAGE = 100

export function NotificationsScreen() {
  const { id } = useParams({ strict: false })
  const list = useInfiniteQuery({
    queryKey: ['desk list', { notifications: true, limit: PAGE }, 'pages'],
    initialPageParam: null as number | null,
    queryFn: ({ signal, pageParam }) => {
      const before = pageParam === null ? {} : { before: pageParam }
      return call('desk list', { notifications: true, limit: PAGE, ...before }, { signal })
    },
    getNextPageParam: ({ next_before }) => next_before,
  })
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.rows) ?? [], [list.data])
  const ids = useMemo(() => rows.map(({ thread_id }) => thread_id), [rows])
  const unread = rows.filter((row) => row.unread > 0).map(({ thread_id }) => thread_id)
  useMovement(ids, id, '/notifications/$id')
  const now = useMinute()
  const { mutate: markRead, isPending } = useMutation({
    mutationFn: () => call('push read', { entries: unread.slice(0, PAGE) }),
    onError: ({ message }) =>
      notify({ id: 'read', text: `Couldn't mark them as read: ${message}`, isFailure: true }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['desk list'] }),
  })
  return (
    <div className={paneCss.screen} data-open={id !== undefined}>
      <h1 id="notifications-title" className={paneCss.spoken}>
        Notifications
      </h1>
      <section className={css.list} aria-labelledby="notifications-title">
        <header className={css.tabs}>
          <span className={own.title} aria-hidden>
            Notifications
          </span>
          {unread.length === 0 ? null : (
            <Button look="quiet" icon={CheckCheck} disabled={isPending} onClick={() => markRead()}>
              Mark all as read
            </Button>
          )}
        </header>
        <div className={css.scroll}>
          {list.error !== null && rows.length === 0 ? (
            <div className={css.empty} role="alert">
              <p>{`Couldn't load the notifications: ${list.error.message}.`}</p>
              <Button onClick={() => void list.refetch()}>Try again</Button>
            </div>
          ) : null}
          {list.isSuccess && rows.length === 0 ? (
            <p className={css.empty}>No program has notified you.</p>
          ) : null}
          <ul>
            {rows.map(({ thread_id, title, latest_from, preview, unread: count, at }) => (
              <li key={thread_id} className={rowCss.item}>
                <Link
                  className={rowCss.row}
                  to="/notifications/$id"
                  params={{ id: thread_id }}
                  aria-current={id === thread_id ? 'true' : undefined}
                  data-row={thread_id}
                  data-sign={count > 0 ? 'unread' : 'none'}
                  data-strong={count > 0}
                >
                  <RowLines
                    name={latest_from}
                    title={title}
                    sign={count > 0 ? 'unread' : 'none'}
                    time={timeIn(new Date(at), now)}
                  >
                    <span className={rowCss.about} dir="auto">
                      {count > 0 ? <span className={paneCss.spoken}>Unread. </span> : null}
                      <b className={rowCss.who}>{latest_from}</b> {preview}
                    </span>
                  </RowLines>
                </Link>
              </li>
            ))}
          </ul>
          {list.hasNextPage ? (
            <div className={css.more}>
              <Button onClick={() => void list.fetchNextPage()}>Show older</Button>
            </div>
          ) : null}
        </div>
      </section>
      {id === undefined ? (
        <section className={paneCss.nothing} aria-label="Message">
          <p>Select a notification. J and K move through the list.</p>
        </section>
      ) : (
        <OpenPush key={id} id={id} backTo="/notifications" />
      )}
    </div>
  )
}
