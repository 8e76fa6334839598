// Pushes that were put away: to bring back, or to delete for ever.

import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { RotateCcw, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { call } from '../api/call.ts'
import { queries } from '../api/queries.ts'
import { OpenPush } from '../inbox/push.tsx'
import { useMovement } from '../shell/movement.ts'
import { notify } from '../shell/notices.tsx'
import css from '../threads/screen.module.css'
import { Button } from '../ui/button.tsx'
import paneCss from '../ui/panes.module.css'
import { RowLines, rowCss } from '../ui/row.tsx'
import { timeIn, useMinute } from '../ui/time.tsx'
import own from './screen.module.css'

const PAGE = 100

export function TrashScreen() {
  const { id } = useParams({ strict: false })
  const navigate = useNavigate()
  const trash = useInfiniteQuery({
    queryKey: ['push history', { trashed: true }, 'pages'],
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam }) => {
      const before = pageParam === null ? {} : { before: pageParam }
      return call('push history', { trashed: true, limit: PAGE, ...before }, { signal })
    },
    getNextPageParam: ({ next_before }) => next_before,
  })
  const entries = useMemo(
    () => trash.data?.pages.flatMap((page) => page.entries) ?? [],
    [trash.data],
  )
  const ids = useMemo(() => entries.map(({ entry_id }) => entry_id), [entries])
  useMovement(ids, id, '/trash/$id')
  const now = useMinute()
  const { mutate } = useMutation({
    mutationFn: ({ what, of }: { what: 'push restore' | 'push delete'; of: string[] }) =>
      call(what, { entries: of }),
    onSuccess: (_, { what, of }) => {
      const done = what === 'push restore' ? 'Back in the inbox' : 'Deleted for ever'
      notify({ id: 'trash', text: of.length === 1 ? done : `${done}: ${of.length} messages` })
      void navigate({ to: '/trash' })
    },
    onError: ({ message }) =>
      notify({ id: 'trash', text: `That failed: ${message}`, isFailure: true }),
    onSettled: () => queries.invalidateQueries(),
  })
  return (
    <div className={paneCss.screen} data-open={id !== undefined}>
      <h1 id="trash-title" className={paneCss.spoken}>
        Trash
      </h1>
      <section className={css.list} aria-labelledby="trash-title">
        <header className={css.tabs}>
          <span className={own.title} aria-hidden>
            Trash
          </span>
          {entries.length === 0 ? null : (
            <Confirmed
              ask="Empty…"
              sure={`Delete ${entries.length} for ever`}
              run={() => mutate({ what: 'push delete', of: ids.slice(0, PAGE) })}
            />
          )}
        </header>
        <div className={css.scroll}>
          {trash.isSuccess && entries.length === 0 ? (
            <p className={css.empty}>The trash is empty.</p>
          ) : null}
          <ul>
            {entries.map(({ entry_id, subject, agent, trashed_at, workspace_label }) => (
              <li key={entry_id} className={rowCss.item}>
                <Link
                  className={rowCss.row}
                  to="/trash/$id"
                  params={{ id: entry_id }}
                  aria-current={id === entry_id ? 'true' : undefined}
                  data-row={entry_id}
                >
                  <RowLines
                    name={agent}
                    title={subject}
                    sign="none"
                    time={trashed_at === null ? '' : timeIn(new Date(trashed_at), now)}
                  >
                    <span className={rowCss.about}>
                      <b className={rowCss.who}>{agent}</b> {workspace_label}
                    </span>
                  </RowLines>
                </Link>
              </li>
            ))}
          </ul>
          {trash.hasNextPage ? (
            <div className={css.more}>
              <Button onClick={() => void trash.fetchNextPage()}>Show more</Button>
            </div>
          ) : null}
        </div>
      </section>
      {id === undefined ? (
        <section className={paneCss.nothing} aria-label="Message">
          <p>What you move to the trash stays here until you delete it.</p>
        </section>
      ) : (
        <div className={own.opened}>
          <div className={own.bar}>
            <Button icon={RotateCcw} onClick={() => mutate({ what: 'push restore', of: [id] })}>
              Restore
            </Button>
            <Confirmed
              ask="Delete…"
              sure="Delete for ever"
              run={() => mutate({ what: 'push delete', of: [id] })}
            />
          </div>
          <OpenPush key={id} id={id} isTrashed backTo="/trash" />
        </div>
      )}
    </div>
  )
}

/** What cannot be taken back is asked twice. */
function Confirmed({ ask, sure, run }: { ask: string; sure: string; run: () => void }) {
  const [isAsked, setAsked] = useState(false)
  if (!isAsked) {
    return (
      <Button look="quiet" icon={Trash2} onClick={() => setAsked(true)}>
        {ask}
      </Button>
    )
  }
  return (
    <>
      <Button
        look="danger"
        onClick={() => {
          setAsked(false)
          run()
        }}
      >
        {sure}
      </Button>
      <Button onClick={() => setAsked(false)}>Keep</Button>
    </>
  )
}
