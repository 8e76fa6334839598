import { expect, test } from 'bun:test'
import {
  AGENT_RUN_STATUSES,
  type AgentRunMove,
  type AgentRunStatus,
  isRunOver,
  RUN_MOVE_OF,
  runAfterMove,
} from './agent-run-status.ts'

const MOVES: AgentRunMove[] = ['review', 'resume', 'cancel', 'end']

/** The table written out again, move by move in the order above, so that it can't be changed by accident. */
const EXPECTED: Record<string, (AgentRunStatus | undefined)[]> = {
  running: ['paused', 'running', 'cancelled', 'ended'],
  paused: ['paused', 'running', 'cancelled', 'ended'],
  cancelled: [undefined, undefined, undefined, undefined],
  ended: [undefined, undefined, undefined, undefined],
}

test('every status of an agent run handles every move', () => {
  const table = Object.fromEntries(
    AGENT_RUN_STATUSES.map((status) => [status, MOVES.map((move) => runAfterMove(status, move))]),
  )
  expect(table).toEqual(EXPECTED)
})

test('a run is over in a status without moves', () => {
  expect(AGENT_RUN_STATUSES.filter(isRunOver)).toEqual(['cancelled', 'ended'])
})

test('only a rejection ends the run, and only a submission pauses it', () => {
  expect(RUN_MOVE_OF).toEqual({
    approve: 'resume',
    request_revision: 'resume',
    cancel: 'resume',
    expire: 'resume',
    reject: 'cancel',
    resubmit: 'review',
  })
})
