// The bar at the foot of a request, where the person decides. It never scrolls out of view. It offers only the actions
// that the server allows; decision.ts determines when they can be used.

import { useEffect, useRef, useState } from 'react'
import { isObject, type Json } from '../../../core/json.ts'
import { Button } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { countdown } from '../../ui/moment.tsx'
import { useCountdown } from '../../ui/time.tsx'
import { AnswerForm } from '../work/answer-form.tsx'
import css from './decision-bar.module.css'
import { Confirm, Reject } from './decision-panels.tsx'
import { DecisionFailure, DecisionOver, HeldDecision, RevisedNote } from './decision-result.tsx'
import { EditDialog, ResubmitDialog, RevisionDialog } from './dialogs.tsx'
import type { DecisionName, VerdictParts, WholeRequest } from './request-query.ts'
import { draftKeyOf, useDecision } from './use-decision.ts'

type OpenPanel = 'nothing' | 'confirm' | 'reject' | 'revise' | 'resubmit' | 'edit'

type BarProps = {
  whole: WholeRequest
  onDecided?: (() => void) | undefined
}

export function DecisionBar({ whole, onDecided }: BarProps) {
  const { request, actions, revisions } = whole
  const decision = useDecision(whole, onDecided)
  const { state, isOpen, revised, can, see } = decision
  const [panel, setPanel] = useState<OpenPanel>('nothing')
  const remember = useFocusBack(panel !== 'nothing', request.request_id)
  const open = (next: OpenPanel) => {
    remember()
    setPanel(next)
  }
  const close = () => setPanel('nothing')
  const decide = (verdict: DecisionName, parts: VerdictParts = {}) => {
    close()
    decision.decide(verdict, parts)
  }
  const isHigh = request.risk === 'high' || request.risk === 'critical'
  const isQuestion = request.type === 'question'
  const approve = () => (isHigh ? open('confirm') : decide('approve'))
  useBarCommands({ whole, can, whyNot: whyNot(decision.state, revised !== null), approve, open })
  // If someone else decides, the confirm and reject panels close, and stay closed if the decision is undone.
  useEffect(() => {
    if (!isOpen) setPanel((was) => (was === 'confirm' || was === 'reject' ? 'nothing' : was))
  }, [isOpen])
  const isBarShown = isOpen && panel !== 'confirm' && panel !== 'reject'
  const latest = revisions.at(-1)
  const isRevised = state.read !== request.revision
  /** Identifies exactly what would be decided. Null while the action isn't possible. */
  const armedFor = (action: string) => (can(action) ? `${state.read} ${state.about}` : null)
  const seeLatest = () => see(request.revision)
  return (
    <section
      className={css.foot}
      aria-label={isOpen ? 'Your decision' : 'Decision'}
      data-waits={isOpen}
    >
      <DecisionFailure whole={whole} decision={decision} />
      <RevisedNote revised={revised} onSeen={seeLatest} />
      {isOpen && panel === 'confirm' ? (
        <Confirm
          armedFor={armedFor('approve')}
          isRevised={isRevised}
          consequence={latest?.consequence ?? ''}
          title={request.title}
          onCancel={close}
          onConfirm={() => decide('approve')}
        />
      ) : null}
      {isOpen && panel === 'reject' ? (
        <Reject
          id={request.request_id}
          action={isQuestion ? 'Decline' : 'Reject'}
          armedFor={armedFor('reject')}
          isRevised={isRevised}
          onCancel={close}
          onReject={(notes) => decide('reject', notes === '' ? {} : { notes })}
        />
      ) : null}
      {isBarShown ? (
        <div className={css.bar}>
          <Expiry request={request} isOffline={state.isOffline} />
          <Moves
            whole={whole}
            can={can}
            isOffline={state.isOffline}
            approve={approve}
            open={open}
          />
        </div>
      ) : null}
      {isOpen && isQuestion && actions.includes('approve') ? (
        <RequestAnswer
          id={request.request_id}
          payload={latest?.payload ?? {}}
          isReady={can('approve')}
          isHidden={panel === 'reject'}
          onAnswer={(parts) => decide('approve', parts)}
        />
      ) : null}
      {isOpen ? null : request.held_until === null ? (
        <DecisionOver whole={whole} phase={state.phase} />
      ) : (
        <HeldDecision whole={whole} phase={state.phase} />
      )}
      {panel === 'revise' ? (
        <RevisionDialog
          whole={whole}
          revised={revised}
          isReady={can('request_revision')}
          onSeen={seeLatest}
          onClose={close}
          onSend={(notes) => decide('request-revision', { notes })}
        />
      ) : null}
      {panel === 'edit' ? (
        <EditDialog
          whole={whole}
          isReady={can('approve')}
          onClose={close}
          onApprove={(payload) => decide('approve', { payload })}
        />
      ) : null}
      {panel === 'resubmit' ? <ResubmitDialog whole={whole} onClose={close} onWrote={see} /> : null}
    </section>
  )
}

