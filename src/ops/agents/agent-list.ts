import { AGENT_STATUSES } from '../../core/agents/agent.ts'
import { aList, aText, CURSOR, MORE, orNull } from '../kit/answer.ts'
import { byDefault, choices, int, name, text } from '../kit/field.ts'
import { ANYONE, query } from '../kit/operation.ts'
import { makePage } from '../kit/page.ts'
import { AGENT, type AgentView, notesFor, viewAgent } from './agent-view.ts'

export const agentList = query({
  name: 'agent list',
  example: 'agent list',
  summary: 'List agents with their status, evidence, unread mail and last message.',
  about:
    'Sorted by name. A long last message is cut. While has_more is true, continue with --after and next_after, even if a page is empty: a filter by status looks at one page of agents at a time.',
  fields: {
    role: text('only agents of this role', { max: 64 }),
    status: choices(AGENT_STATUSES, 'only these', { leftOut: 'all' }),
    after: name('only agents after this name: next_after of the previous answer'),
    limit: byDefault(int('how many agents to look at', { min: 1, max: 1000 }), 500),
  },
  set: 'every',
  callers: ANYONE,
  refusals: ['invalid_input'],
  async run({ store, caller }, input) {
    const { limit } = input
    const next_event_id = await store.lastEventId()
    const found = await store.agents({ role: input.role, after: input.after, limit: limit + 1 })
    const names = [found.at(0)?.agent_id ?? '', found.at(-1)?.agent_id ?? ''] as const
    const [notes, now] = await Promise.all([notesFor(store, caller.principal, names), store.now()])
    const page = makePage<AgentView>(limit)
    const has_more = !page.add(
      found.map((agent) => viewAgent(agent, notes, { now, viewer: caller.principal })),
    )
    return {
      agents: page.items.filter(({ status }) => input.status?.includes(status) ?? true),
      has_more,
      next_after: has_more ? (page.items.at(-1)?.agent_id ?? null) : null,
      next_event_id,
    }
  },
  answer: {
    agents: aList(AGENT, 'by name'),
    has_more: MORE,
    next_after: orNull(aText('the cursor for the next page: pass it as after')),
    next_event_id: CURSOR,
  },
  lines: async (answer, page) => (await import('./drawing.ts')).drawAgents(answer, page),
  tool: {
    name: 'list_agents',
    set: 'mailbox',
    does: 'See who is there before you address someone: names, roles, status.',
    args: {
      role: { about: 'only this role' },
      status: { about: 'only these' },
      after: { about: 'nextAfter of the last page' },
    },
  },
})
