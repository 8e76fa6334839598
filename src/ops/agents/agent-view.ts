import { type Agent, type SeenAgent, type Standing, standingOf } from '../../core/agents/agent.ts'
import type { AgentNotes, LatestWords } from '../../core/agents/agent-reads.ts'
import { operation, refuse } from '../../core/error.ts'
import type { Principal } from '../../core/principal.ts'
import type { Store } from '../../core/store.ts'
import type { Instant } from '../../core/time.ts'
import { aFlag, aNumber, anything, aRow, aText, orNull, pickShown } from '../kit/answer.ts'
import { mayLookInto } from '../kit/authorise.ts'
import type { Context } from '../kit/operation.ts'

export type AgentView = Agent & {
  /** The status according to the evidence if there is any, or else the declared status. */
  status: Standing['status']
  evidence: Pick<Standing, 'by' | 'at'> &
    Pick<SeenAgent, 'seen_at' | 'waiting_until' | 'leased_until' | 'turn_at'>
  unread: number
  said: LatestWords | null
}

/** The latest progress message of each agent, except those the caller can't see: they may have been sent by mail. */
export async function notesFor(
  store: Store,
  viewer: Principal | undefined,
  [first, last]: readonly [string, string],
): Promise<AgentNotes> {
  const notes = await store.agentNotes(first, last)
  if (viewer === undefined) return notes
  // Loaded only at a server's doors, so that commands don't pay for it.
  const { sees } = await import('../inbox/visible-thread.ts')
  const said = await Promise.all(
    [...notes.said].map(async (one) => {
      const [, { thread_id, thread_kind: kind, thread_by: created_by }] = one
      return (await sees(store, viewer, { thread_id, kind, created_by })) ? [one] : []
    }),
  )
  return { ...notes, said: new Map(said.flat()) }
}

export async function seenAgent({ store, caller }: Context, agentId: string): Promise<AgentView> {
  const [agent, notes, now] = await Promise.all([
    store.agent(agentId),
    notesFor(store, caller.principal, [agentId, agentId]),
    store.now(),
  ])
  if (agent === null) throw unknownAgent(agentId)
  return viewAgent(agent, notes, { now, viewer: caller.principal })
}

export function unknownAgent(agentId: string) {
  return refuse.not_found`there is no agent ${agentId}; see ${operation('agent list')}, or have it registered with ${operation('agent register', { agent: agentId })}`
}

/** A server shows an agent's wake command and folder only to callers that may look into the agent. */
export function viewAgent(
  agent: SeenAgent,
  notes: AgentNotes,
  { now, viewer }: { now: Instant; viewer: Principal | undefined },
): AgentView {
  const { seen_at, waiting_until, leased_until, turn_at, wake: all, ...known } = agent
  const { command: _, cwd: __, ...plain } = all
  const wake = mayLookInto(viewer, agent.agent_id) ? all : plain
  const { status, by, at } = standingOf(agent, now)
  const said = notes.said.get(agent.agent_id)
  return {
    ...known,
    wake,
    status,
    evidence: { by, at, seen_at, waiting_until: waiting_until || null, leased_until, turn_at },
    unread: notes.unread.get(agent.agent_id) ?? 0,
    said: said === undefined ? null : pickShown(LATEST_WORDS, said),
  }
}

const LATEST_WORDS = aRow<LatestWords>('latest_words', 'its latest progress message', {
  message_id: aText('its id'),
  thread_id: aText('its thread'),
  summary: aText('what was said'),
  body: aText('the rest of it'),
  created_at: aText('when'),
})

export const AGENT = aRow<AgentView>('agent', 'the agent', {
  agent_id: aText('its name'),
  role: aText('its role, or empty'),
  instance: aText('the instance of a workflow it belongs to, or empty'),
  parent_agent_id: orNull(aText('who started it')),
  paired_person: orNull(aText('the person it works with')),
  source: aText('where it came from'),
  declared_status: orNull(aText('the declared status: running, idle, dormant or off')),
  declared_at: orNull(aText('when')),
  may_write_to_user: aFlag('whether it may write to people'),
  wake: anything('how it is woken: command, cwd, types, every_seconds, cron, quiet, …'),
  registered_at: aText('when it was registered'),
  updated_at: aText('when its settings last changed'),
  status: aText('running, idle, dormant or off, by evidence if there is any'),
  evidence: aRow<AgentView['evidence']>('evidence', 'the evidence for it', {
    by: aText('the kind of evidence'),
    at: orNull(aText('since when, or until when')),
    seen_at: orNull(aText('when it was last seen')),
    waiting_until: orNull(aText('until when it waits')),
    leased_until: orNull(aText('until when it holds a lease')),
    turn_at: orNull(aText('when its turn began')),
  }),
  unread: aNumber('how many unread messages it has'),
  said: orNull(LATEST_WORDS),
})
