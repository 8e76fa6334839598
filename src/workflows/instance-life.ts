// The life of an instance under a runner: start, lease, stop and end, each in one transaction. The runner holds a lease
// outside the log: a second runner is refused while the lease is live, and takes over once it has lapsed.

import { type Agent, isPerson, type WakeSettings } from '../core/agents/agent.ts'
import { field, operation, quote, Refusal, refuse, sentence } from '../core/error.ts'
import { SYSTEM } from '../core/event.ts'
import type { MakeId } from '../core/id.ts'
import type { Store, Tx } from '../core/store.ts'
import { type Instant, plusSeconds } from '../core/time.ts'
import { endChannel, openChannel } from '../core/workflows/channel.ts'
import {
  type HeldInstance,
  INSTANCE_LEASE_SECONDS,
  type Instance,
  type InstanceEnd,
  isHeld,
  type Member,
  memberOf,
  RUNNER_LEASE,
  type RunnerLease,
} from '../core/workflows/instance.ts'
import {
  HELD_INSTANCES,
  type InstanceFacts,
  type StartedInstance,
} from '../core/workflows/instance-record.ts'
import { unknownInstance } from '../core/workflows/say.ts'

export type BeginWish = Omit<StartedInstance, 'run' | 'thread_id' | 'generation' | 'stops'> & {
  by: string
  /** Whether to continue in the channel of the previous start. */
  resume?: boolean | undefined
  /** The token of a runner that is known to be dead: its lease is ignored. */
  dead?: string | undefined
  /** How each agent is started, by agent id. An agent without settings can't be woken. */
  wake?: Record<string, WakeSettings> | undefined
  pid?: number | undefined
  log?: string | undefined
}

export type BegunInstance = {
  instance: Instance
  token: string
  resumed: boolean
  /** The earlier start whose entries are in the channel file. Null if unknown, or if they're from this start. */
  before: FormerStart | null
  /** Agents that the file no longer names. They're off now, and their unread mail should bounce. */
  gone: string[]
}

export type FormerStart = Pick<Instance, 'instance' | 'run' | 'thread_id'>

export async function beginInstance(
  store: Store,
  makeId: MakeId,
  want: BeginWish,
): Promise<BegunInstance> {
  const token = makeId('lease')
  const thread_id = makeId('thread')
  const messageId = makeId('message')
  const { value } = await store.write(async (tx) => {
    // Lock order everywhere: names first, then instances and threads.
    await tx.lockRecords()
    const held = await tx.lockRow(HELD_INSTANCES, want.instance)
    const now = await tx.now()
    if (held !== null) mustNotBeHeld(held, now, want.dead)
    const last = want.dir === '' ? null : await takeFolder(tx, want, now)
    for (const member of want.members) await admitMember(tx, want, member, now)
    const gone = held === null ? [] : await dismissOthers(tx, held, want, now)
    const { by, resume = false, dead: _dead, wake: _wake, pid = null, log = '', ...settings } = want
    const before = resume ? null : held
    if (resume) await mustHaveStarted(tx, held, want)
    if (before !== null && before.thread_id !== '') await endOld(tx, before.thread_id, by)
    const started: StartedInstance = {
      ...settings,
      run: (held?.run ?? 0) + (resume ? 0 : 1),
      thread_id: want.provider === 'none' ? '' : resume ? (held?.thread_id ?? '') : thread_id,
      generation: (held?.generation ?? 0) + 1,
      stops: held?.stops ?? 0,
    }
    if (held?.state === 'running') end(tx, held, 'lost', now)
    if (!resume && started.thread_id !== '') {
      tx.record(null, openChannel(started, { now, messageId, artifactIds: [] }))
    }
    record(tx, by, now, { type: 'instance_start', ...started })
    tx.keep(RUNNER_LEASE, {
      instance: want.instance,
      ...leaseFrom(token, now),
      pid,
      log,
      socket: '',
      url: '',
    })
    const instance: Instance = {
      ...started,
      state: 'running',
      stop_at: null,
      stop_agents: [],
      started_at: now,
      ended_at: null,
      ended: '',
    }
    const mayBrokerStart = last?.instance === want.instance
    const isThere =
      last !== null && last.channel_file === want.channel_file && !(mayBrokerStart && resume)
    return { instance, token, resumed: resume, before: isThere ? formerOf(last) : null, gone }
  })
  return value
}

type LeaseOf = Pick<HeldInstance, 'instance' | 'token'>

