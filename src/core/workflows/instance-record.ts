// The record of an instance as it's stored in the log. The runner's lease is outside the log.

import type { PruneRule, RecordOf, StoreRecord } from '../record.ts'
import {
  AGENT,
  choice,
  type FactsOf,
  FLAG,
  ID_OR_EMPTY,
  INSTANT,
  int,
  listOf,
  nullOr,
  object,
  pick,
  text,
  word,
} from '../shape.ts'
import {
  type HeldInstance,
  INSTANCE_ENDS,
  INSTANCE_MODES,
  type Instance,
  isInstanceName,
  PROVIDERS,
} from './instance.ts'

const PATH = text({ max: 4096, orEmpty: true })

const MEMBER = object({
  /** The agent's name in the workflow file, which others use to mention it. */
  name: text({ max: 64 }),
  /** NAME@INSTANCE, or just the name for a standalone agent. */
  agent_id: AGENT,
  backend: text({ max: 64, orEmpty: true }),
  /** Empty if the backend chooses. */
  model: text({ max: 200, orEmpty: true }),
})

export const INSTANCE_FIELDS = {
  instance: word('the name of an instance', isInstanceName),
  /** Counts the runs, from 1. Resuming continues the same run. */
  run: int({ min: 1 }),
  workflow: text({ max: 200 }),
  /** The workflow file; empty for a standalone agent. */
  source: PATH,
  standalone: FLAG,
  mode: choice(INSTANCE_MODES),
  state: choice(['running', 'ended']),
  provider: choice(PROVIDERS),
  /** The absolute path of the folder with the channel and documents; empty if the instance has no context. */
  dir: PATH,
  channel_file: PATH,
  /** The entry point of the documents. */
  document: PATH,
  documents: listOf(text({ max: 4096 }), 0),
  members: listOf(MEMBER, 1),
  /** The channel of the run; empty if the instance has no context. */
  thread_id: ID_OR_EMPTY,
  /** How many times a runner has taken the instance. */
  generation: int({ min: 1 }),
  /** Counts the requests to stop the instance. */
  stops: int({ min: 0 }),
  /** The time of the latest stop request in this run; null if there is none. */
  stop_at: nullOr(INSTANT),
  /** The agents to stop. If `stop_at` is set, an empty list means all. */
  stop_agents: listOf(AGENT, 0),
  started_at: INSTANT,
  ended_at: nullOr(INSTANT),
  /** Empty during the run. */
  ended: choice(['', ...INSTANCE_ENDS]),
}

export const LEASE_FIELDS = {
  token: text({ orEmpty: true }),
  expires_at: nullOr(INSTANT),
  pid: nullOr(int({})),
  log: text({ orEmpty: true }),
  socket: text({ orEmpty: true }),
  url: text({ orEmpty: true }),
}

const FACTS = {
  /** What the start event records about a run. */
  instance_start: pick(
    INSTANCE_FIELDS,
    'instance',
    'run',
    'workflow',
    'source',
    'standalone',
    'mode',
    'provider',
    'dir',
    'channel_file',
    'document',
    'documents',
    'members',
    'thread_id',
    'generation',
    'stops',
  ),
  /** All agents that were asked to stop so far; an empty list means all agents of the instance. */
  instance_stop: {
    ...pick(INSTANCE_FIELDS, 'instance'),
    stops: int({ min: 1 }),
    agents: listOf(AGENT, 0),
  },
  instance_end: {
    ...pick(INSTANCE_FIELDS, 'instance', 'generation'),
    ended: choice(INSTANCE_ENDS),
  },
}
export type InstanceFacts = FactsOf<typeof FACTS>
export type StartedInstance = Omit<Extract<InstanceFacts, { type: 'instance_start' }>, 'type'>

export const INSTANCES: StoreRecord<Instance, InstanceFacts> & { prune: PruneRule } = {
  table: 'instances',
  one: 'instance',
  key: 'instance',
  fields: INSTANCE_FIELDS,
  facts: FACTS,
  events: {
    instance_start: {
      makes: (facts, { at }) => ({
        ...facts,
        state: 'running',
        stop_agents: [],
        started_at: at,
        ended: '',
      }),
      // A new start replaces every field.
      keeps: [],
    },
    instance_stop: {
      changes: ({ stops, agents }, { at }) => ({ stops, stop_at: at, stop_agents: agents }),
    },
    instance_end: {
      changes: ({ ended }, { at }) => ({ state: 'ended', ended_at: at, ended }),
    },
  },
  prune: { query: 'instances_prunable' },
  mustFollow(before, facts) {
    if (facts.type === 'instance_start') {
      if (before?.state === 'running') throw new Error('it starts an instance that runs')
      const generation = (before?.generation ?? 0) + 1
      if (facts.generation !== generation) {
        throw new Error(
          `it is start ${facts.generation} of the instance, where ${generation} is next`,
        )
      }
      const runs = before === null ? [1] : [before.run, before.run + 1]
      if (!runs.includes(facts.run)) throw new Error(`run ${facts.run} cannot come next`)
      if (facts.stops !== (before?.stops ?? 0)) throw new Error('it counts the stops wrongly')
      return
    }
    if (before?.state !== 'running') throw new Error(`${facts.type} of an instance that has ended`)
    if (facts.type === 'instance_stop') {
      if (facts.stops !== before.stops + 1) throw new Error('it counts the stops wrongly')
      return
    }
    if (facts.generation !== before.generation) throw new Error('it ends another start')
  },
  admit(facts) {
    if (facts.type !== 'instance_start') return
    const { members, standalone, instance } = facts
    for (const { name, agent_id } of members) {
      const id = standalone ? name : `${name}@${instance}`
      if (agent_id !== id) throw new Error(`the agent ${agent_id} cannot be its ${name}`)
    }
  },
}

/** Rows of instances with the runner's lease, which is outside the log. */
export const HELD_INSTANCES: RecordOf<HeldInstance> = {
  table: INSTANCES.table,
  one: 'held instance',
  key: INSTANCES.key,
  fields: { ...INSTANCE_FIELDS, ...LEASE_FIELDS },
}
