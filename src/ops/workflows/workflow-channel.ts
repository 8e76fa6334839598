import { standingOf } from '../../core/agents/agent.ts'
import type { Store } from '../../core/store.ts'
import type { Instant } from '../../core/time.ts'
import { nameIn } from '../../core/workflows/channel.ts'
import { type HeldInstance, hasStopped, isHeld, isToStop } from '../../core/workflows/instance.ts'
import { unknownInstance } from '../../core/workflows/say.ts'
import {
  type AnswerOf,
  type AnswerRecord,
  aFlag,
  aList,
  aNumber,
  aRecord,
  aText,
  CURSOR,
  orNull,
  pickShown,
} from '../kit/answer.ts'
import { name, required, self } from '../kit/field.ts'
import { query } from '../kit/operation.ts'
import { CHANNEL_VIEWER, personAtChannels } from './instance-access.ts'

const SAID = aRecord('member_words', 'its latest message here', {
  seq: aNumber('its place in the channel'),
  summary: aText('the first line'),
  created_at: aText('when'),
})

const MEMBER = aRecord('member', 'an agent that takes part', {
  name: aText('the name by which others mention it'),
  agent_id: aText('its name in the store'),
  backend: aText('what runs it'),
  model: aText('the model, or empty'),
  status: aText('running, idle, dormant, off or stopped'),
  evidence: aText('the kind of evidence'),
  since: orNull(aText('since when, or until when')),
  unread: aNumber('how many unread messages it has'),
  stopping: aFlag('whether it was asked to stop'),
  said: orNull(SAID),
})

export type MemberView = AnswerRecord<typeof MEMBER>

const INSTANCE = aRecord('instance', 'the instance', {
  instance: aText('its name'),
  run: aNumber('the number of its run, from 1'),
  workflow: aText('the name of the workflow'),
  source: aText('the file; empty for a standalone agent'),
  standalone: aFlag('whether it is a standalone agent'),
  mode: aText('run or start'),
  state: aText('running or ended'),
  ended: aText('how it ended, or empty'),
  provider: aText('where the channel and documents are: file, memory or none'),
  document: aText('the entry point of the documents'),
  thread_id: aText('the channel; empty without a context'),
  started_at: aText('since when'),
  ended_at: orNull(aText('until when')),
  stop_at: orNull(aText('when someone asked the whole run to stop')),
  kept: aFlag('whether a live runner holds it'),
})

export type InstanceView = AnswerRecord<typeof INSTANCE>

const OVERVIEW = {
  instance: INSTANCE,
  agents: aList(MEMBER, 'in the order of the file'),
  entries: aNumber('how many entries the channel has'),
  unread: aNumber('how many mentions of you are unread'),
  now: aText('the time of this answer'),
  next_event_id: CURSOR,
}

export type ChannelOverview = AnswerOf<typeof OVERVIEW>

export const workflowChannel = query({
  name: 'workflow channel',
  example: 'workflow channel pr-123',
  summary:
    'Show an instance at a glance: the state of its run, who is working, who has unread mail.',
  about:
    "For the entries use 'inbox workflow entries', and for documents 'inbox workflow context doc read'.",
  fields: {
    instance: required(name('the instance', { positional: true })),
    agent: self('the person looking', { leftOut: 'user' }),
  },
  ...CHANNEL_VIEWER,
  async run(context, input): Promise<ChannelOverview> {
    const { store } = context
    const person = personAtChannels(input.agent)
    const next_event_id = await store.lastEventId()
    const [found, now] = await Promise.all([store.instance(input.instance), store.now()])
    if (found === null) throw unknownInstance(input.instance)
    const threads = found.thread_id === '' ? [] : [found.thread_id]
    const [agents, standings, unread] = await Promise.all([
      membersOf(store, found, now),
      threads.length === 0 ? [] : store.channelStandings(threads),
      threads.length === 0 ? new Map<string, number>() : store.unreadInChannels(person, threads),
    ])
    return {
      instance: viewInstance(found, now),
      agents,
      entries: standings[0]?.entries ?? 0,
      unread: unread.get(found.thread_id) ?? 0,
      now,
      next_event_id,
    }
  },
  answer: OVERVIEW,
  lines: async (answer, page) => (await import('./drawing.ts')).drawChannelView(answer, page),
})

function viewInstance(found: HeldInstance, now: Instant): InstanceView {
  const stop_at = found.stop_agents.length === 0 ? found.stop_at : null
  return { ...pickShown(INSTANCE, found), stop_at, kept: isHeld(found, now) }
}

async function membersOf(store: Store, found: HeldInstance, now: Instant): Promise<MemberView[]> {
  const ids = found.members.map(({ agent_id }) => agent_id)
  const [agents, unread, said] = await Promise.all([
    Promise.all(ids.map((id) => store.agent(id))),
    store.unreadOfAgents(ids),
    store.lastSaid(ids),
  ])
  const words = new Map(said.map((one) => [one.from_agent, one]))
  return found.members.map(({ agent_id, backend, model }, at) => {
    const agent = agents[at] ?? null
    const standing = agent === null ? null : standingOf(agent, now)
    const status = standing?.status ?? 'dormant'
    const last = words.get(agent_id)
    return {
      name: nameIn(agent_id, found.instance),
      agent_id,
      backend,
      model,
      status: hasStopped(found, agent_id, status) ? 'stopped' : status,
      evidence: standing?.by ?? 'nothing',
      since: standing?.at ?? null,
      unread: unread.get(agent_id) ?? 0,
      stopping: found.state === 'running' && isToStop(found, agent_id),
      said: last?.thread_id === found.thread_id ? pickShown(SAID, last) : null,
    }
  })
}
