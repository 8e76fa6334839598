// The beginning and the end of a wake, each in one transaction under the agent's lock. No program is
// started before the beginning is committed, so a broker that dies in between has started nothing.

import type { Agent } from '../core/agents/agent.ts'
import { SYSTEM } from '../core/event.ts'
import type { MakeId } from '../core/id.ts'
import { tokenOfWake } from '../core/identity/token.ts'
import type { Store, Tx } from '../core/store.ts'
import { type Instant, plusSeconds } from '../core/time.ts'
import { nextAttempt } from '../core/waking/retry.ts'
import type { Wake } from '../core/waking/wake.ts'
import type { WakeFacts } from '../core/waking/wake-record.ts'
import { isOwn, type Owner } from './owner.ts'
import { situationOf } from './situation.ts'
import { LEASE_SECONDS } from './watch-over.ts'

export const NOT_ALLOWED =
  "its wake command was not set on this machine; see it and allow it with 'inbox wake allow'"

export type NewWake = Pick<Wake, 'wake_id' | 'agent_id' | 'token' | 'cause' | 'attempt'> & {
  mail: number
  /** The program that starts. */
  command: readonly string[]
}

/** Begins a wake if the rules still allow it. Null means that they do not, which is no failure. */
export async function beginWake(
  store: Store,
  agentId: string,
  {
    makeId,
    offsetMinutes,
    owner,
  }: {
    makeId: MakeId
    offsetMinutes: (epochMs: number) => number
    owner?: Owner | undefined
  },
): Promise<NewWake | null> {
  const wake_id = makeId('wake')
  const token = makeId('lease')
  const { value } = await store.write(async (tx) => {
    await tx.lockAgent(agentId)
    const situation = await situationOf(tx, agentId, offsetMinutes, owner)
    if (situation === null || situation.cause === null || !situation.ruling.wakes) return null
    const { agent, now, cause, mail, history } = situation
    if (!isOwn(agent, owner) || (await owner?.holds(tx)) === false) return null
    const attempt = nextAttempt(agent, history)
    const facts: WakeFacts = {
      type: 'wake_start',
      wake_id,
      agent_id: agentId,
      cause,
      upto_event: Math.max(mail.newestEvent, history.handed),
      attempt,
      hops: mail.hops,
      token,
      expires_at: plusSeconds(now, LEASE_SECONDS),
    }
    tx.recordStoreEvent({ agent: SYSTEM, at: now, summary: situation.ruling.why, facts })
    declare(tx, agent, 'running', now)
    const { command = [] } = agent.wake
    return { wake_id, agent_id: agentId, token, cause, attempt, mail: mail.count, command }
  })
  return value
}

/** Renews a wake's lease. False when the wake is over, or when the token is not its own. */
export async function keepWake(
  store: Store,
  { wake_id, token }: Pick<Wake, 'wake_id' | 'token'>,
  from: Wake['state'],
): Promise<boolean> {
  const { value } = await store.write(async (tx) => {
    const wake = await tx.lockWake(wake_id)
    if (wake === null || wake.token !== token || wake.state !== from) return false
    tx.keepWake(wake_id, plusSeconds(await tx.now(), LEASE_SECONDS))
    return true
  })
  return value
}

export type End = Pick<
  Extract<WakeFacts, { type: 'wake_end' }>,
  'state' | 'exit_code' | 'reason' | 'stderr'
> & { upto_event?: number }

/** Ends a wake once: a second caller changes nothing and gets false. */
export async function endWake(
  store: Store,
  { wake_id, agent_id }: Pick<Wake, 'wake_id' | 'agent_id'>,
  isStill: (wake: Wake, now: Instant) => boolean,
  end: End,
): Promise<boolean> {
  const { value } = await store.write(async (tx) => {
    // All agents are locked first, as wherever tokens are issued or revoked: the turn's token ends here
    // too.
    await tx.lockRecords()
    await tx.lockAgent(agent_id)
    const wake = await tx.lockWake(wake_id)
    const [agent, token, now] = await Promise.all([
      tx.agent(agent_id),
      tx.token(tokenOfWake(wake_id)),
      tx.now(),
    ])
    if (wake === null || wake.ended_at !== null || !isStill(wake, now)) return false
    const upto_event = end.upto_event ?? wake.upto_event
    const facts: WakeFacts = { type: 'wake_end', wake_id, agent_id, ...end, upto_event }
    tx.recordStoreEvent({ agent: SYSTEM, at: now, summary: end.reason, facts })
    if (token !== null && token.revoked_at === null) {
      const { token_id } = token
      const revoked = { type: 'token_revoke', token_id } as const
      tx.recordStoreEvent({ agent: SYSTEM, at: now, summary: '', facts: revoked })
    }
    if (agent !== null) declare(tx, agent, 'dormant', now)
    return true
  })
  return value
}

/** Ends a wake whose supervisor is gone: its lease has lapsed. */
export function endLapsed(store: Store, wake: Wake): Promise<boolean> {
  const reason =
    wake.state === 'starting' ? 'nothing was started for it' : 'nobody watches over it any more'
  const end = { state: 'lost', exit_code: null, reason, stderr: '' } as const
  return endWake(store, wake, ({ expires_at }, now) => expires_at <= now, end)
}

/** An agent that was declared off stays off, whatever it does. */
function declare(tx: Tx, agent: Agent, status: 'running' | 'dormant', now: Instant): void {
  if (agent.declared_status === 'off') return
  const facts = { type: 'agent_declare', agent_id: agent.agent_id, status } as const
  tx.recordStoreEvent({ agent: SYSTEM, at: now, summary: status, facts })
}
