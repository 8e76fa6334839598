// The record of an agent run: the work of one agent in one folder, from its first review to its end. It is unrelated to
// workflow runs and to the `--run` of threads.
//
// Facts never contain text; the answer to a review is in the decision's message.

import type { StoreRecord, WithIds } from '../record.ts'
import {
  AGENT,
  choice,
  type FactsOf,
  ID,
  ID_OR_EMPTY,
  INSTANT,
  PATH_OR_EMPTY,
  pick,
  type RowFrom,
  text,
} from '../shape.ts'
import {
  AGENT_RUN_STATUSES,
  type AgentRunMove,
  isRunOver,
  runAfterMove,
} from './agent-run-status.ts'
import { LONGEST_REVIEW, REQUESTS, type Request } from './request-record.ts'
import { REQUEST_STATUSES, type RequestStatus } from './request-status.ts'
import { ROUTINGS } from './review-route.ts'

/** The `entity_type` of a request that is an agent run's review; its `entity_id` is the run. */
export const AGENT_RUN_ENTITY = 'agent_workspace_run'

const FIELDS = {
  agent_run_id: ID,
  agent_id: AGENT,
  status: choice(AGENT_RUN_STATUSES),
  /** The name that the agent gave its latest review. Earlier reviews are stale. */
  review_id: text({ max: LONGEST_REVIEW }),
  /** The request of that review; empty if it has none yet (request backfill creates it). */
  request_id: ID_OR_EMPTY,
  routing: choice(ROUTINGS),
  /** The status of the latest review. Only `approved` lets the agent do what it asked for. */
  review_status: choice(REQUEST_STATUSES),
  /** The message with the answer to the review; empty until there is one. */
  response_message: ID_OR_EMPTY,
  /** The wake, the agent session and the folder of the latest review; empty where unknown. */
  wake_id: ID_OR_EMPTY,
  session: text({ max: 128, orEmpty: true }),
  folder: PATH_OR_EMPTY,
  began_at: INSTANT,
  updated_at: INSTANT,
}
export type AgentRun = RowFrom<typeof FIELDS>

const OF = pick(FIELDS, 'agent_run_id', 'agent_id')
const FACTS = {
  review_requested: {
    ...OF,
    ...pick(FIELDS, 'review_id', 'request_id', 'routing', 'wake_id', 'session', 'folder'),
  },
  agent_run_resume: { ...OF, ...pick(FIELDS, 'review_status'), response_message: ID },
  agent_run_cancel: { ...OF, response_message: ID },
  agent_run_end: { ...OF, ...pick(FIELDS, 'review_status') },
  /** Recorded when a review that had no request is given one. */
  review_backfilled: { ...OF, ...pick(FIELDS, 'routing'), request_id: ID },
}
export type AgentRunFacts = FactsOf<typeof FACTS>

const MOVE_OF = {
  review_requested: 'review',
  agent_run_resume: 'resume',
  agent_run_cancel: 'cancel',
  agent_run_end: 'end',
} as const satisfies Record<string, AgentRunMove>

/** The review status that an event implies, if its facts don't include it. */
const STATUS_AFTER: Partial<Record<AgentRunFacts['type'], RequestStatus>> = {
  review_requested: 'pending',
  review_backfilled: 'pending',
  agent_run_cancel: 'rejected',
}

export const AGENT_RUNS: StoreRecord<AgentRun, AgentRunFacts> & WithIds<'agent run'> = {
  table: 'agent_runs',
  one: 'agent run',
  key: 'agent_run_id',
  prefix: 'agr',
  fields: FIELDS,
  facts: FACTS,
  events: {
    // The first review begins the run, and every review pauses it.
    review_requested: {
      makes: (facts, { at }) => ({
        ...facts,
        status: 'paused',
        review_status: 'pending',
        response_message: '',
        began_at: at,
        updated_at: at,
      }),
      keeps: ['began_at', 'folder'],
    },
    agent_run_resume: {
      changes: ({ review_status, response_message }, { at }) => ({
        status: 'running',
        review_status,
        response_message,
        updated_at: at,
      }),
    },
    agent_run_cancel: {
      changes: ({ response_message }, { at }) => ({
        status: 'cancelled',
        review_status: 'rejected',
        response_message,
        updated_at: at,
      }),
    },
    agent_run_end: {
      changes: ({ review_status }, { at }) => ({ status: 'ended', review_status, updated_at: at }),
    },
    review_backfilled: {
      changes: ({ request_id, routing }) => ({ request_id, routing }),
    },
  },
  mustFollow(before, facts) {
    if (before === null) return
    if (before.agent_id !== facts.agent_id) throw new Error('it is of the run of another agent')
    const isLegal =
      facts.type === 'review_backfilled'
        ? before.status === 'paused'
        : runAfterMove(before.status, MOVE_OF[facts.type]) !== undefined
    if (!isLegal) throw new Error(`${facts.type} of an agent run that is ${before.status}`)
  },
  admit(facts, { before, rows }) {
    // If the request is missing, it was pruned: a run outlives its requests.
    const request = rows(REQUESTS).get(
      'request_id' in facts ? facts.request_id : (before?.request_id ?? ''),
    )
    if (request === undefined) return
    if (!isReviewOf(request, facts))
      throw new Error('its request is not a review of this agent run')
    if ('response_message' in facts && request.decision_message !== facts.response_message) {
      throw new Error('it does not follow from the decision on its review')
    }
    const { review_status } = { review_status: STATUS_AFTER[facts.type], ...facts }
    if (request.status !== review_status) {
      throw new Error(`it says of its review ${review_status}, which is ${request.status}`)
    }
  },
}

/** Whether the request is a review of this run, made by the run's agent. */
function isReviewOf(
  { entity_type, entity_id, requester }: Request,
  { agent_run_id, agent_id }: Pick<AgentRun, 'agent_run_id' | 'agent_id'>,
): boolean {
  return entity_type === AGENT_RUN_ENTITY && entity_id === agent_run_id && requester === agent_id
}

/** Whether the run is waiting for a decision on this request, or continues because of one. */
export function isPresentReview(run: AgentRun, requestId: string): boolean {
  return run.request_id === requestId && !isRunOver(run.status)
}
