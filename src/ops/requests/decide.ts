import { field, operation, refuse, type Sentence, sentence } from '../../core/error.ts'
import type { Json } from '../../core/json.ts'
import { faultOfReply } from '../../core/requests/answer-form.ts'
import { mayDecide, mustBeAt } from '../../core/requests/request.ts'
import { LONGEST_GRACE_SECONDS } from '../../core/requests/request-hold.ts'
import type { Request } from '../../core/requests/request-record.ts'
import { type Decision, statusAfterMove } from '../../core/requests/request-status.ts'
import type { Tx } from '../../core/store.ts'
import { plusSeconds } from '../../core/time.ts'
import { introduceAll } from '../agents/introduce.ts'
import { mustKnowPerson } from '../agents/known-person.ts'
import { type AnswerOf, aNumber, aText, CURSOR, orNull } from '../kit/answer.ts'
import { commit } from '../kit/commit.ts'
import type { Page } from '../kit/drawing/page.ts'
import { body, type Input, id, int, required, self } from '../kit/field.ts'
import { type Confirm, RAW, YES } from '../kit/for-doors.ts'
import { type Context, OPERATORS, type Operation, type WithKey } from '../kit/operation.ts'
import { lockRequest } from './due-decisions.ts'
import { decisionWords, recordHold, recordOutcome } from './outcome.ts'
import { digestOf, mustBeOfType, payloadIn } from './payload.ts'
import type { RequestAnswer } from './request-get.ts'
import { deciderOf } from './request-view.ts'
import { addChangesToConflict } from './timeline.ts'

export const DECIDED = {
  request_id: aText('the request'),
  status: aText('its status now'),
  revision: aNumber('the revision that was decided'),
  payload_sha256: aText('the digest of the decided payload'),
  decided_by: aText('who decided'),
  decided_at: aText('when'),
  held_until: orNull(aText('when it takes effect, if it is held; until then it can be taken back')),
  next_event_id: CURSOR,
}

export type DecisionAnswer = AnswerOf<typeof DECIDED>

export const DECISION_FIELDS = {
  agent: self('the person deciding', { leftOut: 'user' }),
  request: required(id('the request', { positional: true })),
  revision: required(int('the number of the revision you looked at', { min: 1 })),
  notes: body('a note to the requester', { positional: true }),
  grace_seconds: int('hold the decision for this many seconds, so that you can take it back', {
    max: LONGEST_GRACE_SECONDS,
    leftOut: '0: it counts at once',
  }),
}

export const DECIDES = {
  set: 'requests',
  callers: OPERATORS,
  decides: true,
  refusals: ['invalid_input', 'invalid_state', 'revision_conflict', 'not_found', 'forbidden'],
  shellFlags: [YES, RAW],
} as const

/** At a terminal, shows the request and asks for confirmation. The decision applies to the revision shown. */
export function confirmTo(what: string, move: Decision): Confirm {
  return {
    field: 'revision',
    shows: async () => (await import('./request-get.ts')).requestGet as unknown as Operation,
    shownWith: ({ agent, request }) => ({ agent, request }),
    asks(answer, raw) {
      const { request, revisions } = answer as RequestAnswer
      const { revision, request_id: id, type } = request
      const isAnswered = raw.answer !== undefined || raw.values !== undefined
      if (move === 'approve' && !isAnswered) {
        mustFit(id, faultOfApproval(type, revisions[revision - 1]?.payload ?? {}, {}))
      }
      return { value: revision, question: `${what} revision ${revision}?` }
    },
  }
}

/** Requires notes when asking for a revision: the requester has to know what to change. */
export function mustSayWhat(move: Decision, notes = ''): void {
  if (move !== 'request_revision' || notes.trim() !== '') return
  throw refuse.invalid_input`${field('notes')} is empty: say what to change`
}

export type Approval = {
  /** JSON to approve instead of the request's payload. */
  payload?: string | undefined
  /** The answer to a question: free text or one of its options. A form is filled in with `values`. */
  answer?: string | undefined
  values?: string | undefined
}

type DecisionInput = Input<WithKey<typeof DECISION_FIELDS>>

