import { useState } from 'react'
import { CallRefusal, isUnanswered } from '../../api/call.ts'
import { asking, queries } from '../../api/queries.ts'
import { inSentence, useDisplayName } from '../../shell/names.tsx'
import { Button } from '../../ui/button.tsx'
import { useCommands, useUndoKey } from '../../ui/commands.ts'
import { clockOf, useMinute } from '../../ui/time.tsx'
import { STATUSES } from '../status/request-status.tsx'
import { Changes } from './changes.tsx'
import type { Phase } from './decision.ts'
import css from './decision-bar.module.css'
import type { WholeRequest } from './request-query.ts'
import { LATE, type LaterRevision, type RequestDecision, undoDecisions } from './use-decision.ts'

type FailureProps = { whole: WholeRequest; decision: RequestDecision }

export function DecisionFailure({ whole, decision: { state, again } }: FailureProps) {
  const { error, phase } = state
  if (error === null) return null
  if (isUnanswered(error)) {
    return phase === 'unknown' ? <LostAnswer now={whole.now} onAgain={again} /> : null
  }
  const code = error instanceof CallRefusal ? error.code : ''
  // The bar already says who decided.
  if (code === 'invalid_state') return null
  const changes = error instanceof CallRefusal ? error.details.changes : undefined
  const isNewer = code === 'revision_conflict'
  return (
    <div className={css.failure} role="alert">
      <p>
        {isNewer
          ? 'It changed while you were reading, and nothing was decided. Here is what changed.'
          : `Nothing was decided: ${error.message}.`}
      </p>
      {isNewer && Array.isArray(changes) ? (
        <div className={css.changes}>
          <Changes changes={changes} />
        </div>
      ) : null}
    </div>
  )
}

/** If the request has been refetched since, this also says that the server has no record of the decision. */
function LostAnswer({ now, onAgain }: { now: string; onAgain: () => void }) {
  const [failedAt] = useState(now)
  return (
    <div className={css.failure} role="alert">
      <p>
        {failedAt === now
          ? 'Your decision may not have arrived.'
          : 'Your decision may not have arrived. The server has no record of it so far.'}
      </p>
      <div className={css.buttons}>
        <Button onClick={onAgain}>Try again</Button>
      </div>
    </div>
  )
}

type RevisedProps = { revised: LaterRevision | null; onSeen: () => void }

export function RevisedNote({ revised, onSeen }: RevisedProps) {
  const called = useDisplayName()
  if (revised === null) return null
  const { from, to, by, at, changes } = revised
  return (
    <div className="grid gap-3 pb-5" role="status">
      <p className="semi">{`This became v${to} while you were reading. Here is what changed.`}</p>
      <p className="quiet">{`${called(by)} sent it at ${clockOf(new Date(at))}.`}</p>
      <div className={css.changes}>
        <Changes changes={changes} heads={[`v${from}`, `v${to}`]} />
      </div>
      <div className={css.buttons}>
        <Button onClick={onSeen}>I’ve read it</Button>
      </div>
    </div>
  )
}

type ResultProps = { whole: WholeRequest; phase: Phase }

/** A decision that isn't in effect yet. The person who made it can still undo it, in any tab. */
export function HeldDecision({ whole, phase }: ResultProps) {
  const { request, actions } = whole
  const { request_id: id, held_move, held_by, requester } = request
  const called = useDisplayName()
  const until = endOf(whole)
  const now = useMinute(500)
  const undoKey = useUndoKey()
  const canUndo = actions.includes('undo_decision') && now < until && phase !== 'late'
  const run = () => void undoDecisions([id], until)
  const undoKeys = canUndo ? ['z', 'Mod+z'] : []
  useCommands(undoKeys.map((keys) => ({ title: 'Undo', keys, group: 'Approvals', run })))
  const word = STATUSES[HELD[held_move ?? ''] ?? 'pending'].word
  return (
    <div className={css.bar}>
      <div>
        <p className="semi">{`${word} by ${inSentence(called(held_by ?? ''))}, a moment ago`}</p>
        <p className="quiet">{`It takes effect in a few seconds. Then ${requester} is notified.`}</p>
        <p className={css.failure} role="alert">
          {phase === 'unsent' ? 'Couldn’t undo it yet: the server can’t be reached.' : ''}
          {phase === 'late' ? `${LATE}.` : ''}
        </p>
      </div>
      {canUndo ? (
        <div className={css.buttons}>
          <Button hint={undoKey} aria-disabled={phase === 'undoing'} onClick={run}>
            {phase === 'unsent' ? 'Try again' : 'Undo'}
          </Button>
        </div>
      ) : null}
    </div>
  )
}

/** When the grace period ends on this page's clock, which may differ from the server's. */
function endOf({ request: { request_id: request, held_until }, now }: WholeRequest): number {
  if (held_until === null) return 0
  const { queryKey } = asking('request get', { request })
  const arrived = queries.getQueryState(queryKey)?.dataUpdatedAt ?? Date.now()
  return arrived + new Date(held_until).getTime() - new Date(now).getTime()
}

const HELD: Record<string, keyof typeof STATUSES> = {
  approve: 'approved',
  reject: 'rejected',
  request_revision: 'revision_requested',
}

export function DecisionOver({ whole: { request, decision }, phase }: ResultProps) {
  const { word } = STATUSES[request.status]
  const called = useDisplayName()
  const { decided_by, decided_at } = request
  const now = useMinute(1000)
  if (decided_at === null) {
    return <p className="break quiet">{`${word}. You don’t have permission to decide this.`}</p>
  }
  const by = decided_by === null ? '' : ` by ${inSentence(called(decided_by))}`
  return (
    <p className="break quiet">
      {`${word}${by}${agoOf(decided_at, now)}.`}
      {phase === 'late' ? ` ${LATE}.` : ''}
      {decision === null || decision.notes === '' ? '' : ` “${decision.notes}”`}
    </p>
  )
}

const SHORTLY_MS = 60_000

/** Shows the seconds only shortly after the decision, when they explain that someone else was faster. */
function agoOf(at: string, now: number): string {
  const past = now - new Date(at).getTime()
  return past < 0 || past > SHORTLY_MS ? '' : ` ${Math.max(1, Math.round(past / 1000))} sec ago`
}
