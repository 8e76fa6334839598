// Effects as doors show them.

import {
  EFFECT_HELD,
  EFFECT_LOST,
  EFFECT_SECONDS,
  effectName,
  isLost,
  NO_COMMAND,
} from '../../core/requests/effect.ts'
import { EFFECT_COMMANDS, type EffectCommand } from '../../core/requests/effect-command-record.ts'
import { EFFECTS, type Effect } from '../../core/requests/effect-record.ts'
import type { Request } from '../../core/requests/request-record.ts'
import { isDecidedHere } from '../../core/requests/warrant.ts'
import type { Message } from '../../core/threads/message.ts'
import type { Instant } from '../../core/time.ts'
import { isBrokerThere } from '../../wake/broker-presence.ts'
import { aFlag, aNumber, anything, aRow, aText, orNull } from '../kit/answer.ts'
import { mayLookInto } from '../kit/authorise.ts'
import type { Context } from '../kit/operation.ts'

export type EffectView = Pick<
  Effect,
  'state' | 'attempt' | 'queued_at' | 'started_at' | 'ended_at' | 'exit_code' | 'reason'
> & { last_words: string }

export const EFFECT_VIEW = aRow<EffectView>('effect', 'what its approval has set off', {
  state: aText('waiting, running, done, failed or unknown'),
  attempt: aNumber('counts its tries'),
  queued_at: aText('since when it waits, or waited'),
  started_at: orNull(aText('when its program was started')),
  ended_at: orNull(aText('when that ended')),
  exit_code: orNull(aNumber('of its program')),
  reason: aText('why it waits, or failed, or nobody knows how it ended; or empty'),
  last_words: aText('the end of its standard error, for people'),
})

/**
 * The effect of a request, if it has one; for one that waits with the reason, as far as it is known here. One over
 * which nobody watches any more is shown as lost before somebody records that.
 */
export async function viewEffect(
  context: Pick<Context, 'store' | 'allowedCommands' | 'caller'>,
  request: Request,
  { said, now }: { said: Pick<Message, 'imported_by'> | null; now: Instant },
): Promise<EffectView | null> {
  const effect = await context.store.rowOf(EFFECTS, request.thread_id)
  if (effect === null) return null
  const { thread_id: _, is_open: __, expires_at: ___, stderr, ...view } = effect
  const isForCaller = mayLookInto(context.caller.principal, '')
  const last_words = isForCaller ? stderr : ''
  if (effect.is_open && !isDecidedHere(said)) return { ...view, last_words, reason: FROM_ELSEWHERE }
  if (isLost(effect, now)) return { ...view, last_words, state: 'unknown', reason: EFFECT_LOST }
  if (view.state !== 'waiting') return { ...view, last_words }
  return { ...view, last_words, reason: await whyWaiting(context, request) }
}

const FROM_ELSEWHERE = 'it came with an imported log: here it never starts, and never goes on'

async function whyWaiting(
  { store, allowedCommands }: Pick<Context, 'store' | 'allowedCommands'>,
  { request_type }: Request,
): Promise<string> {
  const command = await store.rowOf(EFFECT_COMMANDS, request_type)
  if (command === null || command.removed_at !== null) return NO_COMMAND
  if (!(await allowedCommands.includes(effectName(request_type), command.run))) return EFFECT_HELD
  if (await isBrokerThere(store)) return ''
  return "nothing that starts it runs; start 'inbox serve' or 'inbox wake run'"
}

export type EffectCommandView = {
  type: string
  command: readonly string[]
  cwd: string | null
  timeout_seconds: number
  allowed: boolean
  set_by: string
  set_at: string
}

export const EFFECT_COMMAND_VIEW = aRow<EffectCommandView>(
  'effect command',
  'what an approval of one type starts',
  {
    type: aText('the type of requests'),
    command: anything('the program and its arguments'),
    cwd: orNull(aText('where it runs')),
    timeout_seconds: aNumber('how long it may take'),
    allowed: aFlag('whether it may be started on this machine'),
    set_by: aText('by whom it was set'),
    set_at: aText('when'),
  },
)

export async function viewCommand(
  { allowedCommands }: Pick<Context, 'allowedCommands'>,
  { request_type: type, run, set_by, set_at }: EffectCommand,
): Promise<EffectCommandView> {
  const { command = [], cwd = null, timeout_seconds = EFFECT_SECONDS } = run
  const allowed = await allowedCommands.includes(effectName(type), run)
  return { type, command, cwd, timeout_seconds, allowed, set_by, set_at }
}
