// Agent runs, read alike on both engines. Every column of theirs is stored as it is.

import type {
  AgentRunItem,
  AgentRunLooks,
  AgentRunReads,
} from '../../core/requests/agent-run-reads.ts'
import type { AgentRun } from '../../core/requests/agent-run-record.ts'
import { REQUESTS } from '../../core/requests/request-record.ts'
import type { Instant } from '../../core/time.ts'
import { first, type Querier } from '../querier.ts'
import { type StoredRow, toRecord } from '../record-row.ts'

export function makeAgentRunReads(querier: Querier): AgentRunReads {
  return {
    openRun: (agent_id, folder) =>
      first(querier.all<AgentRun>('agent_run_open', { agent_id, folder })),
    async reviewOf(requester, review_id) {
      const row = await first(querier.all<StoredRow>('request_of_review', { requester, review_id }))
      return row && toRecord(REQUESTS, row)
    },
    unaskedRuns: (limit) => querier.all<AgentRun>('agent_runs_unasked', { limit }),
  }
}

export function makeAgentRunLooks(querier: Querier): AgentRunLooks {
  return {
    async agentRuns({ agent, status, agentRunId, before, limit }) {
      const place =
        before === undefined
          ? undefined
          : await first(
              querier.all<{ began_at: Instant }>('agent_run_place', { agent_run_id: before }),
            )
      if (place === null) return []
      return querier.all<AgentRunItem>('agent_runs_list', {
        agent_id: agent,
        status,
        agent_run_id: agentRunId,
        before_at: place?.began_at,
        before_id: before,
        limit,
      })
    },
  }
}
