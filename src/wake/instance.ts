// The beginning, the keeping and the end of an instance's run, each in one transaction. Whoever runs it holds a lease
// beside the log: a second runner is refused while the first is heard of, and takes over once it is not.

import { isPerson, type WakeSettings } from '../core/agents/agent.ts'
import { quote, refuse } from '../core/error.ts'
import { SYSTEM } from '../core/event.ts'
import type { MakeId } from '../core/id.ts'
import { field, operation, sentence } from '../core/sentence.ts'
import type { Store, Tx } from '../core/store.ts'
import { type Instant, plusSeconds } from '../core/time.ts'
import { endChannel, openChannel } from '../core/workflows/channel.ts'
import {
  type HeldInstance,
  INSTANCE_LEASE_SECONDS,
  type Instance,
  type InstanceEnd,
  isHeld,
  memberOf,
  type RunnerLease,
} from '../core/workflows/instance.ts'
import type { InstanceFacts, StartedInstance } from '../core/workflows/instance-record.ts'
import { unknownInstance } from '../core/workflows/say.ts'
import { admitMembers, dismissOthers } from './members.ts'

export type BeginWish = Omit<StartedInstance, 'run' | 'thread_id' | 'generation' | 'stops'> & {
  /** The person or agent that runs it. */
  by: string
  /** Goes on in the channel of the run before. */
  resume?: boolean | undefined
  /** The token of a runner that is known to have ended: its lease keeps nobody out. */
  dead?: string | undefined
  /** How each agent is started, by its id. An agent without settings cannot be woken. */
  wake?: Record<string, WakeSettings> | undefined
  pid?: number | undefined
  log?: string | undefined
}

export type BegunInstance = {
  instance: Instance
  token: string
  resumed: boolean
  /** The run whose text the channel's file holds, where that is another one; null when nobody knows of any. */
  before: FormerRun | null
  /** Agents of the run before that take no part any more. They are off, and what they have not read is to bounce. */
  gone: string[]
}

export type FormerRun = Pick<Instance, 'instance' | 'run' | 'thread_id'>

