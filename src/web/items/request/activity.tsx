import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { call, makeKey } from '../../api/call.ts'
import { useDraft } from '../../live/drafts.ts'
import { DisplayName } from '../../shell/names.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { Moment } from '../../ui/moment.tsx'
import { Markdown } from '../documents/document.tsx'
import { STATUSES } from '../status/request-status.tsx'
import workCss from '../work/work.module.css'
import css from './activity.module.css'
import type { WholeRequest } from './request-query.ts'

type RequestActivity = WholeRequest['activity']

/** Notes on earlier revisions stay visible, because later revisions respond to them. */
export function Notes({ activity }: { activity: RequestActivity }) {
  const notes = activity.filter(({ action, notes }) => action === 'revise' && notes !== '')
  if (notes.length === 0) return null
  return (
    <Part id="notes-title" title="Earlier review notes" count={notes.length}>
      <ul>
        {notes.map((note) => (
          <Said
            key={note.event_id}
            item={note}
            what={`asked for a revision of v${note.revision}`}
          />
        ))}
      </ul>
    </Part>
  )
}

type CommentsProps = { activity: RequestActivity; requestId: string }

export function Comments({ activity, requestId }: CommentsProps) {
  const comments = activity.filter(({ action }) => action === 'comment')
  return (
    <Part id="comments-title" title="Comments" count={comments.length}>
      <ul>
        {comments.map((comment) => (
          <Said key={comment.event_id} item={comment} what="" />
        ))}
      </ul>
      <CommentForm requestId={requestId} />
    </Part>
  )
}

type PartProps = { id: string; title: string; count?: number; children: ReactNode }

function Part({ id, title, count = 0, children }: PartProps) {
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="semi line-bottom pb-3 pt-8">
        {title} {count === 0 ? null : <span className="quiet regular">{count}</span>}
      </h3>
      {children}
    </section>
  )
}

function CommentForm({ requestId }: { requestId: string }) {
  const [text, keep] = useDraft(`comment:${requestId}`, '')
  const [key, setKey] = useState(makeKey)
  const field = useRef<HTMLTextAreaElement>(null)
  const sending = useMutation({
    mutationFn: () => call('comment', { request: requestId, body: text }, { key }),
    onSuccess() {
      keep('')
      setKey(makeKey())
    },
  })
  const focus = () => field.current?.focus()
  useCommands([{ title: 'Comment', keys: 'c', group: 'Approvals', run: focus }])
  const send = () => text.trim() !== '' && !sending.isPending && sending.mutate()
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <textarea
        ref={field}
        className={css.field}
        rows={2}
        placeholder="Add a comment for the agent. It doesn’t decide anything."
        aria-label="Add a comment"
        value={text}
        onChange={({ target }) => keep(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) send()
          if (event.key === 'Escape') event.currentTarget.blur()
        }}
      />
      {sending.error === null ? null : (
        <p className={css.failed} role="alert">{`Couldn’t send it: ${sending.error.message}.`}</p>
      )}
      <Button type="submit" disabled={text.trim() === '' || sending.isPending}>
        Comment
      </Button>
    </form>
  )
}

/** Shown after the name of the person or agent. */
const ACTIONS: Record<string, string> = {
  create: 'asked',
  resubmit: 'submitted again',
  approve: 'approved',
  reject: 'rejected',
  revise: 'requested a revision',
  cancel: 'canceled',
  expire: 'let it expire',
  comment: 'commented',
  hold: 'decided',
  hold_approve: 'decided to approve',
  hold_reject: 'decided to reject',
  hold_request_revision: 'decided to request a revision',
  undo: 'undid the decision',
  link: 'linked a thread',
  unlink: 'removed a link',
  remind: 'sent a reminder',
  escalate: 'passed it on',
  use: 'used the approval',
  effect_queue: 'queued its effect',
  effect_start: 'started the effect',
  effect_end: 'recorded the end of the effect',
}

export function Timeline({ activity }: { activity: RequestActivity }) {
  return (
    <Part id="activity-title" title="Activity">
      <ol className="pt-4">
        {activity.toReversed().map(({ event_id, at, actor, action, move, from, to, revision }) => (
          <li key={event_id} className={workCss.step}>
            <span className={workCss.moment}>
              <Moment at={at} />
            </span>
            <span>
              <b>
                <DisplayName name={actor} />
              </b>{' '}
              {ACTIONS[move === undefined ? action : `${action}_${move}`] ?? action}
              {action === 'create' || action === 'resubmit' ? ` (v${revision})` : ''}
              {from !== null && to !== null && from !== to ? (
                <span className="quiet regular">{`: ${STATUSES[from].word} → ${STATUSES[to].word}`}</span>
              ) : null}
            </span>
          </li>
        ))}
      </ol>
    </Part>
  )
}

function Said({ item, what }: { item: RequestActivity[number]; what: string }) {
  const { actor, at, notes } = item
  return (
    <li className="pt-5">
      <p className={css.head}>
        <Avatar name={actor} size="line" />
        <b>
          <DisplayName name={actor} />
        </b>
        <span className="quiet regular">{what}</span>
        <span className="quiet regular">
          <Moment at={at} />
        </span>
      </p>
      <Markdown text={notes} />
    </li>
  )
}
