// A sender is told which recipients may be asleep and sleep on, as a note beside the answer.

import { isRole } from '../../core/agents/address.ts'
import { isPerson, type SeenAgent } from '../../core/agents/agent.ts'
import type { SpokenEvent } from '../../core/event.ts'
import { deliveriesOf } from '../../core/inbox/delivery-steps.ts'
import type { Tx } from '../../core/store.ts'
import type { Instant } from '../../core/time.ts'
import { VOCABULARY } from '../../core/vocabulary.ts'
import { sleepsThrough } from '../../core/waking/waking.ts'
import { aList, aRecord, aText, maybe } from '../kit/answer.ts'

/** A message to everybody tells of these, and not of all. */
const MOST_NOTES = 20

type SleepingRecipient = { recipient: string; why: string }

/** An answer has it only if there is somebody to tell of. */
export type NotWoken = { not_woken?: SleepingRecipient[] }

export const NOT_WOKEN = maybe(
  aList(
    aRecord<SleepingRecipient>('not woken', 'one that may be asleep', {
      recipient: aText('who'),
      why: aText('why this does not wake it, and what would'),
    }),
    'who may be asleep, and is not woken by a message of this type',
  ),
)

/**
 * The recipients of this message that may be asleep and that its type does not wake. A caller that has read the likely
 * recipient together with its own questions hands it in, which saves a round trip.
 */
export async function notWoken(
  tx: Pick<Tx, 'agent'>,
  event: SpokenEvent,
  now: Instant,
  read: SeenAgent | null = null,
): Promise<NotWoken> {
  const { kind, from_agent: from, hops } = event.message
  const mail = { type: VOCABULARY[kind].type, from, hops }
  const agents = await Promise.all(
    deliveriesOf(event)
      .map(({ recipient }) => recipient)
      .filter((one) => !isPerson(one) && !isRole(one))
      .slice(0, MOST_NOTES)
      .map((one) => (one === read?.agent_id ? read : tx.agent(one))),
  )
  const not_woken = agents.flatMap((agent) => {
    const why = agent && sleepsThrough(agent, mail, now)
    return agent === null || why === null ? [] : [{ recipient: agent.agent_id, why }]
  })
  return not_woken.length === 0 ? {} : { not_woken }
}
