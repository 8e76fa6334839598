// Decides which events of the log a listener gets, by what it asked for and by what it may see.

import { EVENTS, type LoggedEvent } from '../../core/event.ts'
import { PUSHES } from '../../core/pushes/push-record.ts'
import type { Store } from '../../core/store.ts'
import type { Thread } from '../../core/threads/thread.ts'
import { recipientsIn } from '../../wake/shared-bell.ts'

export type TailFilter = {
  types?: readonly string[] | undefined
  thread?: string | undefined
  workspace?: string | undefined
  /** Limits the events of pushes to those from this workspace. */
  pushesFrom?: string | undefined
  /**
   * Limits the events to those that others cause in threads that the agent made or is assigned, as `watch`
   * shows them, and to its deliveries.
   */
  agent?: string | undefined
}

/** The facts that filters need and the log does not hold. Read only if some filter needs them. */
export type EventContext = {
  threads: Map<string, Thread>
  /** For each event, the names it concerns. */
  named: Map<number, readonly string[]>
  /** A push says which workspace it came from; later events about it do not. */
  workspaces: Map<string, string>
}

export async function contextOf(
  store: Store,
  events: LoggedEvent[],
  filters: readonly TailFilter[],
): Promise<EventContext> {
  const isAgentAsked = filters.some(({ agent }) => agent !== undefined)
  const [threads, workspaces, named] = await Promise.all([
    isAgentAsked ? threadsOf(store, events) : new Map(),
    workspacesOf(store, events, filters),
    isAgentAsked ? namedIn(store, events) : new Map(),
  ])
  return { threads, workspaces, named }
}

function threadIds(events: LoggedEvent[]): string[] {
  return [...new Set(events.map((event) => event.thread_id))].filter((id) => id !== '')
}

async function threadsOf(store: Store, events: LoggedEvent[]): Promise<Map<string, Thread>> {
  const states = await Promise.all(threadIds(events).map((id) => store.thread(id)))
  return new Map(states.flatMap((state) => (state ? [[state.thread.thread_id, state.thread]] : [])))
}

async function namedIn(
  store: Store,
  events: LoggedEvent[],
): Promise<Map<number, readonly string[]>> {
  // An event of the system that ends a delivery names the recipient, but gives nobody anything.
  const making = events.filter(({ event_type }) => EVENTS[event_type].by !== 'system')
  const names = making.map(async (one) => [one.event_id, await recipientsIn(store, one)] as const)
  return new Map(await Promise.all(names))
}

export async function workspacesOf(
  store: Store,
  events: LoggedEvent[],
  filters: readonly TailFilter[],
): Promise<Map<string, string>> {
  if (!filters.some(({ workspace, pushesFrom }) => workspace ?? pushesFrom)) return new Map()
  const pushes = await Promise.all(threadIds(events).map((id) => store.rowOf(PUSHES, id)))
  return new Map(pushes.flatMap((item) => (item ? [[item.thread_id, item.workspace_id]] : [])))
}

/** Whether a listener gets an event that it has not asked the store for itself. */
export function isFor(filter: TailFilter, event: LoggedEvent, known: EventContext): boolean {
  const { agent } = filter
  if (agent !== undefined) {
    const thread = known.threads.get(event.thread_id)
    const isParty =
      thread?.assigned_to === agent ||
      thread?.created_by === agent ||
      known.named.get(event.event_id)?.includes(agent)
    if (!isParty || event.agent === agent || EVENTS[event.event_type].quiet) return false
  }
  return isWanted(filter, event, known.workspaces)
}

/** The same for an event that the store has found for the listener's agent. */
export function isWanted(
  { types, thread, workspace, pushesFrom }: TailFilter,
  event: LoggedEvent,
  workspaces: Map<string, string>,
): boolean {
  if (types !== undefined && !types.includes(event.event_type)) return false
  const from = workspaces.get(event.thread_id)
  if (workspace !== undefined && from !== workspace) return false
  if (pushesFrom !== undefined && (from ?? pushesFrom) !== pushesFrom) return false
  return thread === undefined || event.thread_id === thread
}
