// A thread of work whole: the open question first, who holds it, what belongs to it, and what was said.

import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { call } from '../../api/call.ts'
import { escapeUnseen } from '../../seen/unseen.ts'
import { useDisplayName } from '../../shell/names.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { useCommands } from '../../ui/commands.ts'
import { Moment } from '../../ui/moment.tsx'
import { ListedTools } from '../thread/listed-tools.tsx'
import { useThreadPages } from '../thread/pages.ts'
import { useReadAfterDwell } from '../thread/read-after-dwell.ts'
import { ReplyBar } from '../thread/reply-bar.tsx'
import { CancelWork } from './cancel-dialog.tsx'
import { Lease } from './lease.tsx'
import { Linked } from './linked.tsx'
import { Messages, ThreadHistory } from './messages.tsx'
import { PinnedQuestion, QuestionCard } from './question-card.tsx'
import { questionIn, type WorkLease, type WorkMessage, type WorkThread } from './story.ts'
import { STATUSES } from './words.ts'
import css from './work.module.css'

type OpenProps = { id: string; backTo?: '/inbox' | '/threads' }

export function OpenWork({ id, backTo = '/threads' }: OpenProps) {
  const { whole, error, after, readOn } = useThreadPages(id)
  const isHere = backTo === '/threads'
  // The inbox opens it as a thread, and reads it there.
  useReadAfterDwell(id, isHere ? whole?.messages.length : undefined, after)
  if (whole === undefined) {
    return <NotFound label="Thread" gone="There is no such thread." {...{ error, backTo }} />
  }
  if (whole.thread.kind !== 'work') {
    return (
      <section className={css.missing} aria-label="Thread">
        <p>This thread is no work.</p>
        <Link className={css.elsewhere} to="/inbox/$id" params={{ id }} search={{}}>
          Open it in the inbox
        </Link>
      </section>
    )
  }
  const { thread, lease, messages } = whole
  return <Whole {...{ thread, lease, messages, backTo, readOn }} />
}

type WholeProps = {
  thread: WorkThread
  lease: WorkLease
  messages: readonly WorkMessage[]
  backTo: '/inbox' | '/threads'
  readOn: (() => void) | undefined
}

function Whole({ thread, lease, messages, backTo, readOn }: WholeProps) {
  const called = useDisplayName()
  const title = useRef<HTMLHeadingElement>(null)
  const asked = useMemo(() => questionIn(thread, messages), [thread, messages])
  const status = thread.status as keyof typeof STATUSES
  const { word, icon: Icon, hue } = STATUSES[status]
  const isOver = status === 'done' || status === 'failed' || status === 'cancelled'
  const isForYou = called(thread.created_by) === 'You'
  useCommands(
    useMemo(
      () => [
        {
          title: 'Read the thread',
          keys: 'Enter',
          group: 'Lists',
          run: () => title.current?.focus(),
        },
      ],
      [],
    ),
  )
  useEffect(() => {
    const before = document.title
    document.title = `${escapeUnseen(thread.subject)} · Mailroom`
    return () => {
      document.title = before
    }
  }, [thread.subject])
  const worker = thread.assigned_to
  return (
    <section className={css.work} aria-labelledby="work-title">
      <header className={css.header}>
        <Link
          className={css.back}
          to={backTo}
          search={(before: object) => before}
          aria-label="Back to the list"
        >
          <ArrowLeft size={16} aria-hidden />
        </Link>
        <span className={css.status} data-hue-of={hue}>
          <Icon size={14} aria-hidden />
          {status === 'blocked'
            ? `Blocked on ${isForYou ? 'you' : called(thread.created_by)}`
            : word}
        </span>
        <span className={css.id}>{thread.thread_id}</span>
        <span className={css.tools}>
          {isOver ? null : <CancelWork thread={thread} />}
          {backTo === '/inbox' ? <ListedTools isUnread={false} isPush={false} /> : null}
        </span>
      </header>
      <div className={css.scroll}>
        {asked?.state === 'open' ? <PinnedQuestion question={asked.question} /> : null}
        <article className={css.column}>
          <h2 id="work-title" className={css.title} ref={title} tabIndex={-1} dir="auto">
            {thread.subject}
          </h2>
          <p className={css.by}>
            <Avatar name={worker} size="line" />
            <b>{called(worker)}</b>
            <span className={css.quiet}>
              {`for ${isForYou ? 'you' : called(thread.created_by)} · `}
              <Moment at={thread.created_at} />
            </span>
          </p>
          {asked === undefined ? null : (
            <QuestionCard
              key={asked.question.message_id}
              asked={asked}
              threadId={thread.thread_id}
            />
          )}
          {isOver ? null : <Lease thread={thread} lease={lease} messages={messages} />}
          <Linked threadId={thread.thread_id} messages={messages} />
          <Messages
            messages={messages}
            besides={asked?.state === 'open' ? asked.question.message_id : undefined}
            readOn={readOn}
          />
          <ThreadHistory messages={messages} />
        </article>
      </div>
      {isOver || asked?.state === 'open' ? null : (
        <ReplyBar
          draftOf={thread.thread_id}
          to={called(worker)}
          verb="Write to"
          send={async (text, key) => {
            // No answer: a question that comes meanwhile would take it for its own.
            const input = {
              thread: thread.thread_id,
              body: text,
              to: worker,
              kind: 'control' as const,
            }
            const { message, not_woken = [] } = await call('reply', input, { key })
            return { message: message.message_id, why: not_woken[0]?.why ?? null }
          }}
        />
      )}
    </section>
  )
}
