// The record of an instance: what the log says of it. The runner's lease is beside the log.

import {
  AGENT,
  choice,
  FLAG,
  int,
  listOf,
  object,
  type Shape,
  type Shapes,
  text,
  word,
} from '../fact-shape.ts'
import type { PruneRule, StoreRecord } from '../record.ts'
import {
  INSTANCE_ENDS,
  INSTANCE_MODES,
  type Instance,
  type InstanceEnd,
  isInstanceName,
  type Member,
  PROVIDERS,
} from './instance.ts'

/** Everything about a run that its start says. */
export type StartedInstance = Omit<
  Instance,
  'state' | 'stop_at' | 'stop_agents' | 'started_at' | 'ended_at' | 'ended'
>

export type InstanceFacts =
  | ({ type: 'instance_start' } & StartedInstance)
  /** The agents are all that are to stop by now; none of them means all. */
  | { type: 'instance_stop'; instance: string; stops: number; agents: string[] }
  | { type: 'instance_end'; instance: string; generation: number; ended: InstanceEnd }

const NAME = word('the name of an instance', isInstanceName)
const PATH = text({ max: 4096, orEmpty: true })
const FIRST = int({ min: 1 })
const MEMBER: Shape<Member> = object<Member>({
  name: text({ max: 64 }),
  agent_id: AGENT,
  backend: text({ max: 64, orEmpty: true }),
  model: text({ max: 200, orEmpty: true }),
})

const STARTED: Shapes<StartedInstance> = {
  instance: NAME,
  run: FIRST,
  workflow: text({ max: 200 }),
  source: PATH,
  standalone: FLAG,
  mode: choice(INSTANCE_MODES),
  provider: choice(PROVIDERS),
  dir: PATH,
  channel_file: PATH,
  document: PATH,
  documents: listOf(text({ max: 4096 }), 0),
  members: listOf(MEMBER, 1),
  thread_id: { is: 'id', orEmpty: true },
  generation: FIRST,
  stops: int({ min: 0 }),
}

export const INSTANCES: StoreRecord<Instance, InstanceFacts> & { prune: PruneRule } = {
  table: 'instances',
  one: 'instance',
  key: 'instance',
  columns: {
    instance: 'plain',
    run: 'plain',
    workflow: 'plain',
    source: 'plain',
    standalone: 'flag',
    mode: 'plain',
    state: 'plain',
    provider: 'plain',
    dir: 'plain',
    channel_file: 'plain',
    document: 'plain',
    documents: { json: 'documents_json' },
    members: { json: 'members_json' },
    thread_id: 'plain',
    generation: 'plain',
    stops: 'plain',
    stop_at: 'plain',
    stop_agents: 'words',
    started_at: 'plain',
    ended_at: 'plain',
    ended: 'plain',
  },
  events: {
    instance_start: {
      facts: STARTED,
      makes: ({ type: _, ...started }, { at }) => ({
        ...started,
        state: 'running',
        stop_at: null,
        stop_agents: [],
        started_at: at,
        ended_at: null,
        ended: '',
      }),
      // A new start says everything anew.
      keeps: [],
    },
    instance_stop: {
      facts: { instance: NAME, stops: FIRST, agents: listOf(AGENT, 0) },
      changes: ({ stops, agents }, { at }) => ({ stops, stop_at: at, stop_agents: agents }),
    },
    instance_end: {
      facts: { instance: NAME, generation: FIRST, ended: choice(INSTANCE_ENDS) },
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