/**
 * Renews the runner's lease and records where to reach the runner. Returns null if the runner no longer holds the
 * instance. The returned instance says whether a stop was requested.
 */
export async function keepInstance(
  store: Store,
  { instance, token }: LeaseOf,
  found: Partial<Pick<RunnerLease, 'pid' | 'log' | 'socket' | 'url'>> = {},
): Promise<HeldInstance | null> {
  const { value } = await store.write(async (tx) => {
    const held = await tx.lockRow(HELD_INSTANCES, instance)
    if (held === null || held.token !== token || held.state !== 'running') return null
    const { pid, log, socket, url } = held
    const lease = { pid, log, socket, url, ...found, ...leaseFrom(token, await tx.now()) }
    tx.keep(RUNNER_LEASE, { instance, ...lease })
    return { ...held, ...lease }
  })
  return value
}

/** Ends a start. Returns false if it had already ended or the token is wrong. The channel can still be resumed. */
export async function endInstance(
  store: Store,
  { instance, token }: LeaseOf,
  ended: InstanceEnd,
): Promise<boolean> {
  const { value } = await store.write(async (tx) => {
    const held = await tx.lockRow(HELD_INSTANCES, instance)
    if (held === null || held.token !== token || held.state !== 'running') return false
    const now = await tx.now()
    end(tx, held, ended, now)
    const { pid, log } = held
    tx.keep(RUNNER_LEASE, { instance, token, expires_at: null, pid, log, socket: '', url: '' })
    return true
  })
  return value
}

export type StopWish = {
  instance: string
  /** The agents to stop. If left out or empty, the whole instance is stopped. */
  agents?: readonly string[] | undefined
  by: string
  /** The token of a runner that is known to be dead: its lease is ignored. */
  dead?: string | undefined
}

/** Asks an instance, or some of its agents, to stop. Runners and supervisors see this when they renew their leases. */
export async function askToStop(store: Store, wish: StopWish): Promise<Instance> {
  const { value } = await store.write((tx) => stopIn(tx, wish))
  return value
}

/**
 * Like askToStop, but in the caller's transaction. If the runner's lease has lapsed or the runner is known to be dead,
 * the start ends right here, because no process is left to obey.
 */
export async function stopIn(
  tx: Tx,
  { instance: name, agents = [], by, dead }: StopWish,
): Promise<Instance> {
  const held = await tx.lockRow(HELD_INSTANCES, name)
  if (held === null) throw unknownInstance(name)
  if (held.state === 'ended')
    throw refuse.invalid_state`${name} does not run; see ${operation('workflow list', { all: true })}`
  for (const agent of agents) {
    if (memberOf(held, agent) !== undefined) continue
    throw refuse.not_found`${agent} takes no part in ${name}; see ${operation('workflow list')}`
  }
  const now = await tx.now()
  const wasAll = held.stop_at !== null && held.stop_agents.length === 0
  const all = wasAll || agents.length === 0
  const stopped = all ? [] : [...new Set([...held.stop_agents, ...agents])]
  if (all && (!isHeld(held, now) || held.token === dead)) {
    end(tx, held, 'lost', now)
    return { ...held, state: 'ended', ended_at: now, ended: 'lost' }
  }
  const stops = held.stops + 1
  record(tx, by, now, { type: 'instance_stop', instance: name, stops, agents: stopped })
  return { ...held, stops, stop_at: now, stop_agents: stopped }
}

function leaseFrom(token: string, now: Instant) {
  return { token, expires_at: plusSeconds(now, INSTANCE_LEASE_SECONDS) }
}

function record(tx: Tx, agent: string, at: Instant, facts: InstanceFacts): void {
  tx.recordStoreEvent({ agent, at, facts })
}

function end(tx: Tx, { instance, generation }: Instance, ended: InstanceEnd, at: Instant): void {
  const facts: InstanceFacts = { type: 'instance_end', instance, generation, ended }
  tx.recordStoreEvent({ agent: SYSTEM, at, summary: ended, facts })
}

export function mustNotBeHeld(held: HeldInstance, now: Instant, dead?: string): void {
  if (!isHeld(held, now) || held.token === dead) return
  const { instance, pid, expires_at } = held
  const who = pid === null ? '' : ` (process ${pid})`
  throw new Refusal(
    'lease_conflict',
    sentence`the instance ${instance} is running${who}; stop it with ${operation('workflow stop', { target: `@${instance}` })}, or name another instance`,
    { instance, pid, expires_at },
  )
}

