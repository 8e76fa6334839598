// A failed start is retried after a pause, a limited number of times. Agents of a workflow have a separate table: the
// caller is waiting for the run, so failures must show soon.

import type { WakeSettings } from '../agents/agent.ts'
import { type Instant, plusSeconds } from '../time.ts'
import type { Wake } from './wake-record.ts'
import type { Reason, Ruling, WakeHistory } from './waking.ts'

/** The pause after the first failure, the second, and so on. */
const PAUSES = [10, 30, 120, 600, 3600] as const
/** The pauses for an agent that a runner starts: three attempts in all. */
const RUNNER_PAUSES = [1, 1] as const

type Woken = { wake: WakeSettings }

function pausesOf({ wake }: Woken): readonly number[] {
  return wake.runner === undefined ? PAUSES : RUNNER_PAUSES
}

export function afterFailure(
  agent: Woken,
  last: Wake | null,
  reason: Reason,
  now: Instant,
): Ruling | null {
  if (last === null || last.ended_at === null || last.state === 'ended') return null
  const pause = pausesOf(agent)[last.attempt - 1]
  const failed = `its last start ${last.state === 'lost' ? 'was lost' : 'failed'} (${last.reason})`
  if (pause === undefined) {
    if (reason.cause === 'timer' || reason.newestEvent > last.upto_event) return null
    const why = `${failed}, for the ${ordinal(last.attempt)} time; only new mail leads to another`
    return { wakes: false, why, again: null }
  }
  const again = plusSeconds(last.ended_at, pause)
  if (again <= now) return null
  return { wakes: false, why: `${failed}; it is tried again at ${again}`, again }
}

function ordinal(count: number): string {
  return count === 3 ? '3rd' : `${count}th`
}

/** Whether the last allowed attempt has failed, so nothing is retried automatically. */
export function isGivenUp(agent: Woken, last: Wake | null): last is Wake {
  if (last === null || (last.state !== 'failed' && last.state !== 'lost')) return false
  return last.attempt > pausesOf(agent).length
}

/** Whether the last start was by timer, failed, and should be retried before the timer's next time. */
export function mustRetryTimer(agent: Woken, { last }: Pick<WakeHistory, 'last'>): boolean {
  if (last === null || last.cause !== 'timer') return false
  const isFailed = last.state === 'failed' || last.state === 'lost'
  return isFailed && last.attempt <= pausesOf(agent).length
}

/** The number of the next attempt; 1 after a success or after the last retry. */
export function nextAttempt(agent: Woken, { last }: Pick<WakeHistory, 'last'>): number {
  if (last === null || last.state === 'ended') return 1
  return last.attempt > pausesOf(agent).length ? 1 : last.attempt + 1
}
