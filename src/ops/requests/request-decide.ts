import { type Code, field, type Refusal, refusalIn, refuse } from '../../core/error.ts'
import { DECISIONS, type Decision } from '../../core/requests/request-status.ts'
import {
  type AnswerOf,
  type AnswerRecord,
  aList,
  aNumber,
  aRecord,
  aText,
  CURSOR,
  orNull,
} from '../kit/answer.ts'
import type { Page } from '../kit/drawing/page.ts'
import { body, choice, list, required } from '../kit/field.ts'
import { type Context, mutation, OPERATORS } from '../kit/operation.ts'
import { DECIDED, DECISION_FIELDS, decide, drawDecision, mustSayWhat } from './decide.ts'
import { deciderOf } from './request-view.ts'

const MOST = 100

const DECIDED_ITEM = aRecord('decided request', 'one of them', {
  request_id: aText('the request'),
  revision: aNumber('the revision given'),
  status: orNull(aText('its status now; null if it was refused')),
  held_until: DECIDED.held_until,
  code: orNull(aText<Code>('the code of the refusal')),
  message: aText('the same as text'),
})

type DecidedItem = AnswerRecord<typeof DECIDED_ITEM>

const BULK_ANSWER = {
  results: aList(DECIDED_ITEM, 'in the order given'),
  decided: aNumber('how many'),
  refused: aNumber('how many were refused'),
  next_event_id: CURSOR,
}

export type BulkAnswer = AnswerOf<typeof BULK_ANSWER>

export const requestDecide = mutation({
  name: 'request decide',
  example: 'request decide r4t8zw:1 --decision approve',
  summary: 'Make the same decision on several requests, each on the revision you looked at.',
  about:
    'Each request is decided separately: if one is refused, because someone else was faster or it has changed, the others are not affected, and the answer says which. A retry with the same key decides only those that were refused.',
  fields: {
    agent: DECISION_FIELDS.agent,
    decision: required(choice(DECISIONS, 'the decision')),
    requests: required(
      list('a request and the revision you looked at, as REQUEST:REVISION', {
        max: MOST,
        positional: true,
      }),
    ),
    notes: body('a note to the requesters; required to ask for a revision'),
    grace_seconds: DECISION_FIELDS.grace_seconds,
  },
  set: 'requests',
  callers: OPERATORS,
  decides: true,
  refusals: ['invalid_input', 'invalid_state', 'revision_conflict', 'not_found', 'forbidden'],
  check({ requests, decision, notes }) {
    const ids = requests.map((one) => itemIn(one).request)
    const twice = ids.find((one, at) => ids.indexOf(one) !== at)
    if (twice !== undefined) throw refuse.invalid_input`${twice} is there twice; name it once`
    mustSayWhat(decision, notes)
  },
  async run(context, { requests, decision, idempotency_key: key, ...rest }): Promise<BulkAnswer> {
    // A caller that may not decide at all is refused once, rather than for each request.
    deciderOf(context, rest.agent)
    const results: DecidedItem[] = []
    for (const one of requests) {
      const own = key === undefined ? {} : { idempotency_key: `${key} ${one}` }
      results.push(await decideOne(context, decision, { ...rest, ...itemIn(one), ...own }))
    }
    const decided = results.filter(({ code }) => code === null).length
    const next_event_id = await context.store.lastEventId()
    return { results, decided, refused: results.length - decided, next_event_id }
  },
  // The shell's exit code shows whether any request was refused.
  verdict: ({ results }) => results.find(({ code }) => code !== null)?.code ?? undefined,
  answer: BULK_ANSWER,
  lines: async ({ results }, page) =>
    (await Promise.all(results.map((one) => line(one, page)))).join(''),
})

type OneDecision = Parameters<typeof decide>[3]

async function decideOne(
  context: Context,
  move: Decision,
  input: OneDecision,
): Promise<DecidedItem> {
  const { request: request_id, revision } = input
  try {
    const { status, held_until } = await decide(context, `request decide ${move}`, move, input)
    return { request_id, revision, status, held_until, code: null, message: '' }
  } catch (error) {
    const refusal = refusalIn(error)
    if (refusal === undefined) throw error
    const { code } = refusal
    return {
      request_id,
      revision,
      status: null,
      held_until: null,
      code,
      message: refusalText(refusal),
    }
  }
}

/** Answers are the same at every door, so operations appear under their plain names. */
function refusalText(refusal: Refusal): string {
  return refusal.inWords({
    field: (name) => name,
    caller: (name) => name,
    operation: (name, input) => [name, ...Object.values(input)].join(' '),
  })
}

function itemIn(text: string): { request: string; revision: number } {
  const [, request, revision] = /^([^:\s]{1,128}):([1-9]\d{0,8})$/.exec(text) ?? []
  if (request !== undefined && revision !== undefined) {
    return { request, revision: Number(revision) }
  }
  throw refuse.invalid_input`${field('requests')} ${JSON.stringify(text.slice(0, 80))} is not REQUEST:REVISION, such as req_1:2`
}

async function line({ status, message, ...rest }: DecidedItem, page: Page): Promise<string> {
  return status === null ? `refused: ${message}\n` : drawDecision({ ...rest, status }, page)
}
