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
import {
  type AnswerOf,
  aFlag,
  aList,
  aNumber,
  anything,
  aRow,
  aText,
  CURSOR,
  orNull,
  pickShown,
} from '../kit/answer.ts'
import { mayLookInto } from '../kit/authorise.ts'
import { type Context, PEOPLE, query } from '../kit/operation.ts'

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
  'the command for this request type',
  {
    type: aText('the type of requests'),
    command: anything('the program and its arguments'),
    cwd: orNull(aText('where it runs')),
    timeout_seconds: aNumber('its time limit, in seconds'),
    allowed: aFlag('whether it is allowed on this machine'),
    set_by: aText('who set it'),
    set_at: aText('when'),
  },
)

const EFFECT_LIST = {
  effects: aList(EFFECT_COMMAND_VIEW, 'every type with a command'),
  next_event_id: CURSOR,
}

export type EffectList = AnswerOf<typeof EFFECT_LIST>

export const requestEffects = query({
  name: 'request effects',
  example: 'request effects',
  summary: 'List the commands that approvals start, by request type.',
  fields: {},
  set: 'none',
  callers: PEOPLE,
  refusals: [],
  async run(context): Promise<EffectList> {
    const { store } = context
    const next_event_id = await store.lastEventId()
    const commands = await store.effectCommands()
    const effects = await Promise.all(commands.map((one) => viewCommand(context, one)))
    return { effects, next_event_id }
  },
  answer: EFFECT_LIST,
  lines: async (answer, page) => (await import('./drawing.ts')).drawEffects(answer, page),
})

export async function viewCommand(
  { allowedCommands }: Pick<Context, 'allowedCommands'>,
  { request_type: type, run, set_by, set_at }: EffectCommand,
): Promise<EffectCommandView> {
  const { command = [], cwd = null, timeout_seconds = EFFECT_SECONDS } = run
  const allowed = await allowedCommands.includes(effectName(type), run)
  return { type, command, cwd, timeout_seconds, allowed, set_by, set_at }
}

export type EffectView = Pick<
  Effect,
  'state' | 'attempt' | 'queued_at' | 'started_at' | 'ended_at' | 'exit_code' | 'reason'
> & { last_words: string }

export const EFFECT_VIEW = aRow<EffectView>('effect', 'the command its approval started', {
  state: aText('waiting, running, done, failed or unknown'),
  attempt: aNumber('counts its tries'),
  queued_at: aText('when it began to wait'),
  started_at: orNull(aText('when its program was started')),
  ended_at: orNull(aText('when its program ended')),
  exit_code: orNull(aNumber('the exit code of its program')),
  reason: aText('why it is waiting, failed or has an unknown outcome; or empty'),
  last_words: aText('the end of its standard error, for people'),
})

/**
 * The effect of a request, if it has one. A waiting effect includes the reason, as far as this machine knows it. An
 * effect whose supervisor is gone is shown as lost even before that's recorded.
 */
export async function viewEffect(
  context: Pick<Context, 'store' | 'allowedCommands' | 'caller'>,
  request: Request,
  { said, now }: { said: Pick<Message, 'imported_by'> | null; now: Instant },
): Promise<EffectView | null> {
  const effect = await context.store.rowOf(EFFECTS, request.thread_id)
  if (effect === null) return null
  const last_words = mayLookInto(context.caller.principal, '') ? effect.stderr : ''
  const view = { ...pickShown(EFFECT_VIEW, effect), last_words }
  if (effect.is_open && !isDecidedHere(said)) return { ...view, reason: FROM_ELSEWHERE }
  if (isLost(effect, now)) return { ...view, state: 'unknown', reason: EFFECT_LOST }
  if (view.state !== 'waiting') return view
  return { ...view, reason: await whyWaiting(context, request) }
}

const FROM_ELSEWHERE = 'it came with an imported log, so it never starts here'

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
