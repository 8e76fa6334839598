import { USER } from '../../core/agents/agent.ts'
import { MAIL_TYPES } from '../../core/vocabulary.ts'
import { type AnswerOf, aFlag, aText, CURSOR } from '../kit/answer.ts'
import { byDefault, choice, required, self } from '../kit/field.ts'
import { ANYONE, query } from '../kit/operation.ts'
import { reachOf } from './reach.ts'

const AGENT_REACH = {
  agent: aText('of whom'),
  reachable: aFlag('whether the agent would see it soon'),
  wakes: aFlag('whether it would be started'),
  why: aText('why, or why not'),
  next_event_id: CURSOR,
}

export type AgentReach = AnswerOf<typeof AGENT_REACH>

export const agentReach = query({
  name: 'agent reach',
  example: 'agent reach worker',
  summary: 'Say whether a message to an agent would be read soon, and why or why not.',
  about:
    'Asks before writing what push reply says after it. A message to an agent that cannot be reached is kept for it. wake explain says what wakes the agent.',
  fields: {
    agent: required(self('the agent', { positional: true })),
    type: byDefault(choice(MAIL_TYPES, 'the type of the message'), 'answer'),
  },
  set: 'every',
  callers: ANYONE,
  refusals: ['invalid_input'],
  async run(context, { agent, type }): Promise<AgentReach> {
    const next_event_id = await context.store.lastEventId()
    const { agent: caller } = context.caller
    // An agent that asks about itself asks how others reach it.
    const from = caller === undefined || caller === agent ? USER : caller
    return { agent, ...(await reachOf(context, agent, { type, from, hops: 0 })), next_event_id }
  },
  answer: AGENT_REACH,
  lines: ({ agent, reachable, why }) =>
    reachable ? `${agent} can be reached: ${why}\n` : `${agent} cannot be reached: ${why}\n`,
})
