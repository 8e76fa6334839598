import { AGENT_STATUSES } from '../../core/agents/agent.ts'
import { mustBeItself } from '../kit/authorise.ts'
import { commit } from '../kit/commit.ts'
import { choice, required, self } from '../kit/field.ts'
import { ANYONE, mutation } from '../kit/operation.ts'
import { type AgentView, seenAgent, unknownAgent } from './agent-view.ts'
import { declare, finishDeclaring, MAIL_MOVES, type MailMoves } from './declare.ts'

export const agentStatus = mutation({
  name: 'agent status',
  example: 'agent status worker',
  summary: 'Show one agent; with --status, declare its status.',
  about:
    'Evidence outweighs declarations. An agent that holds a lease, is waiting or is in a turn is running. One that made a call since its last declaration is idle. One that was not seen for fifteen minutes, or one minute with a wake command, is dormant. One that was declared off stays off. An agent that becomes available takes the mail queued for its role. Unread mail of an agent that is off bounces to its sender.',
  fields: {
    agent: required(self('the agent', { positional: true })),
    status: choice(AGENT_STATUSES, 'its new status'),
  },
  set: 'every',
  callers: ANYONE,
  refusals: ['invalid_input', 'not_found', 'forbidden'],
  async run(context, input): Promise<MailMoves & { agent: AgentView; next_event_id: number }> {
    if (input.status === undefined) {
      const next_event_id = await context.store.lastEventId()
      return { agent: await seenAgent(context, input.agent), taken: 0, bounced: 0, next_event_id }
    }
    mustBeItself(context.caller.principal, input.agent)
    const by = context.caller.agent ?? input.agent
    const call = { op: 'agent status', agent: by, input, isOfAnother: true }
    const saying = commit<MailMoves>(context, call, async (tx) => {
      await tx.lockRecords()
      const [now, agent] = await Promise.all([tx.now(), tx.agent(input.agent)])
      if (agent === null) throw unknownAgent(input.agent)
      return declare(context, tx, agent, { status: input.status, by, now })
    })
    const moved = await finishDeclaring(context, input, saying)
    return { agent: await seenAgent(context, input.agent), ...moved }
  },
  answer: MAIL_MOVES,
  lines: async (answer, page) => (await import('./drawing.ts')).drawAgent(answer, page),
})