type AnswerProps = {
  id: string
  payload: Json
  isReady: boolean
  isHidden: boolean
  onAnswer: (parts: VerdictParts) => void
}

/** If the question has options, they are the only possible answers. */
function RequestAnswer({ id, payload, isReady, isHidden, onAnswer }: AnswerProps) {
  const { options, schema } = readQuestion(payload)
  return (
    <div className={css.answer} hidden={isHidden}>
      <AnswerForm
        draftKey={draftKeyOf('approve', id)}
        options={options}
        schema={schema}
        group="Approvals"
        isReady={isReady}
        isHidden={isHidden}
        onAnswer={({ option, text, values }) =>
          onAnswer(
            schema === undefined
              ? { answer: option === '' ? text : option }
              : { values: JSON.stringify(values) },
          )
        }
      />
    </div>
  )
}

function readQuestion(payload: Json) {
  const question = isObject(payload) ? payload : {}
  const schema = isObject(question.schema) ? question.schema : undefined
  const options = Array.isArray(question.options) ? question.options.map(String) : []
  return { schema, options }
}

function whyNot({ isOffline }: { isOffline: boolean }, isRevised: boolean): string {
  return isOffline ? 'Needs a connection' : isRevised ? 'It has changed' : 'Not now'
}

type CommandInput = {
  whole: WholeRequest
  can: (action: string) => boolean
  whyNot: string
  approve: () => void
  open: (panel: OpenPanel) => void
}

function useBarCommands({ whole, can, whyNot, approve, open }: CommandInput): void {
  const isQuestion = whole.request.type === 'question'
  const { actions } = whole
  const command = (action: string, title: string, keys: string, run: () => void) => ({
    title,
    keys,
    group: 'Approvals',
    run,
    disabled: can(action) ? undefined : whyNot,
  })
  useCommands([
    ...(isQuestion ? [] : [command('approve', 'Approve', 'a', approve)]),
    command('reject', isQuestion ? 'Decline' : 'Reject', 'd', () => open('reject')),
    command('request_revision', 'Request revision', 'v', () => open('revise')),
    ...(actions.includes('resubmit')
      ? [command('resubmit', 'Submit again', 'R', () => open('resubmit'))]
      : []),
  ])
}

const THEN: Record<string, string> = {
  keep: 'After that, it stays open',
  reject: 'After that, no one can decide it',
  approve: 'After that, it’s approved automatically',
  escalate: 'After that, it goes to someone else',
}

type ExpiryProps = { request: WholeRequest['request']; isOffline: boolean }

function Expiry({ request: { expires_at, on_expiry }, isOffline }: ExpiryProps) {
  if (isOffline) return <p className="medium">Needs a connection</p>
  if (expires_at === null) return <span />
  return <ExpiresIn until={expires_at} then={THEN[on_expiry] ?? ''} />
}

function ExpiresIn({ until, then }: { until: string; then: string }) {
  const now = useCountdown(until)
  const isOver = new Date(until).getTime() <= now
  return (
    <div>
      <p className="medium">{isOver ? 'Expired' : `Expires in ${countdown(until, now)}`}</p>
      <p className="quiet">{isOver ? 'You can still decide' : then}</p>
    </div>
  )
}

type MovesProps = {
  whole: WholeRequest
  can: (action: string) => boolean
  isOffline: boolean
  approve: () => void
  open: (panel: OpenPanel) => void
}

function Moves({ whole: { request, actions }, can, isOffline, approve, open }: MovesProps) {
  const isQuestion = request.type === 'question'
  const offer = (action: string, panel: OpenPanel, label: string, hint?: string) =>
    actions.includes(action) ? (
      <Button hint={hint} aria-disabled={!can(action)} onClick={() => can(action) && open(panel)}>
        {label}
      </Button>
    ) : null
  return (
    <div className={css.buttons}>
      {offer('resubmit', 'resubmit', 'Submit again…', 'R')}
      {offer('request_revision', 'revise', 'Request revision', 'v')}
      {offer('reject', 'reject', isQuestion ? 'Decline' : 'Reject', 'd')}
      {request.editable && !isQuestion ? offer('approve', 'edit', 'Edit…') : null}
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
    </div>
  )
}

/**
 * Restores the focus when a panel closes: to where it was, else to the row in the list, else to the title. Call the
 * returned function before opening a panel.
 */
function useFocusBack(isOpen: boolean, id: string): () => void {
  const before = useRef<Element | null>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    const isClosed = wasOpen.current && !isOpen
    wasOpen.current = isOpen
    if (!isClosed || !isLost(document.activeElement)) return
    const places = [
      before.current,
      document.querySelector(`[data-row="${CSS.escape(id)}"]`),
      document.querySelector('#request-title'),
    ]
    const place = places.find((one) => one instanceof HTMLElement && !isLost(one))
    if (place instanceof HTMLElement) place.focus()
  }, [isOpen, id])
  return () => {
    before.current = document.activeElement
  }
}

function isLost(element: Element | null): boolean {
  return element === null || element === document.body || !element.checkVisibility()
}
