import { operation, Refusal, refuse, sentence } from '../../core/error.ts'
import { retryEffect } from '../../core/requests/effect.ts'
import { EFFECT_COMMANDS } from '../../core/requests/effect-command-record.ts'
import { EFFECTS } from '../../core/requests/effect-record.ts'
import { isDecidedHere } from '../../core/requests/warrant.ts'
import { mustKnowPerson } from '../agents/known-person.ts'
import { aNumber, aText, CURSOR } from '../kit/answer.ts'
import { commit } from '../kit/commit.ts'
import { id, required, self } from '../kit/field.ts'
import { mutation, PEOPLE } from '../kit/operation.ts'
import { lockRequest } from './due-decisions.ts'
import { personOf } from './request-view.ts'

export const requestRetry = mutation({
  name: 'request retry',
  example: 'request retry r4t8zw',
  summary: 'Try the effect of an approved request again, after it failed or was lost.',
  about:
    'Effects are never retried automatically. If it is unknown how an effect ended, first check how far it got: it may have succeeded.',
  fields: {
    agent: self('the person retrying it', { leftOut: 'user' }),
    request: required(id('the request', { positional: true })),
  },
  set: 'none',
  callers: PEOPLE,
  guarded: true,
  refusals: ['invalid_input', 'invalid_state', 'not_found', 'forbidden'],
  async run(context, input) {
    const { request: id } = input
    const by = personOf(context, input.agent, 'effects are tried again by people')
    return commit(context, { op: 'request retry', agent: by, input }, async (tx) => {
      const { locked, request } = await lockRequest(tx, id)
      const { state, now } = locked
      await mustKnowPerson(tx, by)
      const { request_type, decision_message } = request
      const [effect, command, said] = await Promise.all([
        tx.rowOf(EFFECTS, id),
        tx.rowOf(EFFECT_COMMANDS, request_type),
        decision_message === null ? null : tx.message(decision_message),
      ])
      const events = retryEffect(state, effect, { by, now })
      if (!isDecidedHere(said))
        throw refuse.invalid_state`request ${{ request_id: id }} was decided in another store and imported; its effect does not start here`
      if (command === null || command.removed_at !== null) {
        const remedy = operation('request effect', { type: request_type })
        const no = sentence`requests of type ${request_type} have no command any more; set one with ${remedy}`
        throw new Refusal('invalid_state', no, { request_id: id })
      }
      events.reduce((before, event) => tx.record(before, event), state)
      return { request_id: id, effect: 'waiting', attempt: (effect?.attempt ?? 0) + 1 }
    })
  },
  answer: {
    request_id: aText('the request'),
    effect: aText('waiting'),
    attempt: aNumber('the number of this try'),
    next_event_id: CURSOR,
  },
  lines: ({ request_id, attempt }) => `the effect of ${request_id} waits, for try ${attempt}\n`,
})
