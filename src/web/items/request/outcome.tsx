// The foot of a request says what became of it: held, decided by somebody, or changed while the person was reading.

import { useMemo, useState } from 'react'
import { CallRefusal, isUnanswered } from '../../api/call.ts'
import { asking, queries } from '../../api/queries.ts'
import { useCalled, within } from '../../shell/names.tsx'
import { Button } from '../../ui/button.tsx'
import { useCommands, useUndoKey } from '../../ui/commands.ts'
import { clockOf, useMinute } from '../../ui/time.tsx'
import { STATUSES } from '../status/request-status.ts'
import { Changes } from './config-change.tsx'
import css from './foot.module.css'
import type { Meanwhile } from './meanwhile.ts'
import type { WholeRequest } from './request-answer.ts'
import { LATE, takeBack, useUndo } from './taking-back.ts'

type FailureProps = { error: Error; whole: WholeRequest; onAgain: () => void }

/** Why the last press decided nothing, until the request itself tells what became of it. */
export function Failure({ error, whole, onAgain }: FailureProps) {
  const { request, now } = whole
  const about = `${request.revision} ${request.status} ${request.held_until}`
  const [failed] = useState({ about, now })
  const code = error instanceof CallRefusal ? error.code : ''
  if (isUnanswered(error)) {
    // Held, decided or revised: that is the answer.
    if (failed.about !== about) return null
    return (
      <div className={css.failure} role="alert">
        <p>
          {failed.now === now
            ? 'It is not known whether that arrived.'
            : 'It is not known whether that arrived. The server has nothing of it so far.'}
        </p>
        <div className={css.buttons}>
          <Button onClick={onAgain}>Try again</Button>
        </div>
      </div>
    )
  }
  // The name of the person who decided stands below.
  if (code === 'invalid_state') return null
  const changes = error instanceof CallRefusal ? error.details.changes : undefined
  const isNewer = code === 'revision_conflict'
  return (
    <div className={css.failure} role="alert">
      <p>
        {isNewer
          ? 'It was changed while you were reading, and nothing was decided. Here is what changed.'
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

type RevisedProps = { revised: Meanwhile['revised']; onSeen: () => void }

export function Revised({ revised, onSeen }: RevisedProps) {
  const called = useCalled()
  if (revised === null) return null
  const { from, to, by, at, changes } = revised
  return (
    <div className={css.revised} role="status">
      <p
        className={css.question}
      >{`This became v${to} while you were reading. Here is what changed.`}</p>
      <p className={css.quiet}>{`${called(by)} sent it at ${clockOf(new Date(at))}.`}</p>
      <div className={css.changes}>
        <Changes changes={changes} heads={[`v${from}`, `v${to}`]} />
      </div>
      <div className={css.buttons}>
        <Button onClick={onSeen}>I have seen it</Button>
      </div>
    </div>
  )
}

/** Decided, and not yet counting: whoever decided can still take it back, in whichever tab. */
export function Held({ whole }: { whole: WholeRequest }) {
  const { request, actions } = whole
  const { request_id: id, held_move, held_by, requester } = request
  const called = useCalled()
  const until = endOf(whole)
  const now = useMinute(500)
  const undo = useUndo(id)
  const undoKey = useUndoKey()
  const canUndo = actions.includes('undo_decision') && now < until && undo !== 'late'
  useCommands(
    useMemo(() => {
      const run = () => void takeBack([id], until)
      const keys = canUndo ? ['z', 'Mod+z'] : []
      return keys.map((one) => ({ title: 'Undo', keys: one, group: 'Approvals', run }))
    }, [canUndo, id, until]),
  )
  const word = STATUSES[HELD[held_move ?? ''] ?? 'pending'].word
  return (
    <div className={css.bar}>
      <div>
        <p
          className={css.question}
        >{`${word} by ${within(called(held_by ?? ''))}, a moment ago`}</p>
        <p className={css.quiet}>{`It counts in a few seconds; then ${requester} is told.`}</p>
        <p className={css.failure} role="alert">
          {undo === 'unsent' ? 'Not taken back yet: the server was not reached.' : ''}
          {undo === 'late' ? `${LATE}.` : ''}
        </p>
      </div>
      {canUndo ? (
        <div className={css.buttons}>
          <Button
            hint={undoKey}
            aria-disabled={undo === 'sending'}
            onClick={() => takeBack([id], until)}
          >
            {undo === 'unsent' ? 'Try again' : 'Undo'}
          </Button>
        </div>
      ) : null}
    </div>
  )
}

/** When the grace is over by the clock of this page, which may differ from the server's. */
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

export function Over({ whole: { request, decision } }: { whole: WholeRequest }) {
  const { word } = STATUSES[request.status]
  const called = useCalled()
  const { decided_by, decided_at } = request
  const now = useMinute(1000)
  const undo = useUndo(request.request_id)
  if (decided_at === null) {
    return <p className={css.over}>{`${word}. It is not yours to decide.`}</p>
  }
  const by = decided_by === null ? '' : ` by ${within(called(decided_by))}`
  return (
    <p className={css.over}>
      {`${word}${by}${agoOf(decided_at, now)}.`}
      {undo === 'late' ? ` ${LATE}.` : ''}
      {decision === null || decision.notes === '' ? '' : ` “${decision.notes}”`}
    </p>
  )
}

const SHORTLY_MS = 60_000

/** Seconds matter only just after: they say that somebody was faster. */
function agoOf(at: string, now: number): string {
  const past = now - new Date(at).getTime()
  return past < 0 || past > SHORTLY_MS ? '' : ` ${Math.max(1, Math.round(past / 1000))} s ago`
}
