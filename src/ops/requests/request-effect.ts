import { field, operation, refuse, sentence } from '../../core/error.ts'
import { effectName } from '../../core/requests/effect.ts'
import { EFFECT_COMMANDS, type EffectCommand } from '../../core/requests/effect-command-record.ts'
import { LONGEST_TYPE } from '../../core/requests/request-record.ts'
import { mustKnowPerson } from '../agents/known-person.ts'
import { commandOf, mustBeFullPath } from '../agents/wake-settings.ts'
import { type AnswerOf, CURSOR, maybe } from '../kit/answer.ts'
import { commit } from '../kit/commit.ts'
import { flag, int, json, path, required, self, text } from '../kit/field.ts'
import { mutation, PEOPLE } from '../kit/operation.ts'
import { EFFECT_COMMAND_VIEW, viewCommand } from './request-effects.ts'
import { personOf } from './request-view.ts'

const EFFECT_CHANGE = { effect: maybe(EFFECT_COMMAND_VIEW), next_event_id: CURSOR }

export type EffectChange = AnswerOf<typeof EFFECT_CHANGE>

export const requestEffect = mutation({
  name: 'request effect',
  example: `request effect deploy --command '["./deploy.sh"]'`,
  summary: 'Set or remove the command that every approval of one request type starts.',
  about:
    'From now on, serve or wake run starts the command once for each approved request of this type, without a shell. It gets one line of JSON on standard input: the request, the approved payload and the warrant. Its standard output is discarded, and the end of its standard error is kept. request get shows its progress; request retry runs it again. As with wake commands, a command that was set with a token, or came with an import or a copy, starts only after wake allow.',
  fields: {
    agent: self('the person who sets it', { leftOut: 'user' }),
    type: required(text('the request type', { max: LONGEST_TYPE, positional: true })),
    command: json('the program and its arguments, as a JSON list such as ["deploy","--now"]', {
      max: 16_384,
      power: true,
      isCommand: true,
    }),
    cwd: path('the folder it is started in', { power: true }),
    timeout_seconds: int('end it if it takes longer than this', {
      min: 1,
      max: 86_400,
      leftOut: '600',
    }),
    remove: flag('remove the command: approvals of this type no longer start anything'),
  },
  set: 'none',
  callers: PEOPLE,
  guarded: true,
  refusals: ['invalid_input', 'not_found', 'forbidden'],
  check({ command, cwd, remove, timeout_seconds }) {
    const isSetting = [command, cwd, timeout_seconds].some((part) => part !== undefined)
    if (command === undefined && !remove) {
      const which = sentence`${field('command')} is missing: give it, or ${field('remove')} alone`
      throw refuse.invalid_input`${which}`
    }
    if (remove && isSetting)
      throw refuse.invalid_input`give ${field('command')}, or ${field('remove')} alone`
    if (cwd !== undefined) mustBeFullPath(cwd, 'cwd')
    if (command !== undefined && commandOf(command, 'command').length === 0)
      throw refuse.invalid_input`${field('command')} is empty; use ${field('remove')}`
  },
  async run(context, input): Promise<EffectChange> {
    const { type: request_type, command: words, cwd, timeout_seconds } = input
    const by = personOf(context, input.agent, 'effects are set by people')
    const command = words === undefined ? undefined : commandOf(words, 'command')
    const run = {
      ...(command === undefined ? {} : { command }),
      ...(cwd === undefined ? {} : { cwd }),
      ...(timeout_seconds === undefined ? {} : { timeout_seconds }),
    }
    const { next_event_id } = await commit(
      context,
      { op: 'request effect', agent: by, input },
      async (tx) => {
        await tx.lockRecords()
        const [before, now] = await Promise.all([tx.rowOf(EFFECT_COMMANDS, request_type), tx.now()])
        await mustKnowPerson(tx, by)
        const event = { agent: by, at: now }
        if (command !== undefined) {
          tx.recordStoreEvent({ ...event, facts: { type: 'effect_set', request_type, run } })
          return {}
        }
        if (before === null || before.removed_at !== null) throw noEffect(request_type)
        tx.recordStoreEvent({ ...event, facts: { type: 'effect_remove', request_type } })
        return {}
      },
    )
    const { principal } = context.caller
    // Callers on this machine could start programs anyway. A token works from anywhere, so its holder can't allow any.
    if (principal === undefined || principal.proof === 'socket') {
      await context.allowedCommands.allow(effectName(request_type), run)
    }
    const present = await context.store.rowOf(EFFECT_COMMANDS, request_type)
    if (present === null || present.removed_at !== null) return { next_event_id }
    return { effect: await viewCommand(context, present), next_event_id }
  },
  answer: EFFECT_CHANGE,
  lines: async (answer, page) => (await import('./drawing.ts')).drawEffectSet(answer, page),
})

function noEffect(type: EffectCommand['request_type']) {
  return refuse.not_found`approvals of ${{ type }} start nothing; see ${operation('request effects')}`
}
