// Notes that tell a sender which recipients its message won't wake, because they seem to be asleep and will stay
// asleep, or because their runner won't start them.

import { isRole } from '../../core/agents/address.ts'
import { isPerson, type SeenAgent } from '../../core/agents/agent.ts'
import type { SpokenEvent } from '../../core/event.ts'
import { deliveriesOf } from '../../core/inbox/delivery-steps.ts'
import type { Tx } from '../../core/store.ts'
import type { Instant } from '../../core/time.ts'
import { VOCABULARY } from '../../core/vocabulary.ts'
import { explainNoStart } from '../../core/waking/not-started.ts'
import { explainNoWake } from '../../core/waking/waking.ts'
import { aList, aRow, aText, maybe } from '../kit/answer.ts'

/** For a message to all agents, at most this many recipients are listed. */
const MOST_NOTES = 20

type SleepingRecipient = { recipient: string; why: string }

/** `not_woken` is left out if it would be empty. */
export type NotWoken = { not_woken?: SleepingRecipient[] }

export const NOT_WOKEN = maybe(
  aList(
    aRow<SleepingRecipient>('not woken', 'one that is not woken', {
      recipient: aText('who'),
      why: aText('why this does not wake it, and what would'),
    }),
    'recipients that may be asleep or stopped and that this message does not wake',
  ),
)

type WakeChecks = Pick<Tx, 'agent' | 'instance' | 'wakeHistory'>

/**
 * Lists the recipients that this message doesn't wake. A caller that has already read the likely recipient, along with
 * its other reads, can pass it in to save a round trip.
 */
export async function listNotWoken(
  tx: WakeChecks,
  event: SpokenEvent,
  now: Instant,
  read: SeenAgent | null = null,
): Promise<NotWoken> {
  const { kind, from_agent: from, hops } = event.message
  const mail = { type: VOCABULARY[kind].type, from, hops }
  const checks = { instance: readOnce(tx), wakeHistory: tx.wakeHistory.bind(tx) }
  const notes = await Promise.all(
    deliveriesOf(event)
      .map(({ recipient }) => recipient)
      .filter((one) => !isPerson(one) && !isRole(one))
      .slice(0, MOST_NOTES)
      .map(async (recipient) => {
        const agent = recipient === read?.agent_id ? read : await tx.agent(recipient)
        if (agent === null) return []
        const why = explainNoWake(agent, mail, now) ?? (await heldBack(checks, agent, now))
        return why === null ? [] : [{ recipient, why }]
      }),
  )
  const not_woken = notes.flat()
  return not_woken.length === 0 ? {} : { not_woken }
}

/** Caches instances, because the agents mentioned in one entry usually belong to the same one. */
function readOnce(tx: Pick<Tx, 'instance'>): Tx['instance'] {
  const read = new Map<string, ReturnType<Tx['instance']>>()
  return (name) => {
    const found = read.get(name) ?? tx.instance(name)
    read.set(name, found)
    return found
  }
}

/** Returns why a workflow agent's runner won't start it now, or null if it will. Always null for other agents. */
export async function heldBack(
  tx: Omit<WakeChecks, 'agent'>,
  agent: SeenAgent,
  now: Instant,
): Promise<string | null> {
  const { agent_id, wake } = agent
  if (wake.runner === undefined) return null
  const instance = await tx.instance(wake.runner)
  return explainNoStart(agent, instance, now, (since) => tx.wakeHistory(agent_id, since))
}
