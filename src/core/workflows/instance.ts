// An instance is a named workflow or standalone agent, with its members, the location of its files, and the channel of
// its latest start. A runner holds it through a lease that is outside the log.

import { isRoleName } from '../agents/address.ts'
import type { Note } from '../note.ts'
import type { RowFrom } from '../shape.ts'
import type { Instant } from '../time.ts'
import type { INSTANCE_FIELDS, LEASE_FIELDS } from './instance-record.ts'

export const INSTANCE_MODES = ['run', 'start'] as const
export type InstanceMode = (typeof INSTANCE_MODES)[number]

/** Where the channel and documents are: in files, in a temporary place that's removed after the run, or nowhere. */
export const PROVIDERS = ['file', 'memory', 'none'] as const
export type Provider = (typeof PROVIDERS)[number]

/** How a run ends. `lost` means that its runner's lease lapsed. */
export const INSTANCE_ENDS = [
  'idle',
  'stopped',
  'no_kickoff',
  'timeout',
  'failed',
  'budget',
  'hops',
  'lost',
] as const
export type InstanceEnd = (typeof INSTANCE_ENDS)[number]

export type Instance = RowFrom<typeof INSTANCE_FIELDS>
export type Member = Instance['members'][number]

/** The part of an instance that is outside the log: the runner's lease, and where to reach the runner. */
export type RunnerLease = RowFrom<typeof LEASE_FIELDS>
export type HeldInstance = Instance & RunnerLease
export const RUNNER_LEASE: Note<{ instance: string } & RunnerLease> = { query: 'instance_keep' }

/** How long the runner's lease lasts. The runner renews it every five seconds. */
export const INSTANCE_LEASE_SECONDS = 20
export const INSTANCE_KEEP_MS = 5000

/** Whether a live runner holds the instance. */
export function isHeld(
  { state, expires_at }: Pick<HeldInstance, 'state' | 'expires_at'>,
  now: Instant,
): boolean {
  return state === 'running' && expires_at !== null && expires_at > now
}

/** Instances are named like agents, because NAME@INSTANCE is an agent id. */
export function isInstanceName(text: string): boolean {
  return isRoleName(text)
}

/** Whether this agent was asked to stop. */
export function isToStop(
  { stop_at, stop_agents }: Pick<Instance, 'stop_at' | 'stop_agents'>,
  agentId: string,
): boolean {
  return stop_at !== null && (stop_agents.length === 0 || stop_agents.includes(agentId))
}

export function isWhollyStopped(
  instance: Pick<Instance, 'members' | 'stop_at' | 'stop_agents'>,
): boolean {
  return instance.members.every(({ agent_id }) => isToStop(instance, agent_id))
}

/** Whether this agent was stopped individually and its turn is over. An instance counts as running until it ends. */
export function hasStopped(
  { state, stop_agents }: Pick<Instance, 'state' | 'stop_agents'>,
  agentId: string,
  status: string,
): boolean {
  return state === 'running' && stop_agents.includes(agentId) && status !== 'running'
}

export function memberOf(
  { members }: Pick<Instance, 'members'>,
  agentId: string,
): Member | undefined {
  return members.find(({ agent_id }) => agent_id === agentId)
}

/** The instance in an agent's id: the part after the @, or the whole id for a standalone agent. */
export function instanceIn(agentId: string): string {
  const at = agentId.indexOf('@')
  return at < 0 ? agentId : agentId.slice(at + 1)
}
