// Asks for a workspace review: finds the person responsible, makes the request and pauses the run. Used by `request
// review`, `request backfill` and `resubmit`.

import { AGENTS } from '../../core/agents/agent-record.ts'
import { field, refuse } from '../../core/error.ts'
import { WORKSPACES } from '../../core/identity/workspace-record.ts'
import { LONGEST_REVIEW_TITLE, reviewTitle } from '../../core/requests/agent-run.ts'
import { AGENT_RUN_ENTITY, type AgentRun } from '../../core/requests/agent-run-record.ts'
import { ask } from '../../core/requests/request.ts'
import { type ReviewRoute, stepUp } from '../../core/requests/review-route.ts'
import type { Tx } from '../../core/store.ts'
import type { Instant } from '../../core/time.ts'
import { stamp } from '../kit/commit.ts'
import type { Context } from '../kit/operation.ts'
import { originOf, workspaceAround } from '../pushes/push-origin.ts'
import { wordsOf } from './payload.ts'

async function routeOf(tx: Tx, agentId: string): Promise<ReviewRoute> {
  const chain = []
  for (;;) {
    const step = stepUp(agentId, chain)
    if (!('ask' in step)) return step
    const next = await tx.rowOf(AGENTS, step.ask)
    if (next !== null) {
      chain.push(next)
      continue
    }
    // The agent of the run may be new and have no parent.
    const last = chain.at(-1)?.agent_id
    const routing = last === undefined ? 'no_parent' : 'missing_parent'
    return { routing, person: '', ended_at: last ?? agentId }
  }
}

/** Where the agent is asking from, as far as the door and the hooks of its program know. */
export async function placeOf(context: Context, tx: Tx, agent: string, now: Instant) {
  const { principal } = context.caller
  const own = principal?.workspace_id
  const [wake, turns, workspace] = await Promise.all([
    tx.runningWake(agent),
    tx.turnsOf(agent),
    // On a server, use the workspace in the caller's token: the caller's folder may be on another machine.
    own !== undefined
      ? tx.rowOf(WORKSPACES, own)
      : workspaceAround(tx, principal === undefined ? context.origin?.folder : undefined),
  ])
  const origin = originOf(context, workspace, { now, wake, turns })
  const { wake: wake_id = '', session = '', folder = '' } = origin
  return { wake_id, session, folder, workspace_id: workspace?.workspace_id ?? '' }
}

export type ReviewWish = Pick<AgentRun, 'agent_run_id' | 'agent_id' | 'review_id'> & {
  title: string
  description: string
  /** JSON, in the form of a workspace review. */
  payload: string
  payload_sha256: string
  workspace_id: string
}

const CONSEQUENCE = 'The agent continues. A rejection cancels its run.'

/** Makes the request for a review. The caller records the run's new state. */
export async function askForReview(
  context: Context,
  tx: Tx,
  want: ReviewWish,
  now: Instant,
): Promise<{ request_id: string; route: ReviewRoute }> {
  const {
    agent_run_id,
    agent_id: from,
    review_id,
    title,
    description,
    payload,
    payload_sha256,
  } = want
  const [route, people] = await Promise.all([routeOf(tx, from), tx.people()])
  const words = wordsOf({
    title: reviewTitle(title, route.routing),
    description,
    consequence: CONSEQUENCE,
    payload,
  })
  const event = ask(
    {
      thread_id: context.makeId('request'),
      from,
      words,
      recipients: route.person === '' ? people : [route.person],
      asked: route.person,
      request_type: 'workspace_review',
      entity_type: AGENT_RUN_ENTITY,
      entity_id: agent_run_id,
      workspace_id: want.workspace_id,
      review_id,
      risk: null,
      policy: 'human_only',
      deciders: [],
      is_editable: false,
      ends_at: null,
      on_expiry: 'keep',
      escalate_to: '',
      remind_at: null,
      payload_sha256,
    },
    stamp(context, now, words),
  )
  tx.record(null, event)
  return { request_id: event.thread_id, route }
}

/** Marks a later revision's title as a review, like the first one's. */
export function titleFor(run: AgentRun | null, title: string | undefined): string | undefined {
  if (run === null || title === undefined) return title
  if (title.length > LONGEST_REVIEW_TITLE)
    throw refuse.invalid_input`${field('title')} has ${title.length} characters; for a workspace review at most ${LONGEST_REVIEW_TITLE} fit`
  return reviewTitle(title, run.routing)
}

export async function pauseAgain(
  context: Context,
  tx: Tx,
  { run, from, now }: { run: AgentRun; from: string; now: Instant },
): Promise<void> {
  const { agent_run_id, agent_id, review_id, request_id, routing, folder } = run
  // A person who resubmits for the agent isn't in the agent's session.
  const { wake_id, session } = from === agent_id ? await placeOf(context, tx, agent_id, now) : run
  const of = { agent_run_id, agent_id, review_id, request_id, routing }
  const facts = { type: 'review_requested', ...of, wake_id, session, folder } as const
  tx.recordStoreEvent({ agent: from, at: now, facts })
}
