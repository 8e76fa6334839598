import { isPerson } from '../../core/agents/agent.ts'
import { field, operation, refuse } from '../../core/error.ts'
import { AGENT_RUN_ENTITY } from '../../core/requests/agent-run-record.ts'
import { peopleAsked } from '../../core/requests/hearers.ts'
import { ask } from '../../core/requests/request.ts'
import { approvesItself } from '../../core/requests/request-expiry.ts'
import {
  EXPIRIES,
  LONGEST_ENTITY,
  LONGEST_TYPE,
  REQUEST_POLICIES,
  type Request,
  RISKS,
} from '../../core/requests/request-record.ts'
import { type Instant, plusSeconds } from '../../core/time.ts'
import { introduceAll } from '../agents/introduce.ts'
import { mustKnowPerson } from '../agents/known-person.ts'
import { type AnswerOf, aNumber, aText, CURSOR, orNull } from '../kit/answer.ts'
import { commit, stamp } from '../kit/commit.ts'
import {
  body,
  choice,
  flag,
  type Input,
  id,
  int,
  json,
  list,
  name,
  required,
  self,
  text,
} from '../kit/field.ts'
import { ANYONE, mutation } from '../kit/operation.ts'
import { digestOf, mustBeOfType, wordsOf } from './payload.ts'
import { type CallerAtDoor, deciderOf } from './request-view.ts'

const YEAR = 31_536_000

const EXPIRY_FIELDS = {
  expires_seconds: int('the deadline for an answer, in seconds from now', { min: 1, max: YEAR }),
  // `approve` is marked as power; otherwise, an agent could approve its own request by waiting.
  on_expiry: choice(EXPIRIES, 'what happens if no one decides in time', {
    power: ['approve'],
    leftOut: 'keep: it stays open and shows as overdue',
  }),
  escalate_to: name('the person to ask then, with escalate', { leftOut: 'all people' }),
  remind_seconds: int('remind the people who can decide after this many seconds, once', {
    min: 1,
    max: YEAR,
  }),
}

/** Leaves out the request's content, because the answer is kept for retries. */
const REQUEST_CREATED = {
  request_id: aText('its id'),
  status: aText('pending'),
  revision: aNumber('its first revision'),
  payload_sha256: aText('the digest of the canonical payload'),
  now: aText("the store's time"),
  expires_at: orNull(aText('the deadline for an answer')),
  next_event_id: CURSOR,
}

export type RequestCreated = AnswerOf<typeof REQUEST_CREATED>

