// The person's move, always at the foot: it never scrolls away, and stands next to what was read last.
//
// (1) Only what the server allows is offered.
// (2) A decision names the revision that was shown, and nothing is decided about another.
// (3) For a moment after a request was opened, or has changed, its buttons take nothing, so that nobody decides what they
//     have not seen. The payload is drawn together with them.

import { useCallback, useEffect, useMemo, useState } from 'react'
import { useLive } from '../../live/live.ts'
import { Button } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { countdown } from '../../ui/countdown.ts'
import { useCountdown } from '../../ui/time.tsx'
import { AnswerForm } from './answer-form.tsx'
import { useDeciding } from './deciding.ts'
import { EditDialog } from './edit-dialog.tsx'
import { useFocusBack } from './focus-back.ts'
import css from './foot.module.css'
import { Confirm, Reject } from './foot-panels.tsx'
import { useMeanwhile } from './meanwhile.ts'
import { Failure, Held, Over, Revised } from './outcome.tsx'
import type { DecisionName, DecisionWish, VerdictParts, WholeRequest } from './request-answer.ts'
import { ResubmitDialog } from './resubmit-dialog.tsx'
import { RevisionDialog } from './revision-dialog.tsx'
import { useWarm } from './warm.ts'

const COLD_MS = 300

type FootPanel = 'nothing' | 'confirm' | 'reject' | 'revise' | 'resubmit' | 'edit'

const MOVE_OF: Record<DecisionName, string> = {
  approve: 'approve',
  reject: 'reject',
  'request-revision': 'request_revision',
}

const MOVES = ['approve', 'reject', 'request_revision', 'resubmit']

export function Foot({ whole }: { whole: WholeRequest }) {
  const { request, actions, revisions } = whole
  const [opened, setOpened] = useState<FootPanel>('nothing')
  const remember = useFocusBack(opened !== 'nothing', request.request_id)
  const open = useCallback(
    (next: FootPanel) => {
      if (next !== 'nothing') remember()
      setOpened(next)
    },
    [remember],
  )
  const meanwhile = useMeanwhile(whole)
  const { revised, read, seen } = meanwhile
  const about = `${request.revision} ${read} ${request.status} ${request.held_until}`
  const isWarm = useWarm(about, COLD_MS)
  const isSeen = read === request.revision
  const isOffline = useLive().state === 'offline'
  const deciding = useDeciding(whole)
  const isHigh = request.risk === 'high' || request.risk === 'critical'
  const isQuestion = request.type === 'question'
  const can = useCallback(
    (action: string) =>
      actions.includes(action) && isSeen && isWarm && !isOffline && !deciding.isPending,
    [actions, isSeen, isWarm, isOffline, deciding.isPending],
  )
  const { mutate } = deciding
  const decide = useCallback(
    (verdict: DecisionName, parts: VerdictParts = {}) => {
      // Whatever was pressed or confirmed, and wherever: nothing is decided that has not been seen.
      if (!can(MOVE_OF[verdict])) return
      open('nothing')
      mutate({ verdict, revision: read, parts })
    },
    [mutate, can, read, open],
  )
  const approve = useCallback(() => {
    if (isHigh) open('confirm')
    else decide('approve')
  }, [isHigh, decide, open])
  const close = useCallback(() => open('nothing'), [open])
  useCommands(
    useMemo(() => {
      const whyNot = isOffline ? 'Needs a connection' : isSeen ? 'Not now' : 'It has changed'
      const of = (action: string, title: string, keys: string, run: () => void) => {
        const disabled = can(action) ? undefined : whyNot
        return { title, keys, group: 'Approvals', run, disabled }
      }
      return [
        ...(isQuestion ? [] : [of('approve', 'Approve', 'a', approve)]),
        of('reject', isQuestion ? 'Decline' : 'Reject', 'd', () => open('reject')),
        of('request_revision', 'Request revision', 'v', () => open('revise')),
        ...(actions.includes('resubmit')
          ? [of('resubmit', 'Submit again', 'R', () => open('resubmit'))]
          : []),
      ]
    }, [can, isOffline, isSeen, approve, isQuestion, actions, open]),
  )
  const isOpen = request.held_until === null && MOVES.some((one) => actions.includes(one))
  // A panel does not come back by itself after somebody else has decided.
  useEffect(() => {
    if (!isOpen) setOpened((was) => (was === 'confirm' || was === 'reject' ? 'nothing' : was))
  }, [isOpen])
  const isBarShown = isOpen && (opened === 'nothing' || !['confirm', 'reject'].includes(opened))
  const latest = revisions.at(-1)
  return (
    <section
      className={css.foot}
      aria-label={isOpen ? 'Your decision' : 'The decision'}
      data-waits={isOpen}
    >
      {deciding.error === null ? null : (
        <Failure
          key={deciding.submittedAt}
          error={deciding.error}
          whole={whole}
          onAgain={() => mutate({ ...(deciding.variables as DecisionWish), isAgain: true })}
        />
      )}
      <Revised revised={revised} onSeen={seen} />
      {isOpen && opened === 'confirm' ? (
        <Confirm
          about={can('approve') ? about : null}
          isRevised={!isSeen}
          consequence={latest?.consequence ?? ''}
          title={request.title}
          onCancel={close}
          onConfirm={() => decide('approve')}
        />
      ) : null}
      {isOpen && opened === 'reject' ? (
        <Reject
          id={request.request_id}
          action={isQuestion ? 'Decline' : 'Reject'}
          about={can('reject') ? about : null}
          isRevised={!isSeen}
          onCancel={close}
          onReject={(notes) => decide('reject', notes === '' ? {} : { notes })}
        />
      ) : null}
      {isBarShown ? (
        <div className={css.bar}>
          <Waits request={request} isOffline={isOffline} />
          <Moves actions={actions} can={can} open={open} isQuestion={isQuestion}>
            {request.editable && !isQuestion && actions.includes('approve') ? (
              <Button
                aria-disabled={!can('approve')}
                onClick={() => can('approve') && open('edit')}
              >
                Edit…
              </Button>
            ) : null}
            {actions.includes('approve') && !isQuestion ? (
              <Button
                look="ink"
                hint="a"
                aria-disabled={!can('approve')}
                title={isOffline ? 'Needs a connection' : undefined}
                onClick={() => can('approve') && approve()}
              >
                Approve
              </Button>
            ) : null}
          </Moves>
        </div>
      ) : null}
      {isOpen && isQuestion && actions.includes('approve') ? (
        <AnswerForm
          id={request.request_id}
          isHidden={opened === 'reject'}
          payload={latest?.payload ?? {}}
          isReady={can('approve')}
          onAnswer={(parts) => decide('approve', parts)}
        />
      ) : null}
      {isOpen ? null : request.held_until === null ? (
        <Over whole={whole} />
      ) : (
        <Held whole={whole} />
      )}
      {opened === 'revise' ? (
        <RevisionDialog
          whole={whole}
          revised={revised}
          isReady={can('request_revision')}
          onSeen={seen}
          onClose={close}
          onSend={(notes) => decide('request-revision', { notes })}
        />
      ) : null}
      {opened === 'edit' ? (
        <EditDialog
          whole={whole}
          isReady={can('approve')}
          onClose={close}
          onApprove={(payload) => decide('approve', { payload })}
        />
      ) : null}
      {opened === 'resubmit' ? (
        <ResubmitDialog whole={whole} onClose={close} onWrote={meanwhile.wrote} />
      ) : null}
    </section>
  )
}

