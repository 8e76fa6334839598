// The fields by which a request says what happens when nobody answers it in time.

import { isPerson } from '../../core/agents/agent.ts'
import { refuse } from '../../core/error.ts'
import { approvesItself } from '../../core/requests/request-expiry.ts'
import { EXPIRIES, type Request } from '../../core/requests/request-record.ts'
import { field, sentence } from '../../core/sentence.ts'
import { type Instant, plusSeconds } from '../../core/time.ts'
import { choice, type Input, int, name } from '../kit/field.ts'
import { type CallerAtDoor, deciderOf } from './request-view.ts'

const YEAR = 31_536_000

export const EXPIRY_FIELDS = {
  expires_seconds: int('an answer is wanted within this many seconds', { min: 1, max: YEAR }),
  // An agent must not give itself an approval by waiting for it.
  on_expiry: choice(EXPIRIES, 'what happens if nobody decides in time', {
    power: ['approve'],
    leftOut: 'keep: it waits on, and shows that it is overdue',
  }),
  escalate_to: name('the person who is asked then, with escalate', { leftOut: 'all people' }),
  remind_seconds: int('remind whoever can decide after this many seconds, once', {
    min: 1,
    max: YEAR,
  }),
}

type ExpiryInput = Input<typeof EXPIRY_FIELDS> & { policy?: Request['policy'] | undefined }

export function mustExpireWell(input: ExpiryInput): void {
  const { expires_seconds, on_expiry, escalate_to, remind_seconds, policy } = input
  const isKept = on_expiry === undefined || on_expiry === 'keep'
  if (!isKept && expires_seconds === undefined) {
    throw refuse(
      'invalid_input',
      sentence`${field('on_expiry')} needs ${field('expires_seconds')}: say by when an answer is wanted`,
    )
  }
  if (escalate_to !== undefined && on_expiry !== 'escalate') {
    throw refuse(
      'invalid_input',
      sentence`${field('escalate_to')} belongs to ${field('on_expiry')} escalate`,
    )
  }
  if (on_expiry === 'escalate' && escalate_to === undefined && policy === 'named') {
    throw refuse(
      'invalid_input',
      sentence`${field('escalate_to')} is missing: under the policy named not all people may decide, so name one`,
    )
  }
  if ((remind_seconds ?? 0) >= (expires_seconds ?? Number.POSITIVE_INFINITY)) {
    throw refuse(
      'invalid_input',
      sentence`${field('remind_seconds')} is not before ${field('expires_seconds')}: remind earlier`,
    )
  }
}

/** Refuses a request that is approved by itself to whoever could not approve it. */
export function mustApproveItself(
  context: CallerAtDoor,
  asked: Pick<Request, 'policy' | 'deciders' | 'requester'> & { by: string },
): void {
  if (!isPerson(asked.requester)) {
    throw refuse(
      'forbidden',
      sentence`${field('on_expiry')} approve is for people, and ${asked.requester} is an agent; leave it out, or use reject or escalate`,
    )
  }
  const { name: by } = deciderOf(context, asked.by)
  if (by === asked.requester && approvesItself(asked)) return
  throw refuse(
    'forbidden',
    sentence`${asked.requester} could not approve this request under the policy ${asked.policy}, so ${field('on_expiry')} approve is not for it; leave it out, or use reject or escalate`,
  )
}

export function secondsFrom(now: Instant, seconds: number | undefined): Instant | null {
  return seconds === undefined ? null : plusSeconds(now, seconds)
}
