import { queueOf } from '../../core/agents/address.ts'
import { isOrchestrator, isPerson, ORCHESTRATOR, type SeenAgent } from '../../core/agents/agent.ts'
import { explainUncommon, type Party } from '../../core/inbox/direction.ts'
import { postIn } from '../../core/mail/mail.ts'
import type { Tx } from '../../core/store.ts'
import { epochMs, plusSeconds } from '../../core/time.ts'
import {
  BUDGET_SECONDS,
  type LocalTime,
  type Verdict,
  type WakingMail,
  wakesFor,
} from '../../core/waking/waking.ts'
import { heldBack } from '../inbox/not-woken.ts'
import { rehearseWrite, stamp } from '../kit/commit.ts'
import type { Context } from '../kit/operation.ts'
import { addressLetter, type Letter } from '../threads/letter.ts'
import type { ExpectedRecipient, MailSendAnswer } from './mail-send.ts'

/** Does everything that sending the letter would do, except commit, so not even the role's turn advances. */
export async function rehearse(context: Context, letter: Letter): Promise<MailSendAnswer> {
  const { store } = context
  const seen = await rehearseWrite(store, async (tx) => {
    const { state, now, posting } = await addressLetter(context, tx, letter)
    if (state !== null) postIn(state, posting, stamp(context, now))
    const mail = {
      type: letter.type ?? 'custom',
      from: letter.from,
      hops: posting.words.hops ?? 0,
    }
    const agents = new Map((await tx.agents({})).map((agent) => [agent.agent_id, agent]))
    const local = { now, offsetMinutes: context.offsetMinutes(epochMs(now)) }
    const would: ExpectedRecipient[] = []
    for (const recipient of posting.recipients) {
      const verdict = await wouldWake(tx, { recipient, agent: agents.get(recipient) }, mail, local)
      would.push({ recipient, ...verdict })
    }
    const party = (name: string) => partyOf(name, agents.get(name))
    return {
      would,
      uncommon: explainUncommon(mail.type, party(letter.from), posting.recipients.map(party)),
    }
  })
  return {
    message: null,
    recipients: seen.would.map(({ recipient }) => recipient),
    would: seen.would,
    ...(seen.uncommon === null ? {} : { uncommon: seen.uncommon }),
    next_event_id: await store.lastEventId(),
  }
}

function partyOf(name: string, agent: SeenAgent | undefined): Party {
  if (isPerson(name)) return 'person'
  const isTheirs = name === queueOf(ORCHESTRATOR) || isOrchestrator(name, agent ?? null)
  return isTheirs ? 'orchestrator' : 'agent'
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
    const held = await heldBack(tx, agent, local.now)
    return held === null ? { wakes, why } : { wakes: false, why: held }
  }
  const why = recipient.includes(':')
    ? 'no agent of the role is available; the first that becomes available takes it'
    : 'nothing is known about it except its name'
  return { wakes: false, why }
}
