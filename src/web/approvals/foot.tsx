// The person's move, always at the foot: it never scrolls away, and stands next to what was read last.
//
// (1) Only what the server allows is offered.
// (2) A decision names the revision that was shown, and nothing is decided about another.
// (3) For a moment after a request was opened its buttons take nothing, so that nobody decides what they have not seen.

import { useCallback, useEffect, useMemo, useState } from 'react'
import { CallRefusal } from '../api/call.ts'
import { useLive } from '../live/live.ts'
import { useCommands } from '../shell/commands.ts'
import { Button } from '../ui/button.tsx'
import { useCalled } from '../ui/names.tsx'
import { leftIn, useMinute } from '../ui/time.tsx'
import { AnswerForm } from './answer-form.tsx'
import { useDeciding } from './deciding.ts'
import css from './foot.module.css'
import type { WholeRequest } from './request-answer.ts'
import { RevisionDialog } from './revision-dialog.tsx'
import { STATUSES } from './words.ts'

const COLD_MS = 300
const CONFIRM_MS = 800

const DECISIONS = ['approve', 'reject', 'request_revision']

type Opened = 'nothing' | 'confirm' | 'reject' | 'revise'

export function Foot({ whole }: { whole: WholeRequest }) {
  const { request, actions, revisions } = whole
  const [opened, open] = useState<Opened>('nothing')
  const isWarm = useWarm()
  const { state } = useLive()
  const deciding = useDeciding(whole)
  const isHigh = request.risk === 'high' || request.risk === 'critical'
  const isQuestion = request.type === 'question'
  const cannot = state === 'offline' ? 'Needs a connection' : undefined
  const can = useCallback(
    (action: string) => actions.includes(action) && isWarm && cannot === undefined,
    [actions, isWarm, cannot],
  )
  const approve = useCallback(() => {
    if (isHigh) open('confirm')
    else deciding.mutate({ verdict: 'approve', parts: {} })
  }, [isHigh, deciding.mutate])
  useCommands(
    useMemo(() => {
      const of = (action: string, title: string, keys: string, run: () => void) => {
        const disabled = can(action) ? undefined : (cannot ?? 'Not now')
        return { title, keys, group: 'Approvals', run, disabled }
      }
      return [
        ...(isQuestion ? [] : [of('approve', 'Approve', 'a', approve)]),
        of('reject', 'Reject', 'd', () => open('reject')),
        of('request_revision', 'Request revision', 'v', () => open('revise')),
      ]
    }, [can, cannot, approve, isQuestion]),
  )
  if (request.held_until !== null) return <Held request={request} />
  if (!DECISIONS.some((one) => actions.includes(one))) return <Over whole={whole} />
  const consequence = revisions.at(-1)?.consequence ?? ''
  return (
    <section className={css.foot} aria-label="Your decision">
      {deciding.error === null ? null : <Failure error={deciding.error} />}
      {opened === 'confirm' ? (
        <Confirm
          consequence={consequence}
          title={request.title}
          onCancel={() => open('nothing')}
          onConfirm={() => deciding.mutate({ verdict: 'approve', parts: {} })}
        />
      ) : null}
      {opened === 'reject' ? (
        <Reject
          onCancel={() => open('nothing')}
          onReject={(notes) =>
            deciding.mutate({ verdict: 'reject', parts: notes === '' ? {} : { notes } })
          }
        />
      ) : null}
      {opened === 'nothing' || opened === 'revise' ? (
        <div className={css.bar}>
          <Expiry request={request} />
          <div className={css.buttons}>
            {actions.includes('request_revision') ? (
              <Button
                hint="v"
                aria-disabled={!can('request_revision')}
                onClick={() => can('request_revision') && open('revise')}
              >
                Request revision
              </Button>
            ) : null}
            {actions.includes('reject') ? (
              <Button
                hint="d"
                aria-disabled={!can('reject')}
                onClick={() => can('reject') && open('reject')}
              >
                Reject
              </Button>
            ) : null}
            {actions.includes('approve') && !isQuestion ? (
              <Button
                look="ink"
                hint="a"
                aria-disabled={!can('approve') || deciding.isPending}
                title={cannot}
                onClick={() => can('approve') && !deciding.isPending && approve()}
              >
                Approve
              </Button>
            ) : null}
          </div>
        </div>
      ) : null}
      {isQuestion && actions.includes('approve') && opened === 'nothing' ? (
        <AnswerForm
          payload={revisions.at(-1)?.payload ?? {}}
          isReady={can('approve') && !deciding.isPending}
          onAnswer={(parts) => deciding.mutate({ verdict: 'approve', parts })}
        />
      ) : null}
      <RevisionDialog
        isOpen={opened === 'revise'}
        requester={request.requester}
        draftOf={request.request_id}
        onClose={() => open('nothing')}
        onSend={(notes) => deciding.mutate({ verdict: 'request-revision', parts: { notes } })}
      />
    </section>
  )
}