const THEN: Record<string, string> = {
  keep: 'Then it waits on',
  reject: 'Then it expires',
  approve: 'Then it is approved by itself',
  escalate: 'Then somebody else is asked',
}

type WaitsProps = { request: WholeRequest['request']; isOffline: boolean }

function Waits({ request: { expires_at, on_expiry }, isOffline }: WaitsProps) {
  if (isOffline) return <p className={css.expiry}>Needs a connection</p>
  if (expires_at === null) return <span />
  return <RunsOut until={expires_at} then={THEN[on_expiry] ?? ''} />
}

function RunsOut({ until, then }: { until: string; then: string }) {
  const now = useCountdown(until)
  const isOver = new Date(until).getTime() <= now
  return (
    <div>
      <p className={css.expiry}>
        {isOver ? 'Its time is over' : `Expires in ${countdown(until, now)}`}
      </p>
      <p className={css.quiet}>{isOver ? 'It can still be decided' : then}</p>
    </div>
  )
}

type MovesProps = {
  actions: readonly string[]
  can: (action: string) => boolean
  open: (opened: FootPanel) => void
  isQuestion: boolean
  children: React.ReactNode
}

function Moves({ actions, can, open, isQuestion, children }: MovesProps) {
  const offer = (action: string, what: FootPanel, hint: string, words: string) =>
    actions.includes(action) ? (
      <Button hint={hint} aria-disabled={!can(action)} onClick={() => can(action) && open(what)}>
        {words}
      </Button>
    ) : null
  return (
    <div className={css.buttons}>
      {offer('resubmit', 'resubmit', 'R', 'Submit again…')}
      {offer('request_revision', 'revise', 'v', 'Request revision')}
      {offer('reject', 'reject', 'd', isQuestion ? 'Decline' : 'Reject')}
      {children}
    </div>
  )
}
