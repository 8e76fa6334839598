// Mail as a conversation, and the answer to its question.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useEffect } from 'react'
import { CallRefusal, call } from '../api/call.ts'
import { asking, queries } from '../api/queries.ts'
import { Button } from '../ui/button.tsx'
import css from './item.module.css'
import { Conversation } from './push.tsx'
import { ReplyBar } from './reply-bar.tsx'

const DWELL_MS = 600

export function OpenMail({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(asking('show', { thread: id }))
  useReadAfterDwell(id, data !== undefined)
  if (error !== null && data === undefined) {
    const isGone = error instanceof CallRefusal && error.status === 404
    return (
      <section className={css.missing} aria-label="Message">
        <p>{isGone ? 'There is no such message.' : `Couldn't load it: ${error.message}.`}</p>
        {isGone ? null : <Button onClick={() => void refetch()}>Try again</Button>}
      </section>
    )
  }
  if (data === undefined) return <section className={css.item} aria-label="Message" aria-busy />
  const { thread, messages } = data
  const words = messages
    .filter(({ kind }) => kind !== 'event')
    .map(({ message_id, from_agent, summary, body, created_at }) => ({
      id: message_id,
      from: from_agent,
      subject: summary,
      body,
      created_at,
    }))
  const last = messages.findLast(({ from_agent }) => !isOwn(from_agent))
  const to = last?.from_agent ?? thread.created_by
  return (
    <section className={css.item} aria-labelledby="item-title">
      <header className={css.header}>
        <Link
          className={css.back}
          to="/inbox"
          search={(before) => before}
          aria-label="Back to the list"
        >
          <ArrowLeft size={16} aria-hidden />
        </Link>
        <span className={css.quiet}>
          {thread.kind === 'work' ? `Work, ${thread.status}` : 'Mail'}
        </span>
      </header>
      <div className={css.scroll}>
        <article className={css.column}>
          <h2 id="item-title" className={css.title} tabIndex={-1} dir="auto">
            {thread.subject}
          </h2>
          <Conversation replies={words} />
        </article>
      </div>
      <ReplyBar
        draftOf={id}
        to={to}
        send={async (text, key) => {
          const answered = last === undefined ? {} : { in_reply_to: last.message_id }
          const { not_woken = [] } =
            thread.kind === 'work'
              ? await call('reply', { thread: id, body: text }, { key })
              : await call('mail send', { to, type: 'answer', body: text, ...answered }, { key })
          return { why: not_woken[0]?.why ?? null }
        }}
      />
    </section>
  )
}

function isOwn(name: string): boolean {
  return name === 'user' || name.startsWith('user:')
}

function useReadAfterDwell(id: string, isThere: boolean): void {
  useEffect(() => {
    if (!isThere) return
    const timer = setTimeout(() => {
      void call('show', { thread: id, mark_read: true }).then(() =>
        queries.invalidateQueries({ queryKey: ['desk list'] }),
      )
    }, DWELL_MS)
    return () => clearTimeout(timer)
  }, [id, isThere])
}
