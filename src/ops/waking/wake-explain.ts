import type { SeenAgent } from '../../core/agents/agent.ts'
import { operation, refuse } from '../../core/error.ts'
import type { Store } from '../../core/store.ts'
import type { WakeCause } from '../../core/waking/wake-record.ts'
import { budgetLeft, wakingTypes, wakingTypesOfPeople } from '../../core/waking/waking.ts'
import { isHeld } from '../../core/workflows/instance.ts'
import { isBrokerThere } from '../../wake/broker-presence.ts'
import { NOT_ALLOWED, situationOf } from '../../wake/wake-life.ts'
import { heldBack } from '../inbox/not-woken.ts'
import { type AnswerOf, aFlag, aList, aNumber, anything, aText, orNull } from '../kit/answer.ts'
import { required, self } from '../kit/field.ts'
import { ANYONE, query } from '../kit/operation.ts'
import { viewWake, WAKE } from './wake-log.ts'

const LAST = 5

const EXPLANATION = {
  agent: aText('the agent'),
  wakes: aFlag('whether a broker would start it now'),
  broker: aFlag('whether a broker is running; for an agent of a workflow, its runner'),
  why: aText('the reason'),
  again: orNull(aText('when that may change on its own')),
  cause: orNull(aText<WakeCause>('mail, timer or workspace_event')),
  waking: aNumber('unread mail that wakes it'),
  types: anything<readonly string[]>('the types of mail that wake it, from any sender'),
  types_from_people: anything<readonly string[]>('the types of mail from people that wake it'),
  next_timer: orNull(aText('when its timer is due')),
  budget_left: aNumber('how many starts it has left this hour'),
  wakes_before: aList(WAKE, 'its last starts'),
}

export type WakeExplanation = AnswerOf<typeof EXPLANATION>

export const wakeExplain = query({
  name: 'wake explain',
  example: 'wake explain worker',
  summary: 'Find out whether an agent would be started now, and why or why not.',
  about:
    'Applies the broker’s rules at this moment without starting anything. Also shows which mail wakes the agent, when its timer is due, how many starts are left this hour, its last starts, and whether a broker is running.',
  fields: { agent: required(self('the agent', { positional: true })) },
  set: 'every',
  callers: ANYONE,
  refusals: ['invalid_input', 'not_found'],
  async run(
    { store, offsetMinutes, allowedCommands, caller },
    { agent: agentId },
  ): Promise<WakeExplanation> {
    const [situation, broker, last] = await Promise.all([
      situationOf(store, agentId, offsetMinutes),
      isBrokerThere(store),
      store.wakes({ agent: agentId, limit: LAST }),
    ])
    if (situation === null)
      throw refuse.not_found`there is no agent ${agentId}; see ${operation('agent list')}`
    const { agent, ruling, cause, mail, timer, history } = situation
    const isUnknown = !(await allowedCommands.includes(agentId, agent.wake))
    const words = ruling.wakes && cause !== 'timer' ? `${ruling.why}, and ${mail.why}` : ruling.why
    const runner = agent.wake.runner
    const owned = runner === undefined ? null : await ownedBy(store, runner, agent)
    // A runner allows its own commands while it's running.
    const held = owned?.runs === false ? owned.why : isUnknown ? NOT_ALLOWED : null
    const why = owned?.runs ? `${owned.why}: ${words}` : words
    return {
      agent: agentId,
      wakes: ruling.wakes && held === null,
      why: ruling.wakes && held !== null ? held : why,
      broker: owned?.isThere ?? broker,
      again: ruling.again,
      cause,
      waking: mail.count,
      types: wakingTypes(agent),
      types_from_people: wakingTypesOfPeople(agent),
      next_timer: timer,
      budget_left: budgetLeft(agent, history),
      wakes_before: last.map((wake) => viewWake(wake, caller.principal)),
    }
  },
  answer: EXPLANATION,
  lines: async (answer, page) => (await import('./drawing.ts')).drawExplained(answer, page),
})

/** An agent of a workflow is started only by the runner of its instance. */
async function ownedBy(
  store: Store,
  name: string,
  agent: SeenAgent,
): Promise<{ isThere: boolean; runs: boolean; why: string }> {
  const [instance, now] = await Promise.all([store.instance(name), store.now()])
  const only = `only the runner of the instance ${name} starts it`
  if (instance === null || !isHeld(instance, now))
    return { isThere: false, runs: false, why: `${only}, and none runs` }
  const held = await heldBack(store, agent, now)
  return { isThere: true, runs: held === null, why: held ?? `${only}, and it runs` }
}