export async function beginInstance(
  store: Store,
  makeId: MakeId,
  want: BeginWish,
): Promise<BegunInstance> {
  const token = makeId('lease')
  const thread_id = makeId('thread')
  const messageId = makeId('message')
  const { value } = await store.write(async (tx) => {
    // Names are locked before instances and threads, as everywhere.
    await tx.lockRecords()
    const held = await tx.lockInstance(want.instance)
    const now = await tx.now()
    if (held !== null) mustBeLeft(held, now, want.dead)
    const last = want.dir === '' ? null : await takeFolder(tx, want, now)
    await admitMembers(tx, want, now)
    const gone = held === null ? [] : await dismissOthers(tx, held, want, now)
    const { by, resume = false, dead: _dead, wake: _wake, pid = null, log = '', ...said } = want
    const before = resume ? null : held
    if (resume) await mustHaveRun(tx, held, want)
    if (before !== null && before.thread_id !== '') await endOld(tx, before.thread_id, by)
    const started: StartedInstance = {
      ...said,
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
    tx.keepInstance(want.instance, { ...leaseFrom(token, now), pid, log, socket: '', url: '' })
    const instance: Instance = {
      ...started,
      state: 'running',
      stop_at: null,
      stop_agents: [],
      started_at: now,
      ended_at: null,
      ended: '',
    }
    const isOwn = last?.instance === want.instance
    const isThere = last !== null && last.channel_file === want.channel_file && !(isOwn && resume)
    return { instance, token, resumed: resume, before: isThere ? formerOf(last) : null, gone }
  })
  return value
}

type LeaseOf = Pick<HeldInstance, 'instance' | 'token'>

/**
 * Renews the runner's lease, and tells where it is found. Null when the instance is not its own any more. The answer says
 * whether somebody asked for a stop.
 */
export async function keepInstance(
  store: Store,
  { instance, token }: LeaseOf,
  found: Partial<Pick<RunnerLease, 'pid' | 'log' | 'socket' | 'url'>> = {},
): Promise<HeldInstance | null> {
  const { value } = await store.write(async (tx) => {
    const held = await tx.lockInstance(instance)
    if (held === null || held.token !== token || held.state !== 'running') return null
    const { pid, log, socket, url } = held
    const lease = { pid, log, socket, url, ...found, ...leaseFrom(token, await tx.now()) }
    tx.keepInstance(instance, lease)
    return { ...held, ...lease }
  })
  return value
}

/** Ends a run once: false when it is over, or when the token is not its own. Its channel stays, to be resumed. */
export async function endInstance(
  store: Store,
  { instance, token }: LeaseOf,
  ended: InstanceEnd,
): Promise<boolean> {
  const { value } = await store.write(async (tx) => {
    const held = await tx.lockInstance(instance)
    if (held === null || held.token !== token || held.state !== 'running') return false
    const now = await tx.now()
    end(tx, held, ended, now)
    const { pid, log } = held
    tx.keepInstance(instance, { token, expires_at: null, pid, log, socket: '', url: '' })
    return true
  })
  return value
}

/** Asks a run to stop, or some of its agents. Runners and supervisors see it where they keep their leases. */
export async function askToStop(
  store: Store,
  want: { instance: string; agents?: readonly string[] | undefined; by: string },
): Promise<Instance> {
  const { value } = await store.write((tx) => stopIn(tx, want))
  return value
}

/**
 * The same in a transaction of the caller's. A run whose runner is not heard of any more, or holds the token of one that is
 * known to have ended, is over: nobody would obey.
 */
export async function stopIn(
  tx: Tx,
  {
    instance: name,
    agents = [],
    by,
    dead,
  }: {
    instance: string
    agents?: readonly string[] | undefined
    by: string
    dead?: string | undefined
  },
): Promise<Instance> {
  const held = await tx.lockInstance(name)
  if (held === null) throw unknownInstance(name)
  if (held.state === 'ended') {
    throw refuse(
      'invalid_state',
      sentence`${name} does not run; see ${operation('workflow list', { all: true })}`,
    )
  }
  for (const agent of agents) {
    if (memberOf(held, agent) !== undefined) continue
    throw refuse(
      'not_found',
      sentence`${agent} takes no part in ${name}; see ${operation('workflow list')}`,
    )
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
  tx.recordStoreEvent({ agent, at, summary: '', facts })
}

function end(tx: Tx, { instance, generation }: Instance, ended: InstanceEnd, at: Instant): void {
  const facts: InstanceFacts = { type: 'instance_end', instance, generation, ended }
  tx.recordStoreEvent({ agent: SYSTEM, at, summary: ended, facts })
}

/** Refuses an instance that a runner holds. */
export function mustBeLeft(held: HeldInstance, now: Instant, dead?: string): void {
  if (!isHeld(held, now) || held.token === dead) return
  const { instance, pid, expires_at } = held
  const who = pid === null ? '' : ` (process ${pid})`
  throw refuse(
    'lease_conflict',
    sentence`the instance ${instance} is running${who}; stop it with ${operation('workflow stop', { target: `@${instance}` })}, or name another instance`,
    { instance, pid, expires_at },
  )
}

/**
 * A folder has one run at a time, because channel.md and mcp.json are of one. Whoever runs there and is not heard of any
 * more has lost it. Answers with the last that began there.
 */
async function takeFolder(
  tx: Tx,
  { instance, dir }: BeginWish,
  now: Instant,
): Promise<HeldInstance | null> {
  const last = await tx.instanceInDir(dir)
  if (last === null || last.instance === instance) return last
  const other = await tx.lockInstance(last.instance)
  if (other === null || other.state === 'ended' || other.dir !== dir) return last
  if (!isHeld(other, now)) {
    end(tx, other, 'lost', now)
    return last
  }
  const { pid, expires_at } = other
  const target = other.standalone ? other.instance : `@${other.instance}`
  throw refuse(
    'lease_conflict',
    sentence`the instance ${other.instance} runs in the folder ${quote(dir)}, and a folder has one run at a time; put \${{ instance }} into context.config.dir, or stop it with ${operation('workflow stop', { target })}`,
    { instance: other.instance, dir, pid, expires_at },
  )
}

function formerOf({ instance, run, thread_id }: Instance): FormerRun {
  return { instance, run, thread_id }
}

async function mustHaveRun(
  tx: Tx,
  held: HeldInstance | null,
  { instance, provider }: BeginWish,
): Promise<void> {
  const isSame = held !== null && (held.provider === 'none') === (provider === 'none')
  // The channel may have been pruned.
  if (isSame && (held.thread_id === '' || (await tx.thread(held.thread_id)) !== null)) return
  throw refuse(
    'invalid_state',
    sentence`there is no run of ${instance} to go on with; run it without ${field('resume')}`,
    { instance },
  )
}

/** Mentions of agents in the channel of a run that is over are for nobody any more. Those of people stay. */
async function endOld(tx: Tx, threadId: string, by: string): Promise<void> {
  const locked = await tx.lock(threadId)
  if (locked === null || locked.state.thread.status !== 'open') return
  const unread = await tx.recipientsWaiting(threadId)
  const settles = unread.filter((one) => !isPerson(one))
  tx.record(locked.state, endChannel(locked.state, { by, settles }, locked.now))
}
