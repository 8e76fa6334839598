import { type AgentStatus, statusOf } from '../../core/agents/agent.ts'
import type { Reads } from '../../core/store.ts'
import { hasStopped, type Instance, type Member } from '../../core/workflows/instance.ts'
import { type AnswerOf, aList, aNumber, aRow, aText } from '../kit/answer.ts'
import { query } from '../kit/operation.ts'
import { CHANNEL_READER, CONTEXT_FIELDS, instanceFor } from './instance-access.ts'

export type TeamMember = Member & { status: Exclude<AgentStatus, 'dormant'> | 'stopped' }

const TEAM = {
  instance: aText('the instance'),
  workflow: aText('the workflow'),
  run: aNumber('its run, from 1'),
  state: aText('running or ended'),
  members: aList(
    aRow<TeamMember>('team member', 'an agent of the workflow', {
      name: aText('the name to mention it by'),
      agent_id: aText('its address for mail'),
      backend: aText('what runs it'),
      model: aText('its model, or empty'),
      status: aText('running, idle, off or stopped'),
    }),
    'in the order of the file',
  ),
}

export type Team = AnswerOf<typeof TEAM>

export const contextTeam = query({
  name: 'workflow context team',
  example: 'workflow context team --agent coder@pr-123',
  summary: 'List who takes part in a workflow, and their status.',
  fields: CONTEXT_FIELDS,
  ...CHANNEL_READER,
  refusals: ['invalid_input', 'not_found'],
  async run(context, input): Promise<Team> {
    const found = await instanceFor(context, input)
    const team = await teamOf(context.store, found)
    const { instance, workflow, run, state } = found
    return { instance, workflow, run, state, members: team }
  },
  answer: TEAM,
  lines: async (answer, page) => (await import('./drawing.ts')).drawTeam(answer, page),
  tool: {
    name: 'team',
    does: 'List who takes part: the names to mention, and their status. @user is the person.',
    args: {},
    shows: 'members',
  },
})

/** A sleeping agent is started when needed, so others see it as idle. */
export async function teamOf(store: Reads, instance: Instance): Promise<TeamMember[]> {
  const { members } = instance
  const [now, ...agents] = await Promise.all([
    store.now(),
    ...members.map(({ agent_id }) => store.agent(agent_id)),
  ])
  return members.map((member, i) => {
    const agent = agents[i] ?? null
    const status = agent === null ? 'idle' : statusOf(agent, now)
    if (hasStopped(instance, member.agent_id, status)) return { ...member, status: 'stopped' }
    return { ...member, status: status === 'dormant' ? 'idle' : status }
  })
}