export async function decide(
  context: Context,
  op: string,
  move: Decision,
  input: DecisionInput,
  approval: Approval = {},
): Promise<DecisionAnswer> {
  const decider = deciderOf(context, input.agent)
  const { name: by } = decider
  const isService = decider.kind === 'service'
  const { request: id, revision, notes = '', grace_seconds = 0 } = input
  if (isService && grace_seconds > 0)
    throw refuse.invalid_input`the decision of a service counts at once: leave out ${field('grace_seconds')}`
  const { payload } = approval
  // Computed before the transaction, which may only await the store.
  const sha256 = payload === undefined ? undefined : await digestOf(context, payload)
  const work = async (tx: Tx) => {
    const held = await lockRequest(tx, id)
    const { locked, request } = held
    // Registers the service's name so that agents can reply to it.
    if (isService) await introduceAll(tx, [by], { by, now: locked.now })
    else await mustKnowPerson(tx, by)
    if (!mayDecide(request, decider))
      throw refuse.forbidden`request ${{ request_id: id }} is not for ${by} to decide: its policy is ${{ policy: request.policy }}`
    mustBeAt(request, move, revision)
    const isApproval = statusAfterMove('pending', move) === 'approved'
    const parts = isApproval ? await approvedIn(tx, request, approval) : {}
    const said = notes === '' ? (approval.answer ?? '') : notes
    const json = decisionJson({ decision: move, revision }, parts)
    const made = { move, by, revision, said, json, payload_sha256: sha256 }
    const until = grace_seconds === 0 ? null : plusSeconds(locked.now, grace_seconds)
    if (until === null) {
      const words = decisionWords(made, request.revision_message)
      const what = { move, by, isService, revision, words, payload_sha256: sha256 }
      await recordOutcome(context, tx, held, what)
    } else {
      recordHold(context, tx, held, { ...made, until })
    }
    const payload_sha256 = sha256 ?? request.payload_sha256
    return {
      request_id: id,
      status: (until === null && statusAfterMove(request.status, move)) || request.status,
      revision,
      payload_sha256,
      decided_by: by,
      decided_at: locked.now,
      held_until: until,
    }
  }
  return addChangesToConflict(context, input, () => commit(context, { op, agent: by, input }, work))
}

export async function drawDecision(
  { request_id, status, held_until }: Pick<DecisionAnswer, 'request_id' | 'status' | 'held_until'>,
  page: Page,
): Promise<string> {
  const { idIn } = await import('../kit/drawing/page.ts')
  const id = idIn(request_id, page)
  if (held_until === null) return `${id} is ${status}\n`
  const until = page.terminal.isTty
    ? (await import('../kit/drawing/text.ts')).relative(held_until, page.now)
    : `until ${held_until}`
  const back = page.command(`undo-decision ${id}`)
  return `${id} stays ${status}; the decision counts ${until.replace(/^until/, 'from')}, and ${back} takes it back before\n`
}

/** Joins JSON strings without parsing them, so that numbers stay exactly as given. */
function decisionJson(head: object, parts: Record<string, string>): string {
  const members = Object.entries(parts).map(([name, json]) => `,${JSON.stringify(name)}:${json}`)
  return `${JSON.stringify(head).slice(0, -1)}${members.join('')}}`
}

/** The parts of an approval as JSON, each checked against the request. */
async function approvedIn(
  tx: Tx,
  request: Request,
  { payload, answer, values }: Approval,
): Promise<Record<string, string>> {
  const { thread_id: id, request_type: type, is_editable } = request
  if (payload !== undefined) {
    if (!is_editable)
      throw refuse.invalid_state`the payload of request ${id} may not be changed by the person who approves it; ask for a revision with ${operation('request-revision', { request: id })}`
    mustBeOfType(type, payload)
  }
  const shown = await tx.message(request.revision_message)
  const asked = shown === null ? {} : payloadIn(shown.payload_json).payload
  mustFit(id, faultOfApproval(type, asked, { answer, values }))
  return {
    ...(payload === undefined ? {} : { payload }),
    ...(answer === undefined ? {} : { answer: JSON.stringify(answer) }),
    ...(values === undefined ? {} : { values }),
  }
}

function mustFit(id: string, fault: Sentence | null): void {
  if (fault === null) return
  throw refuse.invalid_input`request ${{ request_id: id }}: ${fault}`
}

function faultOfApproval(
  type: string,
  asked: Json,
  { answer, values }: Pick<Approval, 'answer' | 'values'>,
): Sentence | null {
  return type === 'question' ? faultOfReply(asked, { answer, values }) : strayReply(answer, values)
}

function strayReply(answer: string | undefined, values: string | undefined): Sentence | null {
  return answer === undefined && values === undefined
    ? null
    : sentence`only a question takes ${field('answer')} or ${field('values')}; write ${field('notes')} instead`
}
