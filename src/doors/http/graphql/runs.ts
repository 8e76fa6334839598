// Agent runs and the workspace reviews they wait for. Deciding a review means deciding its request: one operation
// moves both.

import { quote, Refusal } from '../../../core/error.ts'
import {
  type AgentRunList,
  type AgentRunView,
  unknownRun,
} from '../../../ops/requests/agent-runs.ts'
import type { GraphCall } from './calls.ts'
import { itemNamed } from './items.ts'
import { orNull, upper } from './scalars.ts'

type ReviewInput = { responseMarkdown?: string | null; graceSeconds?: number | null }
type AboutReview = {
  runId: string
  reviewId: string
  revision: number
  input?: ReviewInput | null
  idempotencyKey?: string | null
}

async function runNamed(agent_run: string, { ask }: GraphCall): Promise<AgentRunView> {
  const { agent_runs } = await ask<AgentRunList>('agent runs', { agent_run })
  const [run] = agent_runs
  if (run === undefined) throw unknownRun(agent_run)
  return run
}

/** Refuses the decision if the run has moved on to another review. */
function reviewOf({ agent_run_id, review_id, request_id }: AgentRunView, reviewId: string): string {
  if (request_id !== '' && review_id === reviewId) return request_id
  const why =
    request_id === ''
      ? 'has a review without an item; create it with /api/ops/request-backfill'
      : `is at review ${quote(review_id)}, but you named ${quote(reviewId)}; look at it again`
  throw new Refusal('invalid_state', `agent run ${agent_run_id} ${why}`, {
    agent_run_id,
    review_id,
  })
}

function makeReviewMutation(name: string) {
  return async (_: unknown, given: AboutReview, call: GraphCall): Promise<AgentRunView> => {
    const { runId, reviewId, revision, input, idempotencyKey } = given
    const request = reviewOf(await runNamed(runId, call), reviewId)
    await call.ask(name, {
      request,
      revision,
      notes: input?.responseMarkdown,
      grace_seconds: input?.graceSeconds,
      idempotency_key: idempotencyKey,
    })
    return runNamed(runId, call)
  }
}

export const REVIEW_MUTATIONS = {
  acceptAgentWorkspaceReview: makeReviewMutation('approve'),
  cancelAgentWorkspaceReview: makeReviewMutation('reject'),
  resumeAgentWorkspaceRun: makeReviewMutation('request-revision'),
}

export const RUN_TYPES = {
  AgentWorkspaceRun: {
    id: ({ agent_run_id }: AgentRunView) => agent_run_id,
    tenantId: (_: AgentRunView, __: object, { tenant }: GraphCall) => tenant,
    agentId: ({ agent_id }: AgentRunView) => agent_id,
    status: ({ status }: AgentRunView) => upper(status),
    reviewId: ({ review_id }: AgentRunView) => review_id,
    reviewStatus: ({ review_status }: AgentRunView) => upper(review_status),
    responseMarkdown: ({ response_markdown }: AgentRunView) => orNull(response_markdown),
    routing: ({ routing }: AgentRunView) => routing,
    warning: ({ warning }: AgentRunView) => orNull(warning),
    inboxItem({ request_id }: AgentRunView, _: object, call: GraphCall) {
      return request_id === '' ? null : itemNamed(request_id, call)
    },
    createdAt: ({ began_at }: AgentRunView) => began_at,
    updatedAt: ({ updated_at }: AgentRunView) => updated_at,
  },
}
