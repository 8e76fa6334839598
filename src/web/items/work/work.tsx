// A thread of work: its open question, who holds it, what is linked to it, and its messages.

import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { call } from '../../api/call.ts'
import { useDisplayName } from '../../shell/names.tsx'
import { Missing } from '../../shell/not-found.tsx'
import { Detail, DetailBody, detailCss } from '../../ui/detail.tsx'
import { Mark } from '../../ui/mark.tsx'
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
  // The inbox opens it as a thread, which marks it as read.
  useReadAfterDwell(id, isHere ? whole?.messages.length : undefined, after)
  if (whole === undefined) {
    return <Missing label="Thread" gone="There is no such thread." {...{ error, backTo }} />
  }
  if (whole.thread.kind !== 'work') {
    return (
      <section className={detailCss.missing} aria-label="Thread">
        <p>This thread isn’t a work item.</p>
        <Link className={css.elsewhere} to="/inbox/$id" params={{ id }} search={{}}>
          Open it in the inbox
        </Link>
      </section>
    )
  }
  const { thread, lease, messages } = whole
  return <WorkDetail {...{ thread, lease, messages, backTo, readOn }} />
}

type DetailProps = {
  thread: WorkThread
  lease: WorkLease
  messages: readonly WorkMessage[]
  backTo: '/inbox' | '/threads'
  readOn: (() => void) | undefined
}

function WorkDetail({ thread, lease, messages, backTo, readOn }: DetailProps) {
  const called = useDisplayName()
  const asked = useMemo(() => questionIn(thread, messages), [thread, messages])
  const status = thread.status as keyof typeof STATUSES
  const { word, icon: Icon, hue } = STATUSES[status]
  const isOver = status === 'done' || status === 'failed' || status === 'cancelled'
  const isForYou = called(thread.created_by) === 'You'
  const worker = thread.assigned_to
  return (
    <Detail
      titleId="work-title"
      backTo={backTo}
      meta={
        <>
          <span className={css.status} data-hue-of={hue}>
            <Icon size={14} aria-hidden />
            {status === 'blocked'
              ? `Blocked on ${isForYou ? 'you' : called(thread.created_by)}`
              : word}
          </span>
          <span className={css.id}>{thread.thread_id}</span>
        </>
      }
      tools={
        <>
          {isOver ? null : <CancelWork thread={thread} />}
          {backTo === '/inbox' ? <ListedTools isUnread={false} isPush={false} /> : null}
        </>
      }
      foot={isOver || asked?.state === 'open' ? null : <WorkReply thread={thread} />}
    >
      <DetailBody
        titleId="work-title"
        title={thread.subject}
        readCommand="Read the thread"
        pinned={asked?.state === 'open' ? <PinnedQuestion question={asked.question} /> : null}
        by={
          <>
            <Mark name={worker} size="line" />
            <b>{called(worker)}</b>
            <span className={detailCss.quiet}>
              {`for ${isForYou ? 'you' : called(thread.created_by)} · `}
              <Moment at={thread.created_at} />
            </span>
          </>
        }
      >
        {asked === undefined ? null : (
          <QuestionCard key={asked.question.message_id} asked={asked} threadId={thread.thread_id} />
        )}
        {isOver ? null : <Lease thread={thread} lease={lease} messages={messages} />}
        <Linked threadId={thread.thread_id} messages={messages} />
        <Messages
          messages={messages}
          besides={asked?.state === 'open' ? asked.question.message_id : undefined}
          readOn={readOn}
        />
        <ThreadHistory messages={messages} />
      </DetailBody>
    </Detail>
  )
}

function WorkReply({ thread }: { thread: WorkThread }) {
  const called = useDisplayName()
  const { thread_id: id, assigned_to: worker } = thread
  return (
    <ReplyBar
      draftOf={id}
      to={called(worker)}
      verb="Write to"
      send={async (text, key) => {
        // Not an answer: a question that comes meanwhile would count it as its own.
        const input = { thread: id, body: text, to: worker, kind: 'control' as const }
        const { message, not_woken = [] } = await call('reply', input, { key })
        return { message: message.message_id, why: not_woken[0]?.why ?? null }
      }}
    />
  )
}
