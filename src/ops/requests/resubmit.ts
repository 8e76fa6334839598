import { isPerson } from '../../core/agents/agent.ts'
import { field, refuse } from '../../core/error.ts'
import { mustBePresent } from '../../core/requests/agent-run.ts'
import { peopleAsked } from '../../core/requests/hearers.ts'
import { resubmit as resubmitRequest } from '../../core/requests/request.ts'
import type { Tx } from '../../core/store.ts'
import { aNumber, aText, CURSOR, orNull } from '../kit/answer.ts'
import { commit, stamp } from '../kit/commit.ts'
import { body, id, int, json, required, self, text } from '../kit/field.ts'
import { ANYONE, mutation } from '../kit/operation.ts'
import { lockRequest } from './due-decisions.ts'
import { digestOf, mustBeOfType, payloadIn, wordsOf } from './payload.ts'
import type { RequestCreated } from './request-create.ts'
import { mustApproveItself } from './request-create.ts'
import { unknownRequest } from './request-view.ts'
import { pauseAgain, titleFor } from './review.ts'
import { addChangesToConflict } from './timeline.ts'

export const resubmit = mutation({
  name: 'resubmit',
  example: 'resubmit r4t8zw --revision 1 --title "Deploy version 3" --agent worker',
  summary: 'Submit a changed request again after a revision was asked for.',
  about:
    'Parts you leave out stay the same. The revision increases by one, and people are asked again.',
  fields: {
    agent: required(self('the requester, or a person acting for it')),
    request: required(id('the request', { positional: true })),
    revision: required(int('the revision to replace', { min: 1 })),
    title: text('what is asked, in one line', { max: 200 }),
    description: body('why, and what else helps to decide'),
    payload: json('exactly what is asked for, as a JSON object', { max: 1_048_576, exact: true }),
    consequence: text('what happens once it is approved, in one sentence', {
      max: 300,
      isLine: true,
    }),
  },
  set: 'requests',
  callers: ANYONE,
  refusals: ['invalid_input', 'invalid_state', 'revision_conflict', 'not_found', 'forbidden'],
  check({ title, description, payload }) {
    if (title === undefined && description === undefined && payload === undefined)
      throw refuse.invalid_input`${field('title')} is missing: change it, or ${field('description')} or ${field('payload')}`
  },
  async run(context, input): Promise<RequestCreated> {
    const { agent: from, request: id, revision } = input
    // Computed before the transaction, which may only await the store.
    const given = input.payload === undefined ? undefined : await digestOf(context, input.payload)
    const call = { op: 'resubmit', agent: from, input }
    const work = async (tx: Tx) => {
      const [held, people] = await Promise.all([lockRequest(tx, id), tx.people()])
      const { locked, request, run } = held
      // To other agents, the request doesn't exist.
      if (from !== request.requester && !isPerson(from)) throw unknownRequest(id)
      if (request.on_expiry === 'approve') mustApproveItself(context, { ...request, by: from })
      const before = await tx.message(request.revision_message)
      if (before === null) throw unknownRequest(id)
      const kept = payloadIn(before.payload_json)
      const payload = input.payload ?? JSON.stringify(kept.payload)
      mustBeOfType(request.request_type, payload)
      const revised = wordsOf({
        title: titleFor(run, input.title) ?? before.summary,
        description: input.description ?? before.body,
        consequence: input.consequence ?? kept.consequence,
        payload,
      })
      // A new revision replies to the reviewer's notes, so they count as read.
      const { decision_message: notes } = request
      const words = notes === null ? revised : { ...revised, in_reply_to: notes }
      const payload_sha256 = given ?? request.payload_sha256
      const recipients = peopleAsked(request, people)
      const want = { from, recipients, words, payload_sha256, revision }
      const event = resubmitRequest(locked.state, request, want, stamp(context, locked.now, words))
      if (run !== null) mustBePresent(run, request, 'resubmit')
      tx.record(locked.state, event)
      if (run !== null) await pauseAgain(context, tx, { run, from, now: locked.now })
      return {
        request_id: id,
        status: 'pending',
        revision: revision + 1,
        payload_sha256,
        now: locked.now,
        expires_at: request.expires_at,
      }
    }
    return addChangesToConflict(context, input, () => commit(context, call, work))
  },
  answer: {
    request_id: aText('its id'),
    status: aText('pending'),
    revision: aNumber('its new revision'),
    payload_sha256: aText('the digest of the canonical payload'),
    now: aText("the store's time"),
    expires_at: orNull(aText('the deadline for an answer, unchanged')),
    next_event_id: CURSOR,
  },
  lines: async ({ request_id, revision }, page) =>
    `${(await import('../kit/drawing/page.ts')).idIn(request_id, page)} is pending at revision ${revision}\n`,
  tool: {
    name: 'request_resubmit',
    does: 'Submit a request again after the user asked for a revision. Leave out what stays.',
    args: {
      request: { required: true, about: 'its id' },
      revision: { required: true, about: 'the one to replace' },
      title: { about: 'one line' },
      description: { about: 'why, in Markdown' },
      payload: { shape: { type: 'object' }, about: 'exactly what you will do' },
      consequence: { about: 'what happens once it is approved' },
    },
  },
})
