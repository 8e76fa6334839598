import { statusOf } from '../../core/agents/agent.ts'
import type { Reads } from '../../core/store.ts'
import type { Instant } from '../../core/time.ts'
import {
  type HeldInstance,
  hasStopped,
  isHeld,
  type Member,
} from '../../core/workflows/instance.ts'
import { type AnswerRecord, aList, aNumber, aRecord, aText, CURSOR, orNull } from '../kit/answer.ts'
import { flag } from '../kit/field.ts'
import { ANYONE, type Context, query } from '../kit/operation.ts'
import { instancesFor } from './target.ts'

const AGENT = aRecord('workflow agent', 'an agent of a workflow, or one that stands alone', {
  name: aText('NAME@INSTANCE, or the name of a standalone agent'),
  instance: aText('its instance'),
  workflow: aText('the name of the workflow'),
  source: aText('the file; empty for a standalone agent'),
  status: aText<'running' | 'idle' | 'stopped' | 'lost' | 'ended'>(
    'running or idle; with all also stopped, lost or ended',
  ),
  ended: aText('how the run ended, or empty'),
  unread: aNumber('how many unread messages it has'),
  run: aNumber('the number of the run, from 1'),
  started_at: aText('when the run began'),
  ended_at: orNull(aText('when it ended')),
})

export type WorkflowAgent = AnswerRecord<typeof AGENT>

export const workflowList = query({
  name: 'workflow list',
  example: 'workflow list',
  summary: 'List running agents with their name, file and status.',
  about:
    'An agent of a workflow is named NAME@INSTANCE, a standalone agent just NAME. An agent in a turn is running; one that is waiting, or sleeping until it gets a message, is idle. --all adds agents that were stopped while others keep running, and those whose run has ended; an agent is lost if its runner no longer responds.',
  fields: { all: flag('include agents whose run has ended') },
  set: 'workflow',
  callers: ANYONE,
  refusals: [],
  async run(context, { all = false }): Promise<{ agents: WorkflowAgent[]; next_event_id: number }> {
    const next_event_id = await context.store.lastEventId()
    const [found, now] = await Promise.all([
      instancesFor(context, { running: !all }),
      context.store.now(),
    ])
    const instances = all ? found : found.filter((one) => isHeld(one, now))
    const agents = await Promise.all(instances.map((one) => agentsOf(context, one, now)))
    const listed = agents.flat().filter(({ status }) => all || status !== 'stopped')
    return { agents: listed, next_event_id }
  },
  answer: {
    agents: aList(AGENT, 'by instance'),
    next_event_id: CURSOR,
  },
  lines: async (answer, page) => (await import('./drawing.ts')).drawWorkflows(answer, page),
})

async function agentsOf(
  { store }: Context,
  held: HeldInstance,
  now: Instant,
): Promise<WorkflowAgent[]> {
  const { instance, workflow, source, ended, run, started_at, ended_at } = held
  const standings = await standingsOf(store, held, now)
  return held.members.map(({ agent_id: name }: Member, i) => {
    const { status, unread } = standings[i] ?? { status: 'idle', unread: 0 }
    return { name, instance, workflow, source, status, ended, unread, run, started_at, ended_at }
  })
}

export type MemberStanding = Pick<WorkflowAgent, 'status' | 'unread'>

export function standingsOf(
  store: Reads,
  instance: HeldInstance,
  now: Instant,
): Promise<MemberStanding[]> {
  return Promise.all(
    instance.members.map(async ({ agent_id }) => {
      const [agent, unread] = await Promise.all([store.agent(agent_id), store.unread(agent_id)])
      const own = agent === null ? 'idle' : statusOf(agent, now)
      return { unread, status: statusIn(instance, agent_id, own, now) }
    }),
  )
}

function statusIn(
  instance: HeldInstance,
  agentId: string,
  own: ReturnType<typeof statusOf>,
  now: Instant,
): MemberStanding['status'] {
  if (instance.state === 'ended') return 'ended'
  if (!isHeld(instance, now)) return 'lost'
  if (own === 'running') return own
  return own === 'off' || hasStopped(instance, agentId, own) ? 'stopped' : 'idle'
}
