// The life of a wake: whether an agent should be woken now, and how its wake starts, keeps its lease and ends.
//
// (1) situationOf determines whether to wake the agent. Outside a transaction, its answer is a guess; inside one, under
//     the agent's lock, it's the truth. beginWake asks again under the lock.
// (2) Starting and ending a wake take one transaction each. No program starts before the start is committed, so a
//     broker that dies before that has started nothing.
// (3) Only the runner of an instance starts the agents of that workflow. A server next to the runner, or a second
//     runner that took over, never starts the same agent for the same mail.

import type { Agent, SeenAgent } from '../core/agents/agent.ts'
import { AGENTS } from '../core/agents/agent-record.ts'
import { SYSTEM } from '../core/event.ts'
import type { House } from '../core/house.ts'
import { tokenOfWake } from '../core/identity/token.ts'
import type { Reads, Store, Tx } from '../core/store.ts'
import { epochMs, type Instant, plusSeconds } from '../core/time.ts'
import { VOCABULARY } from '../core/vocabulary.ts'
import {
  WAKE_LEASE,
  WAKES,
  type Wake,
  type WakeCause,
  type WakeFacts,
} from '../core/waking/wake-record.ts'
import {
  BUDGET_SECONDS,
  inHandsUntil,
  isTooFar,
  isWaking,
  mayStart,
  mustRetryTimer,
  nextAttempt,
  type Ruling,
  type Verdict,
  type WakeHistory,
} from '../core/waking/waking.ts'
import { timerDue } from './schedule.ts'
import { LEASE_SECONDS } from './watch-program.ts'

export const NOT_ALLOWED =
  "its wake command was not set on this machine; see it and allow it with 'inbox wake allow'"

const PAGE = 200

/** The runner that a broker belongs to. */
export type Owner = {
  instance: string
  /** When the runner began. Failures before that don't count. */
  since: Instant
  /** Whether the runner still holds its instance. Checked in the transaction that begins a wake. */
  holds: (reads: Reads) => Promise<boolean>
}

export type Situation = {
  agent: SeenAgent
  now: Instant
  history: WakeHistory
  /** Why the agent would be started, if the ruling allows it. */
  cause: WakeCause | null
  mail: FoundMail
  /** When the agent's timer is due next. Can be in the past. */
  timer: Instant | null
  ruling: Ruling
}

type FoundMail = {
  count: number
  /** Messages that don't wake the agent because too many wakes lie between them and a person. */
  tooFar: number
  newestEvent: number
  /** The highest number of hops of any of the messages. */
  hops: number
  /** Whether any of the mail resumes an agent run. */
  resumes: boolean
  why: string
  /** When mail that the agent already fetched on its own may wake it after all. */
  again: Instant | null
}

const NO_MAIL: FoundMail = {
  count: 0,
  tooFar: 0,
  newestEvent: 0,
  hops: 0,
  resumes: false,
  why: '',
  again: null,
}

/** Reads everything that the agent's next wake depends on, as of now. */
export async function situationOf(
  reads: Reads,
  agentId: string,
  offsetMinutes: House['offsetMinutes'],
  owner?: Owner,
): Promise<Situation | null> {
  const [agent, now] = await Promise.all([reads.agent(agentId), reads.now()])
  if (agent === null) return null
  const all = await reads.wakeHistory(agentId, plusSeconds(now, -BUDGET_SECONDS))
  const history = historySince(all, owner)
  const isOpen = history.last !== null && history.last.ended_at === null
  const [mail, timer] = await Promise.all([
    // New mail doesn't matter during a turn; it's checked again when the turn ends.
    isOpen ? NO_MAIL : wakingMail(reads, agent, history.handed, now),
    timerDue(agent, history, now),
  ])
  // Any wake satisfies a due timer, so the timer wins over mail as the cause.
  const isDue = (timer !== null && timer <= now) || mustRetryTimer(agent, history)
  const forMail = mail.resumes ? 'workspace_event' : mail.count > 0 ? 'mail' : null
  const cause = isDue ? 'timer' : forMail
  const local = { now, offsetMinutes: offsetMinutes(epochMs(now)) }
  const ruling: Ruling =
    cause === null && !isOpen
      ? { wakes: false, why: mail.why, again: sooner(timer, mail.again) }
      : mayStart(agent, history, { cause: cause ?? 'mail', newestEvent: mail.newestEvent }, local)
  return { agent, now, history, cause, mail, timer, ruling }
}

export type NewWake = Pick<Wake, 'wake_id' | 'agent_id' | 'token' | 'cause' | 'attempt'> & {
  mail: number
  /** The program to start. */
  command: readonly string[]
}

type BeginContext = Pick<House, 'makeId' | 'offsetMinutes'> & { owner?: Owner | undefined }

