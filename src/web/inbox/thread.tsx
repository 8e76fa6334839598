// A thread of mail or of work as a conversation, with the open question on top and the answer at the foot.

import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { OperationAnswer } from '../../ops/typed-call.ts'
import { CallRefusal, call, makeKey } from '../api/call.ts'
import { asking, queries } from '../api/queries.ts'
import { Markdown } from '../documents/document.tsx'
import { submit } from '../live/outbox.ts'
import { notify } from '../shell/notices.tsx'
import { Button } from '../ui/button.tsx'
import { Mark } from '../ui/mark.tsx'
import { Called, useCalled } from '../ui/names.tsx'
import { leftIn, Moment, useMinute } from '../ui/time.tsx'
import { Conversation } from './conversation.tsx'
import css from './item.module.css'
import { ListedTools } from './listed-tools.tsx'
import { useDwell } from './push-handling.ts'
import { isToBeRead, openAnew } from './reading.ts'
import { ReplyBar, type SentReply } from './reply-bar.tsx'

type WholeThread = OperationAnswer<'show'>
type Props = { id: string; backTo?: '/inbox' | '/threads' }

export function OpenThread({ id, backTo = '/inbox' }: Props) {
  const { data, error, refetch } = useQuery(asking('show', { thread: id }))
  useReadAfterDwell(id, data !== undefined)
  if (error !== null && data === undefined) {
    const isGone = error instanceof CallRefusal && error.status === 404
    return (
      <section className={css.missing} aria-label="Message">
        <p>{isGone ? 'There is no such thread.' : `Couldn't load it: ${error.message}.`}</p>
        {isGone ? null : <Button onClick={() => void refetch()}>Try again</Button>}
      </section>
    )
  }
  if (data === undefined) return <section className={css.item} aria-label="Message" aria-busy />
  return <Whole whole={data} backTo={backTo} />
}

function Whole({ whole, backTo }: { whole: WholeThread; backTo: '/inbox' | '/threads' }) {
  const { thread, messages } = whole
  const isWork = thread.kind === 'work'
  const words = messages
    .filter(({ kind }) => kind !== 'event')
    .map(({ message_id, from_agent, summary, body, created_at }) => ({
      id: message_id,
      from: from_agent,
      subject: summary,
      body,
      created_at,
    }))
  const question =
    thread.status === 'blocked' ? messages.findLast(({ kind }) => kind === 'question') : undefined
  const last = messages.findLast(({ from_agent }) => !isOwn(from_agent))
  const to = question?.from_agent ?? last?.from_agent ?? thread.assigned_to
  return (
    <section className={css.item} aria-labelledby="item-title">
      <header className={css.header}>
        <Link
          className={css.back}
          to={backTo}
          search={(before: object) => before}
          aria-label="Back to the list"
        >
          <ArrowLeft size={16} aria-hidden />
        </Link>
        <span className={css.quiet}>
          {isWork ? `Work, ${thread.status.replace('_', ' ')}` : 'Mail'}
        </span>
        {isWork ? <Holder whole={whole} /> : null}
        <span className={css.tools}>
          {isWork && !OVER.includes(thread.status) ? <Cancel id={thread.thread_id} /> : null}
          {backTo === '/inbox' ? <ListedTools isUnread={false} isPush={false} /> : null}
        </span>
      </header>
      <div className={css.scroll}>
        <article className={css.column}>
          <h2 id="item-title" className={css.title} tabIndex={-1} dir="auto">
            {thread.subject}
          </h2>
          {question === undefined ? null : (
            <section className={css.question} aria-label="Open question">
              <p className={css.by}>
                <Mark name={question.from_agent} size="line" />
                <b>
                  <Called name={question.from_agent} />
                </b>
                <span className={css.quiet}>
                  asks, <Moment at={question.created_at} />
                </span>
              </p>
              <Markdown text={question.body === '' ? question.summary : question.body} />
            </section>
          )}
          <Conversation thread={thread.thread_id} words={words} />
        </article>
      </div>
      {isWork && OVER.includes(thread.status) ? null : (
        <ReplyBar
          draftOf={thread.thread_id}
          to={to}
          thread={thread.thread_id}
          send={(text, key) => reply({ thread, to, about: question ?? last }, text, key)}
        />
      )}
    </section>
  )
}

type ReplyTo = {
  thread: WholeThread['thread']
  to: string
  about: { message_id: string } | undefined
}

async function reply(
  { thread, to, about }: ReplyTo,
  text: string,
  key: string,
): Promise<SentReply> {
  const id = thread.thread_id
  const words = { about: id, title: `Your reply to ${to}`, words: text, key }
  const answered = about === undefined ? {} : { in_reply_to: about.message_id }
  const sent =
    thread.kind === 'work'
      ? await submit({ op: 'reply', input: { thread: id, body: text, to }, ...words })
      : await submit({
          op: 'mail send',
          input: { to, type: 'answer', body: text, ...answered },
          ...words,
        })
  if (sent === null) return 'waiting'
  return { why: sent.not_woken?.[0]?.why ?? null }
}

const OVER = ['done', 'failed', 'cancelled']

/** A lease is the thread's: people see who holds it and until when, and take none over. */
function Holder({ whole: { lease } }: { whole: WholeThread }) {
  const now = useMinute(1000)
  const called = useCalled()
  if (lease === null || !lease.live) return <span className={css.quiet}>No lease</span>
  return (
    <span className={css.quiet}>
      {`${called(lease.agent)} holds the lease, `}
      <span aria-hidden>{`${leftIn(lease.expires_at, now)} left`}</span>
    </span>
  )
}

function Cancel({ id }: { id: string }) {
  const [isAsking, setAsking] = useState(false)
  const [key] = useState(makeKey)
  const { mutate, isPending } = useMutation({
    mutationFn: () => call('cancel', { thread: id }, { key }),
    onSuccess: () => notify({ id, text: 'Cancelled. Whoever works on it is told to stop.' }),
    onError: ({ message }) =>
      notify({ id, text: `Couldn't cancel it: ${message}`, isFailure: true }),
    onSettled() {
      void queries.invalidateQueries({ queryKey: ['show', { thread: id }] })
      void queries.invalidateQueries({ queryKey: ['list'] })
    },
  })
  return (
    <span className={css.tools}>
      {isAsking ? (
        <>
          <Button look="danger" disabled={isPending} onClick={() => mutate()}>
            Cancel this work
          </Button>
          <Button onClick={() => setAsking(false)}>Keep it</Button>
        </>
      ) : (
        <Button look="quiet" onClick={() => setAsking(true)}>
          Cancel…
        </Button>
      )}
    </span>
  )
}

function isOwn(name: string): boolean {
  return name === 'user' || name.startsWith('user:')
}

function useReadAfterDwell(id: string, isThere: boolean): void {
  const dwell = useDwell()
  useEffect(() => {
    if (!isThere || dwell === undefined) return
    openAnew(id)
    const timer = setTimeout(() => {
      if (!isToBeRead(id)) return
      void call('show', { thread: id, mark_read: true })
        .then(() => queries.invalidateQueries({ queryKey: ['desk list'] }))
        // Not to be read yet is no failure of the person's.
        .catch(() => {})
    }, dwell)
    return () => clearTimeout(timer)
  }, [id, isThere, dwell])
}
