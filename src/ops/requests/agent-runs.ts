import { operation, refuse } from '../../core/error.ts'
import { AGENT_RUN_STATUSES } from '../../core/requests/agent-run-status.ts'
import type { AgentRunItem } from '../../core/requests/request-reads.ts'
import { routeWarning } from '../../core/requests/review-route.ts'
import type { Reads } from '../../core/store.ts'
import { seesEverything } from '../inbox/inbox.ts'
import type { Viewer } from '../inbox/visible-thread.ts'
import { type AnswerOf, aList, aRow, aText, CURSOR, MORE, orNull } from '../kit/answer.ts'
import { byDefault, choice, id, int, name, self } from '../kit/field.ts'
import { ANYONE, query } from '../kit/operation.ts'
import { readPage } from '../kit/page.ts'
import { applyDueBeforeLook } from './due-decisions.ts'
import { viewerOf } from './request-view.ts'

export type AgentRunView = Omit<AgentRunItem, 'response_message'> & {
  /** Why no particular person is responsible; empty if one is. */
  warning: string
}

export const AGENT_RUN = aRow<AgentRunView>('agent run', 'one agent run', {
  agent_run_id: aText('its id'),
  agent_id: aText('the agent'),
  status: aText('running, paused, cancelled or ended'),
  review_id: aText('its latest review, as the agent named it'),
  request_id: aText('the request of that review; if empty, request backfill creates it'),
  review_status: aText('its status: only approved lets the agent do what it asked for'),
  response_markdown: aText('what people wrote about it'),
  routing: aText('person, system, or why it is unrouted'),
  warning: aText('why no particular person was asked, or empty'),
  wake_id: aText('the wake it was submitted in, or empty'),
  session: aText('the agent session, or empty'),
  folder: aText('the folder, or empty'),
  began_at: aText('when the run began'),
  updated_at: aText('when it reached its current status'),
})

const AGENT_RUN_LIST = {
  agent_runs: aList(AGENT_RUN, 'the latest first'),
  has_more: MORE,
  next_before: orNull(aText('the cursor for the next page: pass it as before')),
  next_event_id: CURSOR,
}

export type AgentRunList = AnswerOf<typeof AGENT_RUN_LIST>

export const agentRuns = query({
  name: 'agent runs',
  example: 'agent runs',
  summary: 'List agent runs, which pause for reviews, latest first.',
  about:
    'People, services and the orchestrator see every run, an agent only its own. response_markdown is what people wrote about the latest review.',
  fields: {
    agent: self('the person or agent looking', { leftOut: 'user' }),
    of: name('only runs of this agent'),
    status: choice(AGENT_RUN_STATUSES, 'only runs with this status'),
    agent_run: id('only this run', { positional: true }),
    before: id('only runs after this one in the list'),
    limit: byDefault(int('how many to list at most', { min: 1, max: 500 }), 50),
  },
  set: 'requests',
  callers: ANYONE,
  refusals: ['invalid_input'],
  async run(context, input): Promise<AgentRunList> {
    const { store } = context
    await applyDueBeforeLook(context)
    const viewer = viewerOf(context, input.agent)
    const isLimited = (await seesAgentRuns(store, viewer)) === 'own'
    // An agent that asks for another agent's runs gets an empty list.
    const isForeign = isLimited && (input.of ?? viewer.name) !== viewer.name
    const filter = {
      agent: isLimited ? viewer.name : input.of,
      status: input.status,
      agentRunId: input.agent_run,
    }
    const next_event_id = await store.lastEventId()
    const { items, has_more } = isForeign
      ? { items: [], has_more: false }
      : await readPage<AgentRunItem>(context, input.limit, (limit, last) =>
          store.agentRuns({ ...filter, before: last?.agent_run_id ?? input.before, limit }),
        )
    return {
      agent_runs: items.map(viewAgentRun),
      has_more,
      next_before: has_more ? (items.at(-1)?.agent_run_id ?? null) : null,
      next_event_id,
    }
  },
  answer: AGENT_RUN_LIST,
  lines: async (answer, page) => (await import('./drawing.ts')).drawAgentRuns(answer, page),
})

export function viewAgentRun({ response_message: _, ...run }: AgentRunItem): AgentRunView {
  return { ...run, warning: routeWarning(run.agent_id, run.routing) }
}

/** People, services and the orchestrator see all runs; agents see only their own. */
export async function seesAgentRuns(reads: Reads, viewer: Viewer): Promise<'all' | 'own'> {
  const seesAll = viewer.kind !== 'agent' || (await seesEverything(reads, viewer))
  return seesAll ? 'all' : 'own'
}

export function unknownAgentRun(agent_run_id: string) {
  return refuse.not_found`there is no agent run ${{ agent_run_id }}; see ${operation('agent runs')}`
}
