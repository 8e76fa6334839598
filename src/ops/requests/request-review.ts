import { isPerson } from '../../core/agents/agent.ts'
import { field, operation, refuse } from '../../core/error.ts'
import { canonicalText, type Json } from '../../core/json.ts'
import {
  LONGEST_REVIEW_TITLE,
  mustBeOpen,
  reviewTitle,
  staleReview,
} from '../../core/requests/agent-run.ts'
import { AGENT_RUNS, type AgentRun, isPresentReview } from '../../core/requests/agent-run-record.ts'
import { isRunOver } from '../../core/requests/agent-run-status.ts'
import { LONGEST_REVIEW, type Request } from '../../core/requests/request-record.ts'
import { type RouteEnd, routeWarning } from '../../core/requests/review-route.ts'
import type { Tx } from '../../core/store.ts'
import { introduceAll } from '../agents/introduce.ts'
import { type AnswerOf, aText, CURSOR, maybe } from '../kit/answer.ts'
import { commit } from '../kit/commit.ts'
import { body, type Input, id, json, required, self, text } from '../kit/field.ts'
import { ANYONE, type Context, mutation } from '../kit/operation.ts'
import { unknownAgentRun } from './agent-runs.ts'
import { lockIfThere } from './due-decisions.ts'
import { type LockedRequest, recordCancel } from './outcome.ts'
import { digestOf, mustBeOfType } from './payload.ts'
import { askForReview, placeOf } from './review.ts'
import { comparable, storyOf } from './timeline.ts'

const REVIEW_ANSWER = {
  agent_run_id: aText('the run'),
  request_id: aText('the request that people decide'),
  status: aText('the status of the run: paused, or running after the decision'),
  review_status: aText('the status of the review'),
  recipient: aText('the person asked; empty for all people'),
  warning: maybe(aText('set if no particular person is responsible, with the reason')),
  next_event_id: CURSOR,
}

export type ReviewAnswer = AnswerOf<typeof REVIEW_ANSWER>

const FIELDS = {
  agent: required(self('the agent whose run it is')),
  review: required(
    text('your name for this review; use the same one for a retry', { max: LONGEST_REVIEW }),
  ),
  title: required(text('what it is about, in one line', { max: LONGEST_REVIEW_TITLE })),
  body: required(body('the review itself, in Markdown')),
  description: body('why, and what else helps to decide'),
  target_path: text('the file or folder it is for', { leftOut: 'the folder you are in' }),
  changes: json('what you propose: a JSON list of {kind, path, summary, patch?}', {
    max: 1_048_576,
    exact: true,
    leftOut: 'no changes',
  }),
  agent_run: id('the run', { leftOut: 'your run in this folder, or a new one' }),
}

type ReviewFields = Input<typeof FIELDS>
type AskedReview = ReviewFields & { payload: string; payload_sha256: string }

export const requestReview = mutation({
  name: 'request review',
  example:
    'request review --review draft-1 --title "The new layout" --body "Two columns." --agent worker',
  summary: 'Pause your run and ask for a review of what you propose in a workspace.',
  about:
    'The first review begins the agent run, and each review pauses it. A review goes to the person paired with the agent or with the nearest agent above it or, if there is none, to all people. A review with the same --review is submitted only once. The decision resumes or cancels the run, as docs/requests.md says.',
  fields: FIELDS,
  set: 'requests',
  callers: ANYONE,
  refusals: ['invalid_input', 'invalid_state', 'not_found', 'forbidden'],
  check(input) {
    mustBeOfType('workspace_review', payloadOf(input, undefined))
    if (isPerson(input.agent))
      throw refuse.invalid_input`${input.agent} is a person, and a review is of an agent's run: name the agent with ${field('agent')}`
  },
  async run(context, input): Promise<ReviewAnswer> {
    const { agent } = input
    const payload = payloadOf(input, context.origin?.folder)
    const asked = { ...input, payload, payload_sha256: await digestOf(context, payload) }
    return commit(context, { op: 'request review', agent, input }, async (tx) => {
      await tx.lockRecords()
      const earlier = await tx.reviewOf(agent, input.review)
      return earlier === null ? submit(context, tx, asked) : repeat(tx, asked, earlier)
    })
  },
  answer: REVIEW_ANSWER,
  lines: ({ request_id, agent_run_id }) => `${request_id} of ${agent_run_id}\n`,
  tool: {
    name: 'request_review',
    does: 'Pause your run until the user has reviewed what you propose; then end your turn or wait_request.',
    args: {
      review: { required: true, about: 'your name for it; the same when you retry' },
      title: { required: true, about: 'one line' },
      body: { required: true, about: 'Markdown' },
      target_path: { about: 'the file or folder' },
      changes: {
        shape: { type: 'array', items: { type: 'object' } },
        about: '{kind, path, summary, patch?}',
      },
      agent_run: { about: 'an earlier run' },
    },
  },
})

