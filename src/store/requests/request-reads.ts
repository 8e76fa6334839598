// Requests, effects, requirements and agent runs, read the same way on both engines.

import type { AgentRun } from '../../core/requests/agent-run-record.ts'
import { EFFECT_COMMANDS } from '../../core/requests/effect-command-record.ts'
import { EFFECTS } from '../../core/requests/effect-record.ts'
import { REQUEST } from '../../core/requests/request-kind.ts'
import type {
  AgentRunFilter,
  AgentRunItem,
  DueRequest,
  RequestLogItem,
  RequestLooks,
  RequestReads,
  WaitingRequest,
} from '../../core/requests/request-reads.ts'
import { REQUESTS } from '../../core/requests/request-record.ts'
import type { Requirement } from '../../core/requests/requirement-record.ts'
import { WARRANT_SEED } from '../../core/requests/warrant.ts'
import type { Instant } from '../../core/time.ts'
import { first, type Querier, readSetting } from '../querier.ts'
import { type StoredRow, toRecord } from '../record-row.ts'
import { countRequests, listRequests, searchRequests } from './request-lists.ts'

const REQUEST_EVENTS = [REQUESTS, REQUEST, EFFECTS].flatMap(({ events }) => Object.keys(events))

export function makeRequestReads(querier: Querier): RequestReads {
  return {
    warrantSeed: () => readSetting(querier, WARRANT_SEED.fixed.name),
    requestLog: (thread_id) =>
      querier.all<RequestLogItem>('request_log', { thread_id, types: REQUEST_EVENTS }),
    openRun: (agent_id, folder) =>
      first(querier.all<AgentRun>('agent_run_open', { agent_id, folder })),
    async reviewOf(requester, review_id) {
      const row = await first(querier.all<StoredRow>('request_of_review', { requester, review_id }))
      return row && toRecord(REQUESTS, row)
    },
    unaskedRuns: (limit) => querier.all<AgentRun>('agent_runs_unasked', { limit }),
    requirements: (holders) => querier.all<Requirement>('requirements_all', { holders }),
  }
}

export function makeRequestLooks(querier: Querier): RequestLooks {
  return {
    async openEffects(limit) {
      const rows = await querier.all<StoredRow & { request_type: string }>('effects_open', {
        limit,
      })
      return rows.map(({ request_type, ...row }) => ({ ...toRecord(EFFECTS, row), request_type }))
    },
    async effectCommands() {
      const rows = await querier.all<StoredRow>('effect_commands_all', {})
      return rows.map((row) => toRecord(EFFECT_COMMANDS, row))
    },
    requests: (filter) => listRequests(querier, filter),
    searchRequests: (search) => searchRequests(querier, search),
    requestCounts: (scope) => countRequests(querier, scope),
    async requestsOfPayload(requester, payload_sha256) {
      const params = { requester, payload_sha256 }
      const rows = await querier.all<StoredRow>('requests_of_payload', params)
      return rows.map((row) => toRecord(REQUESTS, row))
    },
    waitingRequests: ({ before, requester, limit }) =>
      querier.all<WaitingRequest>('requests_waiting', { before, requester, limit }),
    dueRequests: (now, limit) => dueRequests(querier, now, limit),
    agentRuns: (filter) => listAgentRuns(querier, filter),
  }
}

/** Each of the three reads a range of a separate index. */
async function dueRequests(querier: Querier, by: Instant, limit: number): Promise<DueRequest[]> {
  const found = await Promise.all([
    querier.all<DueRequest>('requests_held_due', { by, limit }),
    querier.all<DueRequest>('requests_remind_due', { by, limit }),
    querier.all<DueRequest>('requests_lapse_due', { by, limit }),
  ])
  return found
    .flat()
    .sort((a, b) => (a.due_at < b.due_at ? -1 : 1))
    .slice(0, limit)
}

/** Every column of an agent run is stored unchanged. */
async function listAgentRuns(
  querier: Querier,
  { agent, status, agentRunId, before, limit }: AgentRunFilter,
): Promise<AgentRunItem[]> {
  const place =
    before === undefined
      ? undefined
      : await first(querier.all<{ began_at: Instant }>('agent_run_place', { agent_run_id: before }))
  if (place === null) return []
  return querier.all<AgentRunItem>('agent_runs_list', {
    agent_id: agent,
    status,
    agent_run_id: agentRunId,
    before_at: place?.began_at,
    before_id: before,
    limit,
  })
}
