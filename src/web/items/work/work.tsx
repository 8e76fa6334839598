import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FileText, Stamp } from 'lucide-react'
import { useState } from 'react'
import { call, makeKey } from '../../api/call.ts'
import { asking, queries } from '../../api/queries.ts'
import { useDisplayName } from '../../shell/names.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Detail, DetailBody, detailCss } from '../../ui/detail.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { countdown, Moment, TimeAgo } from '../../ui/moment.tsx'
import { clockOf, useCountdown } from '../../ui/time.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { STATUSES } from '../status/request-status.tsx'
import { ItemTools } from '../thread/item-tools.tsx'
import { useReadAfterDwell } from '../thread/read-after-dwell.ts'
import { ReplyBar } from '../thread/reply-bar.tsx'
import { useThreadPages } from '../thread/thread.tsx'
import { Messages, ThreadHistory } from './messages.tsx'
import {
  PinnedQuestion,
  QuestionCard,
  questionIn,
  type WorkLease,
  type WorkMessage,
  type WorkThread,
} from './question-card.tsx'
import css from './work.module.css'
import { WORK_STATUSES } from './work-status.ts'

type OpenProps = { id: string; backTo?: '/inbox' | '/threads' }

export function OpenWork({ id, backTo = '/threads' }: OpenProps) {
  const { whole, error, after, readOn } = useThreadPages(id)
  const isHere = backTo === '/threads'
  // In the inbox, OpenThread already marks the thread as read.
  useReadAfterDwell(id, isHere ? whole?.messages.length : undefined, after)
  if (whole === undefined) {
    return (
      <NotFound label="Thread" gone="This thread doesn’t exist." error={error} backTo={backTo} />
    )
  }
  if (whole.thread.kind !== 'work') {
    return (
      <section className={detailCss.missing} aria-label="Thread">
        <p>This thread isn’t a work item.</p>
        <Link className="link" to="/inbox/$id" params={{ id }} search={{}}>
          Open it in the inbox
        </Link>
      </section>
    )
  }
  const { thread, lease, messages } = whole
  return (
    <WorkDetail thread={thread} lease={lease} messages={messages} backTo={backTo} readOn={readOn} />
  )
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
  const asked = questionIn(thread, messages)
  const status = thread.status as keyof typeof WORK_STATUSES
  const { word, icon: Icon, hue } = WORK_STATUSES[status]
  const isOver = status === 'done' || status === 'failed' || status === 'cancelled'
  const isForYou = called(thread.created_by) === 'You'
  const worker = thread.assigned_to
  return (
    <Detail
      titleId="work-title"
      backTo={backTo}
      meta={
        <>
          <span className={`inline-row gap-3 min-0 ${hue}`}>
            <Icon size={14} fill={hue === 'violet' ? 'currentColor' : 'none'} aria-hidden />
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
          {backTo === '/inbox' ? <ItemTools /> : null}
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
            <Avatar name={worker} size="line" />
            <b>{called(worker)}</b>
            <span className="quiet">
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
        // Not sent as an answer: if a question arrived first, this message would be taken as the answer to it.
        const input = { thread: id, body: text, to: worker, kind: 'control' as const }
        const { message, not_woken = [] } = await call('reply', input, { key })
        return { message: message.message_id, why: not_woken[0]?.why ?? null }
      }}
    />
  )
}

type LeaseProps = { thread: WorkThread; lease: WorkLease; messages: readonly WorkMessage[] }

/** Shows who holds the lease and until when. People can't take it over here. */
function Lease({ thread, lease, messages }: LeaseProps) {
  const called = useDisplayName()
  if (lease !== null) return <Held lease={lease} />
  const { status, assigned_to, updated_at } = thread
  const worker = called(assigned_to)
  const claim = messages.findLast(({ kind }) => kind === 'event')
  if (status !== 'pending' || claim === undefined) {
    return (
      <p className={css.lease}>
        {status === 'pending'
          ? `No lease. The work is waiting for ${worker} to claim it.`
          : 'No lease. No one is working on this right now.'}
      </p>
    )
  }
  // When a lease expires, no message is added, but the thread's updated_at is set.
  const last = messages.at(-1)
  const at =
    last !== undefined && updated_at > last.created_at ? ` at ${clockOf(new Date(updated_at))}` : ''
  return (
    <p className={css.lease}>
      <b>{`${called(claim.from_agent)}’s lease expired${at}.`}</b>
      {`The work is waiting for ${worker} to claim it again.`}
    </p>
  )
}