/**
 * Only one instance can run in a folder at a time, because there's one channel.md and one mcp.json. An instance whose
 * runner's lease has lapsed loses the folder. Returns the last instance that started there.
 */
async function takeFolder(
  tx: Tx,
  { instance, dir }: BeginWish,
  now: Instant,
): Promise<HeldInstance | null> {
  const last = await tx.instanceInDir(dir)
  if (last === null || last.instance === instance) return last
  const other = await tx.lockRow(HELD_INSTANCES, last.instance)
  if (other === null || other.state === 'ended' || other.dir !== dir) return last
  if (!isHeld(other, now)) {
    end(tx, other, 'lost', now)
    return last
  }
  const { pid, expires_at } = other
  const target = other.standalone ? other.instance : `@${other.instance}`
  throw new Refusal(
    'lease_conflict',
    sentence`the instance ${other.instance} runs in the folder ${quote(dir)}, and a folder has one run at a time; put \${{ instance }} into context.config.dir, or stop it with ${operation('workflow stop', { target })}`,
    { instance: other.instance, dir, pid, expires_at },
  )
}

function formerOf({ instance, run, thread_id }: Instance): FormerStart {
  return { instance, run, thread_id }
}

async function mustHaveStarted(
  tx: Tx,
  held: HeldInstance | null,
  { instance, provider }: BeginWish,
): Promise<void> {
  const isSame = held !== null && (held.provider === 'none') === (provider === 'none')
  // The channel may have been pruned since.
  if (isSame && (held.thread_id === '' || (await tx.thread(held.thread_id)) !== null)) return
  throw new Refusal(
    'invalid_state',
    sentence`there is no run of ${instance} to resume; run it without ${field('resume')}`,
    { instance },
  )
}

/** Ends the old channel and settles the unread mentions of agents in it. Mentions of people stay unread. */
async function endOld(tx: Tx, threadId: string, by: string): Promise<void> {
  const locked = await tx.lock(threadId)
  if (locked === null || locked.state.thread.status !== 'open') return
  const unread = await tx.recipientsWaiting(threadId)
  const settles = unread.filter((one) => !isPerson(one))
  tx.record(locked.state, endChannel(locked.state, { by, settles }, locked.now))
}

/** Turns off agents that the file no longer names, so that no one starts them or waits for them. */
async function dismissOthers(
  tx: Tx,
  { members }: Instance,
  want: BeginWish,
  now: Instant,
): Promise<string[]> {
  const gone: string[] = []
  for (const { agent_id } of members) {
    const known = memberOf(want, agent_id) === undefined ? await tx.agent(agent_id) : null
    if (known?.wake.runner !== want.instance) continue
    register(tx, want.by, now, { ...known, wake: {} })
    declare(tx, agent_id, 'off', now)
    gone.push(agent_id)
  }
  return gone
}

/** Registers a member as an agent that is on and that only this instance's runner starts. */
async function admitMember(
  tx: Tx,
  { by, instance, wake: settings = {} }: BeginWish,
  { agent_id }: Member,
  now: Instant,
): Promise<void> {
  const known = await tx.agent(agent_id)
  if (known !== null && known.wake.command !== undefined && known.wake.runner !== instance) {
    throw new Refusal(
      'invalid_state',
      sentence`${agent_id} is an agent with a wake command of its own; give the workflow's agent another name, or take the command back with ${operation('agent register', { agent: agent_id, wake_command: 'none' })}`,
      { agent_id },
    )
  }
  const wake = { ...settings[agent_id], runner: instance }
  if (known === null || JSON.stringify(known.wake) !== JSON.stringify(wake)) {
    register(tx, by, now, { ...known, agent_id, wake })
  }
  if (known?.declared_status === 'off') declare(tx, agent_id, 'dormant', now)
}

function register(
  tx: Tx,
  by: string,
  now: Instant,
  known: Partial<Agent> & Pick<Agent, 'agent_id' | 'wake'>,
): void {
  const { agent_id, wake, role = '', parent_agent_id = null, paired_person = null } = known
  const { source = 'workflow', may_write_to_user = false } = known
  const fields = { role, parent_agent_id, paired_person, source, may_write_to_user, wake }
  const facts = { type: 'agent_register', agent_id, ...fields } as const
  tx.recordStoreEvent({ agent: by, at: now, facts })
}

function declare(tx: Tx, agent_id: string, status: 'off' | 'dormant', now: Instant): void {
  const facts = { type: 'agent_declare', agent_id, status } as const
  tx.recordStoreEvent({ agent: SYSTEM, at: now, summary: status, facts })
}
