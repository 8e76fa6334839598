// What sending would do, and whom it would wake, without doing it.

import { queueOf } from '../core/address.ts'
import { isPerson, ORCHESTRATOR, type SeenAgent } from '../core/agent.ts'
import { type Party, uncommon } from '../core/direction.ts'
import { postIn } from '../core/mail.ts'
import type { Tx } from '../core/store.ts'
import { epochMs, plusSeconds } from '../core/time.ts'
import {
  BUDGET_SECONDS,
  type LocalTime,
  type Verdict,
  type WakingMail,
  wakesFor,
} from '../core/waking.ts'
import { addressed, type Letter } from './letter.ts'
import type { Sent, WouldGet } from './mail-send.ts'
import { type Context, moment } from './operation.ts'

/** Everything as if it were sent, up to the commit: even whose turn it is stays as it was. */
export async function rehearse(context: Context, letter: Letter): Promise<Sent> {
  const { store } = context
  const done = new Rehearsed()
  try {
    await store.write(async (tx) => {
      const { state, now, posting } = await addressed(tx, letter)
      if (state !== null) postIn(state, posting, moment(context, now))
      const mail = {
        type: letter.type ?? 'custom',
        from: letter.from,
        hops: posting.words.hops ?? 0,
      }
      const agents = new Map((await tx.agents({})).map((agent) => [agent.agent_id, agent]))
      const local = { now, offsetMinutes: context.offsetMinutes(epochMs(now)) }
      for (const recipient of posting.recipients) {
        const would = await wouldWake(tx, { recipient, agent: agents.get(recipient) }, mail, local)
        done.would.push({ recipient, ...would })
      }
      const party = (name: string) => partyOf(name, agents.get(name))
      done.uncommon = uncommon(mail.type, party(letter.from), posting.recipients.map(party))
      throw done
    })
  } catch (error) {
    if (error !== done) throw error
  }
  const recipients = done.would.map(({ recipient }) => recipient)
  return {
    message: null,
    recipients,
    would: done.would,
    ...(done.uncommon === null ? {} : { uncommon: done.uncommon }),
    next_event_id: await store.lastEventId(),
  }
}

function partyOf(name: string, agent: SeenAgent | undefined): Party {
  if (isPerson(name)) return 'person'
  const isOrchestrator = agent?.role === ORCHESTRATOR || name === queueOf(ORCHESTRATOR)
  return isOrchestrator || name === ORCHESTRATOR ? 'orchestrator' : 'agent'
}

/** Thrown to undo a transaction that was only to be seen. */
class Rehearsed extends Error {
  would: WouldGet[] = []
  uncommon: string | null = null
}

async function wouldWake(
  tx: Tx,
  { recipient, agent }: { recipient: string; agent: SeenAgent | undefined },
  mail: WakingMail,
  local: LocalTime,
): Promise<Verdict> {
  if (isPerson(recipient)) return { wakes: false, why: `${recipient} is a person` }
  if (agent !== undefined) {
    const history = await tx.wakeHistory(recipient, plusSeconds(local.now, -BUDGET_SECONDS))
    const { wakes, why } = wakesFor(agent, mail, history, local)
    return { wakes, why }
  }
  const why = recipient.includes(':')
    ? 'nobody of the role is available; the first who comes takes it'
    : 'nothing is known of it but its name'
  return { wakes: false, why }
}
