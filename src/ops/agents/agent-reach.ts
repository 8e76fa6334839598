import { isWakeable, standingOf, USER } from '../../core/agents/agent.ts'
import { epochMs, plusSeconds } from '../../core/time.ts'
import { MAIL_TYPES } from '../../core/vocabulary.ts'
import { BUDGET_SECONDS, type WakingMail, wakesFor } from '../../core/waking/waking.ts'
import { isBrokerThere } from '../../wake/broker-presence.ts'
import { NOT_ALLOWED } from '../../wake/wake-life.ts'
import { heldBack } from '../inbox/not-woken.ts'
import { type AnswerOf, aFlag, aText, CURSOR } from '../kit/answer.ts'
import { byDefault, choice, required, self } from '../kit/field.ts'
import { ANYONE, type Context, query } from '../kit/operation.ts'

const AGENT_REACH = {
  agent: aText('the agent'),
  reachable: aFlag('whether the agent would see it soon'),
  wakes: aFlag('whether it would be started'),
  why: aText('the reason'),
  next_event_id: CURSOR,
}

export type AgentReach = AnswerOf<typeof AGENT_REACH>

export const agentReach = query({
  name: 'agent reach',
  example: 'agent reach worker',
  summary: 'Find out whether an agent would read a message soon, and why or why not.',
  about:
    'Reports in advance what push reply reports afterward. A message to an agent that cannot be reached is kept for it. wake explain shows what wakes the agent.',
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
    // An agent that asks about itself wants to know how people can reach it.
    const from = caller === undefined || caller === agent ? USER : caller
    return { agent, ...(await reachOf(context, agent, { type, from, hops: 0 })), next_event_id }
  },
  answer: AGENT_REACH,
  lines: ({ agent, reachable, why }) =>
    reachable ? `${agent} can be reached: ${why}\n` : `${agent} cannot be reached: ${why}\n`,
})

export type Reach = {
  reachable: boolean
  wakes: boolean
  why: string
}

export async function reachOf(
  { store, offsetMinutes, allowedCommands }: Context,
  name: string,
  mail: WakingMail,
): Promise<Reach> {
  const now = await store.now()
  const [agent, history, hasBroker] = await Promise.all([
    store.agent(name),
    store.wakeHistory(name, plusSeconds(now, -BUDGET_SECONDS)),
    isBrokerThere(store),
  ])
  if (agent === null) {
    return { reachable: false, wakes: false, why: `nothing is known about ${name} except its name` }
  }
  const held = await heldBack(store, agent, now)
  if (held !== null) return { reachable: false, wakes: false, why: held }
  const local = { now, offsetMinutes: offsetMinutes(epochMs(now)) }
  const { wakes, why: ruled, again } = wakesFor(agent, mail, history, local)
  if (wakes && agent.wake.runner !== undefined) {
    return { reachable: true, wakes, why: `${ruled}; the runner of ${agent.wake.runner} starts it` }
  }
  const isHeld = wakes && !(await allowedCommands.includes(name, agent.wake))
  if (wakes && hasBroker && !isHeld) return { reachable: true, wakes, why: ruled }
  const { status, by, at } = standingOf(agent, now)
  const isInTurn = history.last !== null && history.last.ended_at === null
  if (status !== 'off' && (by === 'lease' || by === 'waiting' || by === 'turn' || isInTurn)) {
    return { reachable: true, wakes: false, why: `${name} is running and reads it next` }
  }
  const seen = agent.seen_at === null ? '' : ` was last seen at ${agent.seen_at}`
  const kept = 'the reply is kept for it'
  const looks = again === null ? kept : `${kept}; the broker looks again at ${again}`
  const no = (why: string) => ({ reachable: false, wakes: false, why: `${why}; ${looks}` })
  if (isHeld) return no(NOT_ALLOWED)
  if (wakes) return no(`${ruled}, but no broker runs: start 'inbox serve' or 'inbox wake run'`)
  if (status === 'off') return no(ruled)
  if (status === 'dormant') return no(seen === '' ? ruled : `${ruled} and${seen}`)
  // An old declaration or call doesn't prove that the agent is still there to read mail.
  const last = by === 'declared' ? ` said at ${at} that it is ${status}` : seen
  const doubt = `${name}${last}; nothing shows that it still runs`
  return no(isWakeable(agent) && again !== null ? doubt : `${doubt}; ${ruled}`)
}