/** Begins a wake if the rules still allow it. Null means they don't, which isn't a failure. */
export async function beginWake(
  store: Store,
  agentId: string,
  { makeId, offsetMinutes, owner }: BeginContext,
): Promise<NewWake | null> {
  const wake_id = makeId('wake')
  const token = makeId('lease')
  const { value } = await store.write(async (tx) => {
    await tx.lockRow(AGENTS, agentId)
    const situation = await situationOf(tx, agentId, offsetMinutes, owner)
    if (situation === null || situation.cause === null || !situation.ruling.wakes) return null
    const { agent, now, cause, mail, history } = situation
    if (!mayBrokerStart(agent, owner) || (await owner?.holds(tx)) === false) return null
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

/** Renews a wake's lease. False when the wake has ended or the token is wrong. */
export async function keepWake(
  store: Store,
  { wake_id, token }: Pick<Wake, 'wake_id' | 'token'>,
  from: Wake['state'],
): Promise<boolean> {
  const { value } = await store.write(async (tx) => {
    const wake = await tx.lockRow(WAKES, wake_id)
    if (wake === null || wake.token !== token || wake.state !== from) return false
    tx.keep(WAKE_LEASE, {
      wake_id,
      expires_at: plusSeconds(await tx.now(), LEASE_SECONDS),
    })
    return true
  })
  return value
}

export type WakeEnd = Pick<
  Extract<WakeFacts, { type: 'wake_end' }>,
  'state' | 'exit_code' | 'reason' | 'stderr'
> & { upto_event?: number }

/** Ends a wake once: a second call changes nothing and returns false. */
export async function endWake(
  store: Store,
  { wake_id, agent_id }: Pick<Wake, 'wake_id' | 'agent_id'>,
  isStill: (wake: Wake, now: Instant) => boolean,
  end: WakeEnd,
): Promise<boolean> {
  const { value } = await store.write(async (tx) => {
    // Every writer that issues or revokes tokens takes this lock first. The turn's token is revoked here too.
    await tx.lockRecords()
    await tx.lockRow(AGENTS, agent_id)
    const wake = await tx.lockRow(WAKES, wake_id)
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
      tx.recordStoreEvent({ agent: SYSTEM, at: now, facts: revoked })
    }
    if (agent !== null) declare(tx, agent, 'dormant', now)
    return true
  })
  return value
}

/** Ends a wake whose lease lapsed because its supervisor is gone. */
export function endLapsed(store: Store, wake: Wake): Promise<boolean> {
  const reason = wake.state === 'starting' ? 'nothing was started for it' : 'its supervisor is gone'
  const end = { state: 'lost', exit_code: null, reason, stderr: '' } as const
  return endWake(store, wake, ({ expires_at }, now) => expires_at <= now, end)
}

/** A runner starts the agents of its instance; every other broker starts agents that have no runner. */
export function mayBrokerStart(
  { wake }: Pick<Agent, 'wake'>,
  owner: Pick<Owner, 'instance'> | undefined,
): boolean {
  return wake.runner === owner?.instance
}

/** Drops a failure from before the runner began: it's no reason for the runner to wait or give up. */
export function historySince(
  history: WakeHistory,
  owner: Pick<Owner, 'since'> | undefined,
): WakeHistory {
  const { last } = history
  const isOld = owner !== undefined && last !== null && (last.ended_at ?? owner.since) < owner.since
  return isOld ? { ...history, last: null } : history
}

async function wakingMail(
  reads: Reads,
  agent: SeenAgent,
  handed: number,
  now: Instant,
): Promise<FoundMail> {
  let { count, tooFar, newestEvent, hops, resumes, again } = NO_MAIL
  let after = handed
  let verdict: Verdict = { wakes: false, why: 'there is no new mail that could wake it' }
  for (;;) {
    const page = await reads.wakeMail({ agent: agent.agent_id, after, limit: PAGE })
    for (const item of page) {
      const { event_id, kind, from_agent: from, hops: depth, agent_run_id } = item
      const mail = { ...item, type: VOCABULARY[kind].type, from }
      let one: Verdict = isWaking(agent, mail)
      // A runner's agent only works in turns, so mail shown to it elsewhere isn't being handled.
      const isAlone = agent.wake.runner === undefined
      const until = one.wakes && isAlone ? inHandsUntil(agent, item, now) : null
      if (until !== null) {
        one = { wakes: false, why: `${agent.agent_id} took its mail by itself, and was seen` }
        again = sooner(again, until)
      }
      if (one.wakes || !verdict.wakes) verdict = one
      if (!one.wakes && isTooFar(agent, depth)) tooFar += 1
      if (!one.wakes) continue
      count += 1
      newestEvent = event_id
      hops = Math.max(hops, depth)
      resumes ||= agent_run_id !== null
    }
    after = page.at(-1)?.event_id ?? after
    if (page.length < PAGE) {
      return { count, tooFar, newestEvent, hops, resumes, why: verdict.why, again }
    }
  }
}

function sooner(one: Instant | null, other: Instant | null): Instant | null {
  if (one === null || other === null) return one ?? other
  return one < other ? one : other
}

/** Doesn't change an agent that was declared off. */
function declare(tx: Tx, agent: Agent, status: 'running' | 'dormant', now: Instant): void {
  if (agent.declared_status === 'off') return
  const facts = { type: 'agent_declare', agent_id: agent.agent_id, status } as const
  tx.recordStoreEvent({ agent: SYSTEM, at: now, summary: status, facts })
}
