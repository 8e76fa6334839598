import { AGENT_STATUSES } from '../core/agent.ts'
import { type AgentView, viewAgent } from './agent-view.ts'
import { choices, text } from './field.ts'
import { ANYONE, query } from './operation.ts'

export const agentList = query({
  name: 'agent list',
  summary: 'List agents: what each is, by what evidence, what it has not read and last said.',
  fields: {
    role: text('only of this role', { max: 64 }),
    status: choices(AGENT_STATUSES, 'only these', { default: 'all' }),
  },
  set: 'every',
  callers: ANYONE,
  refusals: ['invalid_input'],
  async run({ store, caller }, input): Promise<{ agents: AgentView[]; next_event_id: number }> {
    const next_event_id = await store.lastEventId()
    const [agents, notes, now] = await Promise.all([
      store.agents({ role: input.role }),
      store.agentNotes(),
      store.now(),
    ])
    const views = agents.map((agent) => viewAgent(agent, notes, { now, viewer: caller.principal }))
    const asked = views.filter(({ status }) => input.status?.includes(status) ?? true)
    return { agents: asked, next_event_id }
  },
})