/** The buttons stay cold until what they decide about has been on the screen for a moment. */
function useWarm(): boolean {
  const [isWarm, setWarm] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setWarm(true), COLD_MS)
    return () => clearTimeout(timer)
  }, [])
  return isWarm
}

function Failure({ error }: { error: Error }) {
  const isNewer = error instanceof CallRefusal && error.code === 'revision_conflict'
  return (
    <p className={css.failure} role="alert">
      {isNewer
        ? 'It was changed while you were reading, and nothing was decided. What changed is shown above.'
        : `Nothing was decided: ${error.message}.`}
    </p>
  )
}

function Expiry({ request: { expires_at } }: { request: WholeRequest['request'] }) {
  const now = useMinute()
  if (expires_at === null) return <span />
  const left = leftIn(expires_at, now)
  return <p className={css.expiry}>{left === 'over' ? 'Its time is over' : `Expires in ${left}`}</p>
}

type ConfirmProps = {
  consequence: string
  title: string
  onCancel: () => void
  onConfirm: () => void
}

/** It opens out of the bar, so that what is confirmed stays in sight. */
function Confirm({ consequence, title, onCancel, onConfirm }: ConfirmProps) {
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), CONFIRM_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <fieldset className={css.panel} aria-label="Confirm a high risk">
      <p className={css.question}>Approve at high risk?</p>
      <p dir="auto">{consequence === '' ? title : consequence}</p>
      <div className={css.buttons}>
        <Button autoFocus hint="Escape" onClick={onCancel} onKeyDown={closing(onCancel)}>
          Cancel
        </Button>
        <Button look="danger" disabled={!isReady} onClick={onConfirm} onKeyDown={closing(onCancel)}>
          Approve
        </Button>
      </div>
    </fieldset>
  )
}

function Reject({
  onCancel,
  onReject,
}: {
  onCancel: () => void
  onReject: (notes: string) => void
}) {
  const [notes, setNotes] = useState('')
  return (
    <form
      className={css.panel}
      onSubmit={(event) => {
        event.preventDefault()
        onReject(notes.trim())
      }}
    >
      <label className={css.question} htmlFor="reject-reason">
        Why? The agent is told. You may leave it out.
      </label>
      <input
        id="reject-reason"
        className={css.field}
        // biome-ignore lint/a11y/noAutofocus: the person has just asked for this
        autoFocus
        maxLength={2000}
        value={notes}
        onChange={({ target }) => setNotes(target.value)}
        onKeyDown={closing(onCancel)}
      />
      <div className={css.buttons}>
        <Button hint="Escape" onClick={onCancel}>
          Cancel
        </Button>
        <Button look="ink" type="submit" hint="Enter">
          Reject
        </Button>
      </div>
    </form>
  )
}

function closing(close: () => void) {
  return ({ key }: { key: string }) => {
    if (key === 'Escape') close()
  }
}

/** Decided, and not yet counting: whoever decided can still take it back by the notice. */
function Held({ request: { held_move, held_by } }: { request: WholeRequest['request'] }) {
  const called = useCalled()
  return (
    <section className={css.foot} aria-label="The decision">
      <p className={css.over}>
        {`${called(held_by ?? '')}: ${(held_move ?? '').replace('_', ' ')}. It counts in a moment.`}
      </p>
    </section>
  )
}

function Over({ whole: { request, decision } }: { whole: WholeRequest }) {
  const { word } = STATUSES[request.status]
  const called = useCalled()
  const by = request.decided_by === null ? '' : ` by ${called(request.decided_by)}`
  return (
    <section className={css.foot} aria-label="The decision">
      <p className={css.over}>
        {request.decided_at === null ? `${word}. It is not yours to decide.` : `${word}${by}.`}
        {decision === null || decision.notes === '' ? '' : ` “${decision.notes}”`}
      </p>
    </section>
  )
}