function Held({
  lease: { agent, expires_at, live, generation },
}: {
  lease: NonNullable<WorkLease>
}) {
  const called = useDisplayName()
  const now = useCountdown(expires_at)
  const ends = clockOf(new Date(expires_at))
  const isOver = !live || new Date(expires_at).getTime() <= now
  const times = generation === 1 ? '' : `, claimed ${generation} times`
  return (
    <div className={css.lease}>
      <Avatar name={agent} />
      <p className="grow">
        <b>
          {isOver
            ? `${called(agent)}’s lease expired at ${ends}`
            : `${called(agent)} holds the lease`}
        </b>{' '}
        <span className="quiet">
          {isOver ? 'Others can claim the work.' : `until ${ends}${times}`}
        </span>
      </p>
      {isOver ? null : (
        <span className={css.clock} aria-hidden>
          {countdown(expires_at, now)}
        </span>
      )}
    </div>
  )
}

type LinkedProps = { threadId: string; messages: readonly WorkMessage[] }

function Linked({ threadId, messages }: LinkedProps) {
  const { data } = useQuery(asking('request list', { tab: 'all', thread: threadId, limit: 20 }))
  const requests = data?.requests ?? []
  const files = messages.flatMap(({ artifacts, from_agent }) =>
    artifacts.map((artifact) => ({ ...artifact, from_agent })),
  )
  if (requests.length + files.length === 0) return null
  return (
    <section aria-labelledby="linked-title">
      <h3 id="linked-title" className={css.heading}>
        Linked
      </h3>
      <ul>
        {requests.map(({ request_id, title, status, created_at }) => (
          <li key={request_id}>
            <Link className={css.link} to="/approvals/$id" params={{ id: request_id }} search={{}}>
              <Stamp size={16} aria-hidden />
              <span className={css.name} dir="auto">
                {title}
              </span>
              <span className="quiet">{STATUSES[status].word}</span>
              <TimeAgo at={created_at} />
            </Link>
          </li>
        ))}
        {files.toReversed().map(({ artifact_id, path, kind, created_at }) => (
          <li key={artifact_id} className={css.link}>
            <FileText size={16} aria-hidden />
            <span className="code grow break ink">{path}</span>
            <span className="quiet">{kind}</span>
            <TimeAgo at={created_at} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Canceling can't be undone, so the person has to confirm it. */
function CancelWork({ thread }: { thread: WorkThread }) {
  const { thread_id: id, assigned_to, subject } = thread
  const [isOpen, setOpen] = useState(false)
  const [reason, setReason] = useState('')
  const [key] = useState(makeKey)
  const called = useDisplayName()
  const close = () => setOpen(false)
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => {
      const why = reason.trim()
      return call('cancel', { thread: id, ...(why === '' ? {} : { reason: why }) }, { key })
    },
    onSuccess() {
      showToast({
        id,
        text: `Canceled “${subject}”`,
        more: `${called(assigned_to)} will be asked to stop`,
      })
      close()
    },
    onSettled() {
      void queries.invalidateQueries({ queryKey: ['show', { thread: id }] })
      void queries.invalidateQueries({ queryKey: ['list'] })
    },
  })
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        Cancel work…
      </Button>
      <Dialog
        isOpen={isOpen}
        title={`Cancel “${subject}”?`}
        onClose={close}
        onSubmit={() => isPending || mutate()}
        cancel="Keep it"
        action="Cancel this work"
        look="danger"
        isDisabled={isPending}
        focus="cancel"
      >
        <p>{`${called(assigned_to)} will be asked to stop and will lose its lease. Canceled work can’t be resumed.`}</p>
        <input
          className="full field control-l py-3 mt-5 px-5"
          aria-label="Reason (the agent will see it)"
          placeholder="Why? (optional)"
          maxLength={200}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        {error === null ? null : (
          <p className="red mt-5" role="alert">{`Couldn’t cancel it: ${error.message}.`}</p>
        )}
      </Dialog>
    </>
  )
}