export const requestCreate = mutation({
  name: 'request create',
  example: 'request create --type deploy --title "Deploy version 2" --agent worker',
  summary: 'Ask a person to allow, answer or review something.',
  about:
    'The request waits for a person; their decision comes back as mail and wakes the agent that asked. --payload is exactly what is asked for: it is what people see and decide on. Without --to all people are asked, and the first decision counts.',
  fields: {
    agent: required(self('the agent or person asking')),
    type: required(text('the kind of request', { max: LONGEST_TYPE, isLine: true })),
    title: required(text('what is asked, in one line', { max: 200 })),
    description: body('why, and what else helps to decide'),
    payload: json('exactly what is asked for, as a JSON object', { max: 1_048_576, exact: true }),
    consequence: text('what happens once it is approved, in one sentence', {
      max: 300,
      isLine: true,
    }),
    to: name('the person to ask', { leftOut: 'all people' }),
    entity_type: text('the kind of thing it is about', { max: LONGEST_ENTITY, isLine: true }),
    entity_id: text('the id of that thing', { max: LONGEST_ENTITY, isLine: true }),
    workspace: id('the workspace it comes from'),
    risk: choice(RISKS, 'how much can go wrong'),
    policy: choice(REQUEST_POLICIES, 'who may decide', { leftOut: 'human_only: any person' }),
    deciders: list('a person who may decide, with the policy named', { max: 20 }),
    editable: flag('let the person who approves change the payload'),
    ...EXPIRY_FIELDS,
  },
  set: 'requests',
  callers: ANYONE,
  refusals: ['invalid_input', 'not_found', 'forbidden'],
  check(input) {
    const { to, type, payload = '{}', policy, deciders = [], escalate_to, entity_type } = input
    mustBeOfType(type, payload)
    // Deciding a review moves its agent run, so callers can't make one up.
    if (entity_type === AGENT_RUN_ENTITY)
      throw refuse.invalid_input`${field('entity_type')} ${entity_type} is for reviews of agent runs; use ${operation('request review')}`
    mustExpireWell(input)
    const named = [to, escalate_to, ...deciders].filter((one) => one !== undefined)
    const stranger = named.find((one) => !isPerson(one))
    if (stranger !== undefined)
      throw refuse.invalid_input`${stranger} is not a person; people are user and user:NAME`
    if ((policy === 'named') !== deciders.length > 0)
      throw refuse.invalid_input`${field('deciders')} belongs to the policy named, and that policy needs it`
    if (to !== undefined && policy === 'named' && !deciders.includes(to))
      throw refuse.invalid_input`${to} is asked and may not decide; name them among ${field('deciders')}, too`
  },
  async run(context, input): Promise<RequestCreated> {
    const { agent: from, to = '', deciders = [], payload = '{}', policy = 'human_only' } = input
    const { on_expiry = 'keep', escalate_to = '' } = input
    if (on_expiry === 'approve')
      mustApproveItself(context, { policy, deciders, requester: from, by: from })
    const payload_sha256 = await digestOf(context, payload)
    return commit(context, { op: 'request create', agent: from, input }, async (tx) => {
      const [now, known, people] = await Promise.all([tx.now(), tx.agent(from), tx.people()])
      for (const person of new Set([to, escalate_to, ...deciders])) {
        if (person !== '') await mustKnowPerson(tx, person)
      }
      if (known === null && !isPerson(from)) await introduceAll(tx, [from], { by: from, now })
      const { title, description = '', consequence = '' } = input
      const words = wordsOf({ title, description, consequence, payload })
      const event = ask(
        {
          thread_id: context.makeId('request'),
          from,
          words,
          recipients: peopleAsked({ recipient: to, policy, deciders }, people),
          asked: to,
          request_type: input.type,
          entity_type: input.entity_type ?? '',
          entity_id: input.entity_id ?? '',
          workspace_id: input.workspace ?? '',
          review_id: '',
          risk: input.risk ?? null,
          policy,
          deciders,
          is_editable: input.editable ?? false,
          ends_at: secondsFrom(now, input.expires_seconds),
          on_expiry,
          escalate_to,
          remind_at: secondsFrom(now, input.remind_seconds),
          payload_sha256,
        },
        stamp(context, now, words),
      )
      tx.record(null, event)
      return {
        request_id: event.thread_id,
        status: 'pending',
        revision: 1,
        payload_sha256,
        now,
        expires_at: secondsFrom(now, input.expires_seconds),
      }
    })
  },
  answer: REQUEST_CREATED,
  lines: async ({ request_id }, page) => {
    const { drawMade } = await import('../kit/drawing/page.ts')
    return drawMade(
      request_id,
      page,
      (id) => `asked; ${page.command(`request get ${id}`)} shows it`,
    )
  },
  tool: {
    name: 'request_approval',
    does: 'Ask the user before you do something that a person must allow; then wait_request. payload is exactly what you will do: it is what they see and decide on.',
    args: {
      type: {
        required: true,
        about: 'config_change, tool_invocation, knowledge_upload, workspace_review or your own',
      },
      title: { required: true, about: 'one line' },
      description: { about: 'why, in Markdown' },
      payload: { shape: { type: 'object' }, about: 'exactly what you will do' },
      consequence: { about: 'what happens once it is approved, in one sentence' },
      risk: { about: 'how much could go wrong' },
      entity_type: { about: 'the kind of thing it is about' },
      entity_id: { about: 'the id of that thing' },
      expires_seconds: { about: 'deadline for an answer' },
      on_expiry: {
        shape: { type: 'string', enum: EXPIRIES.filter((one) => one !== 'approve') },
        about: 'if there is no answer by then; reject means it expires',
      },
    },
  },
})

type ExpiryInput = Input<typeof EXPIRY_FIELDS> & { policy?: Request['policy'] | undefined }

function mustExpireWell(input: ExpiryInput): void {
  const { expires_seconds, on_expiry, escalate_to, remind_seconds, policy } = input
  const isKept = on_expiry === undefined || on_expiry === 'keep'
  if (!isKept && expires_seconds === undefined)
    throw refuse.invalid_input`${field('on_expiry')} needs ${field('expires_seconds')}: say by when an answer is wanted`
  if (escalate_to !== undefined && on_expiry !== 'escalate')
    throw refuse.invalid_input`${field('escalate_to')} belongs to ${field('on_expiry')} escalate`
  if (on_expiry === 'escalate' && escalate_to === undefined && policy === 'named')
    throw refuse.invalid_input`${field('escalate_to')} is missing: under the policy named not all people may decide, so name one`
  if ((remind_seconds ?? 0) >= (expires_seconds ?? Number.POSITIVE_INFINITY))
    throw refuse.invalid_input`${field('remind_seconds')} is not before ${field('expires_seconds')}: remind earlier`
}

/** `on_expiry approve` is refused unless the person asking could approve the request themselves. */
export function mustApproveItself(
  context: CallerAtDoor,
  asked: Pick<Request, 'policy' | 'deciders' | 'requester'> & { by: string },
): void {
  if (!isPerson(asked.requester))
    throw refuse.forbidden`${field('on_expiry')} approve is for people, and ${asked.requester} is an agent; leave it out, or use reject or escalate`
  const { name: by } = deciderOf(context, asked.by)
  if (by === asked.requester && approvesItself(asked)) return
  throw refuse.forbidden`${asked.requester} could not approve this request under the policy ${asked.policy}, so ${field('on_expiry')} approve is not for it; leave it out, or use reject or escalate`
}

export function secondsFrom(now: Instant, seconds: number | undefined): Instant | null {
  return seconds === undefined ? null : plusSeconds(now, seconds)
}