function payloadOf({ body, target_path, changes = '[]' }: ReviewFields, folder = ''): string {
  const target = JSON.stringify(target_path ?? folder)
  return `{"body":${JSON.stringify(body)},"target_path":${target},"changes":${changes}}`
}

async function submit(
  context: Context,
  tx: Tx,
  input: AskedReview,
): Promise<Omit<ReviewAnswer, 'next_event_id'>> {
  const { agent, title, description = '', review: review_id, payload, payload_sha256 } = input
  const [now, known] = await Promise.all([tx.now(), tx.agent(agent)])
  if (known === null) await introduceAll(tx, [agent], { by: agent, now })
  const { workspace_id, folder, ...turn } = await placeOf(context, tx, agent, now)
  const held = await lockRun(tx, input, folder)
  const before = held?.run ?? null
  if (held !== null) await supersede(context, tx, held, review_id)
  const agent_run_id = before?.agent_run_id ?? context.makeId('agent run')
  const wanted = { agent_run_id, agent_id: agent, review_id }
  const { request_id, route } = await askForReview(
    context,
    tx,
    { ...wanted, title, description, payload, payload_sha256, workspace_id },
    now,
  )
  const { routing, person: recipient } = route
  tx.recordStoreEvent({
    agent,
    at: now,
    facts: {
      type: 'review_requested',
      ...wanted,
      request_id,
      routing,
      ...turn,
      folder: before?.folder ?? folder,
    },
  })
  const status = { status: 'paused', review_status: 'pending' }
  return { agent_run_id, request_id, ...status, recipient, ...warningOf(agent, routing) }
}

type HeldRun = { run: AgentRun; review: LockedRequest | null }

/**
 * Locks the run under review and the request it's waiting for. Returns null if a new run is needed, for example because
 * the run has just ended. If the call named that run, the call is refused instead.
 */
async function lockRun(
  tx: Tx,
  { agent, agent_run: id }: AskedReview,
  folder: string,
): Promise<HeldRun | null> {
  const found = await (id === undefined ? tx.openRun(agent, folder) : tx.rowOf(AGENT_RUNS, id))
  if (id !== undefined && found?.agent_id !== agent) throw unknownAgentRun(id)
  if (found === null) return null
  const { agent_run_id, request_id } = found
  // Lock the request before the run, as deciding does.
  const review = request_id === '' ? null : await lockIfThere(tx, request_id)
  const run = review?.run ?? (await tx.lockRow(AGENT_RUNS, agent_run_id)) ?? found
  if (id !== undefined) mustBeOpen(run)
  return isRunOver(run.status) ? null : { run, review }
}

async function supersede(
  context: Context,
  tx: Tx,
  { run: { agent_id: by }, review: earlier }: HeldRun,
  review: string,
): Promise<void> {
  if (earlier === null || !earlier.request.is_open) return
  const said = `review ${review} has taken its place`
  // Leave the run out so that it isn't resumed: the new review pauses it in this transaction.
  await recordCancel(context, tx, { ...earlier, run: null }, { by, said })
}

/** Answers a repeated call, or refuses it if the review has become stale. */
async function repeat(
  tx: Tx,
  input: AskedReview,
  { thread_id: request_id, entity_id, status: review_status, recipient }: Request,
): Promise<Omit<ReviewAnswer, 'next_event_id'>> {
  const run = await tx.rowOf(AGENT_RUNS, entity_id)
  if (run === null) throw new Error(`request ${request_id} is a review of no agent run`)
  if (!isPresentReview(run, request_id)) throw staleReview(run, request_id)
  // Compare with the first revision: later ones differ from what a retry repeats.
  const [first] = storyOf(await tx.requestLog(request_id)).revisions
  if (first === undefined || !isSame(comparable(first), wordsIn(input, run)))
    throw refuse.invalid_state`review ${{ review_id: input.review }} was submitted with different content, as request ${{ request_id }}; give this one a different name with ${field('review')}, or change that one with ${operation('resubmit', { request: request_id })}`
  const { agent_run_id, status, routing, agent_id } = run
  const answer = { agent_run_id, request_id, status, review_status, recipient }
  return { ...answer, ...warningOf(agent_id, routing) }
}

function wordsIn({ title, description = '', payload }: AskedReview, { routing }: AgentRun): Json {
  return { title: reviewTitle(title, routing), description, payload: JSON.parse(payload) as Json }
}

function isSame(one: Json, other: Json): boolean {
  return canonicalText(one) === canonicalText(other)
}

function warningOf(agent: string, routing: RouteEnd): { warning?: string } {
  const warning = routeWarning(agent, routing)
  return warning === '' ? {} : { warning }
}
