// An agent run as doors show it, and what its agent is told of a decision.

import { refuse } from '../../core/error.ts'
import type { AgentRun } from '../../core/requests/agent-run-record.ts'
import type { AgentRunItem } from '../../core/requests/request-reads.ts'
import { routeWarning } from '../../core/requests/review-route.ts'
import { operation, sentence } from '../../core/sentence.ts'
import type { Reads } from '../../core/store.ts'
import type { Words } from '../../core/threads/message.ts'
import { seesEverything } from '../inbox/inbox.ts'
import type { Viewer } from '../inbox/visible-thread.ts'
import { aRow, aText } from '../kit/answer.ts'
import { withMembers } from './payload.ts'

export type AgentRunView = Omit<AgentRunItem, 'response_message'> & {
  /** Says why nobody in particular is responsible; empty when somebody is. */
  warning: string
}

export function viewRun({ response_message: _, ...run }: AgentRunItem): AgentRunView {
  return { ...run, warning: routeWarning(run.agent_id, run.routing) }
}

export const AGENT_RUN = aRow<AgentRunView>('agent run', 'one agent run', {
  agent_run_id: aText('its id'),
  agent_id: aText('the agent'),
  status: aText('running, paused, cancelled or ended'),
  review_id: aText('its latest review, as the agent named it'),
  request_id: aText('the request of that review, or empty: request backfill makes it'),
  review_status: aText('its status: only approved lets the agent do what it asked for'),
  response_markdown: aText('what people said about it'),
  routing: aText('person, system, or why it is unrouted'),
  warning: aText('why nobody in particular was asked, or empty'),
  wake_id: aText('the wake in whose turn it was submitted, or empty'),
  session: aText('the agent session, or empty'),
  folder: aText('the folder, or empty'),
  began_at: aText('when the run began'),
  updated_at: aText('when it came to its status'),
})

/** People, services and the orchestrator see all runs, an agent its own. */
export async function seesRuns(reads: Reads, viewer: Viewer): Promise<'all' | 'own'> {
  const seesAll = viewer.kind !== 'agent' || (await seesEverything(reads, viewer))
  return seesAll ? 'all' : 'own'
}

/** To whoever it is not for, the run does not exist. */
export function unknownRun(id: string) {
  return refuse(
    'not_found',
    sentence`there is no agent run ${id}; see ${operation('agent runs')}`,
    {
      agent_run_id: id,
    },
  )
}

/** The words of a decision, with the run that they are about. */
export function runWords({ agent_run_id, review_id }: AgentRun, words: Words): Words {
  const about = { agent_run_id, review_id, responseMarkdown: words.body }
  return { ...words, payload_json: withMembers(words.payload_json, JSON.stringify(about)) }
}
