// The log as it grows, for many listeners at once. One tail reads it once and hands each event to every
// listener that wants it. A listener with a cursor first gets what it has missed, from the store, and then
// joins.
//
// (1) A listener gets each event that it may and wants to see once, in the order of the log.
// (2) It joins at the very moment at which it has caught up, so nothing falls in between.
// (3) A listener that cannot go on, because its cursor was pruned or belongs to another log, is told to
//     start over.
// (4) Facts do not go out, because they carry what proves a lease.

import type { Bell } from '../../core/bell.ts'
import { Refusal } from '../../core/error.ts'
import { EVENTS, type EventView, type LoggedEvent, QUIET_EVENTS } from '../../core/event.ts'
import { isWhole } from '../../core/page-bytes.ts'
import type { Principal } from '../../core/principal.ts'
import { PUSHES } from '../../core/pushes/push-record.ts'
import type { Thread } from '../../core/threads/thread.ts'
import { recipientsIn } from '../../wake/concerned.ts'
import { rest } from '../../wake/rest.ts'
import { waitFor } from '../../wake/wait.ts'
import type { House } from '../call.ts'
import { mustStillBeGood } from '../identity/identify.ts'
import { makeTokenEnds } from '../identity/token-ends.ts'
import { viewEvent } from '../inbox/view.ts'

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

export type Listener = {
  /** Takes one event, whose text is the same for all. */
  take(event: EventView): void
  /** The earlier events cannot be had: the listener goes on from here. */
  reset(from: number, why: string): void
  /** There was nothing more up to here. */
  reached(cursor: number): void
  /** Resolves when there is room for more; used for events that are read for one listener alone. */
  ready(): Promise<void>
}

export type Tail = {
  listen(
    want: { after?: number | undefined; filter: TailFilter },
    to: Listener,
  ): Promise<() => void>
  /** Calls `over` when this caller's token is revoked or expires, until the returned function is called. */
  whileGood(by: Principal, over: () => void): Promise<() => void>
  listeners(): number
  close(): Promise<void>
}

type ListenerPlace = { cursor: number; filter: TailFilter; to: Listener; isGone: boolean }

const PAGE = 500

/** An error that repeats must repeat slowly. */
const REST_MS = 5000

export type TailHouse = Pick<House, 'store' | 'bell'> & { report: (error: unknown) => void }

export function makeTail({ store, bell, report }: TailHouse): Tail {
  const joined = new Set<ListenerPlace>()
  const ending = new AbortController()
  let started: Promise<void> | undefined
  let following: Promise<void> | undefined
  let position = 0
  let stir = () => {}
  const tokens = makeTokenEnds(store.now, () => stir())

  const look = async (): Promise<null> => {
    for (;;) {
      const events = await store.events({ after: position, without: [], limit: PAGE })
      const floor = await store.floor()
      // These events were pruned before the tail read them, so it was far behind.
      for (const place of joined) {
        if (place.cursor < floor) startAnew(place, floor, 'what came after your cursor was pruned')
      }
      const end = events.at(-1)
      if (end === undefined) return null
      const [threads, workspaces] = await Promise.all([threadsOf(events), workspacesOf(events)])
      const named = await namedOf(events)
      position = end.event_id
      for (const event of events)
        if (event.event_type === 'token_revoke') tokens.end(revokedBy(event))
      const shown = events.map((event) => ({ event, view: viewEvent(event) }))
      for (const place of [...joined]) {
        for (const one of shown)
          if (one.event.event_id > place.cursor) offer(place, one, { threads, named, workspaces })
        place.cursor = Math.max(place.cursor, position)
        place.to.reached(place.cursor)
      }
      if (ending.signal.aborted) return null
    }
  }
  const start = async (): Promise<void> => {
    try {
      position = await store.lastEventId()
    } catch (error) {
      // The store is away; the next listener tries again.
      started = undefined
      throw error
    }
    following = follow()
  }
  const follow = async (): Promise<void> => {
    const { signal } = ending
    const own: Bell = {
      ...bell,
      arm(onRing) {
        stir = onRing
        return bell.arm(onRing)
      },
    }
    const waiting = { bell: own, look, chores: [tokens.expiring], timeoutMs: 0, signal }
    while (!signal.aborted) {
      try {
        await waitFor({ ...waiting, lookout: store.lookout() })
      } catch (error) {
        // The store is away for long, and its listeners have nothing better to do than wait.
        if (error instanceof Refusal && error.code === 'busy') continue
        report(error)
        await rest(REST_MS, signal)
      }
    }
  }
  /** The parties of a thread are read only if some listener asks for an agent's events. */
  const hasAgents = () => [...joined].some(({ filter }) => filter.agent !== undefined)
  const threadsOf = async (events: LoggedEvent[]): Promise<Map<string, Thread>> => {
    if (!hasAgents()) return new Map()
    const ids = [...new Set(events.map((event) => event.thread_id))].filter((id) => id !== '')
    const states = await Promise.all(ids.map((id) => store.thread(id)))
    return new Map(
      states.flatMap((state) => (state ? [[state.thread.thread_id, state.thread]] : [])),
    )
  }

  const namedOf = async (events: LoggedEvent[]): Promise<Map<number, readonly string[]>> => {
    if (!hasAgents()) return new Map()
    // An event of the system that ends a delivery names the recipient, but gives nobody anything.
    const making = events.filter(({ event_type }) => EVENTS[event_type].by !== 'system')
    return new Map(
      await Promise.all(
        making.map(async (one) => [one.event_id, await recipientsIn(store, one)] as const),
      ),
    )
  }

  /** A push says which workspace it came from; later events about it do not. */
  const workspacesOf = async (
    events: LoggedEvent[],
    places: Iterable<ListenerPlace> = joined,
  ): Promise<Map<string, string>> => {
    if (![...places].some(({ filter }) => filter.workspace ?? filter.pushesFrom)) return new Map()
    const ids = [...new Set(events.map((event) => event.thread_id))].filter((id) => id !== '')
    const pushes = await Promise.all(ids.map((id) => store.rowOf(PUSHES, id)))
    return new Map(pushes.flatMap((item) => (item ? [[item.thread_id, item.workspace_id]] : [])))
  }

  const catchUp = async (place: ListenerPlace): Promise<void> => {
    const { filter, to } = place
    for (;;) {
      if (place.isGone || ending.signal.aborted) return
      const end = await store.lastEventId()
      const without = filter.agent === undefined ? [] : QUIET_EVENTS
      const page = { after: place.cursor, party: filter.agent, without, limit: PAGE }
      const events = await store.events(page)
      const floor = await store.floor()
      if (place.cursor < floor) startAnew(place, end, 'what came after your cursor was pruned')
      else {
        const workspaces = await workspacesOf(events, [place])
        for (const event of events) {
          if (wants(filter, event, workspaces)) to.take(viewEvent(event))
        }
        const last = isWhole(events, PAGE) ? end : (events.at(-1)?.event_id ?? end)
        place.cursor = Math.max(place.cursor, last)
        to.reached(place.cursor)
      }
      // The check and the joining happen in one go, so the next event already goes to this listener.
      if (place.cursor >= position) return void joined.add(place)
      await to.ready()
    }
  }

  return {
    listeners: () => joined.size,
    async whileGood(by, over) {
      const isEarly = following === undefined
      started ??= start()
      await started
      const letGo = tokens.hold(by, over)
      // A revocation from before the tail started is not in what it reads.
      if (isEarly) await mustStillBeGood(store, by, Number.POSITIVE_INFINITY).catch(over)
      return letGo
    },
    async listen({ after, filter }, to) {
      started ??= start()
      await started
      const end = await store.lastEventId()
      const place: ListenerPlace = { cursor: after ?? end, filter, to, isGone: false }
      // A listener without a cursor has nothing to catch up with, and everything the tail has yet to read
      // lies before it.
      if (after === undefined) joined.add(place)
      else {
        if (after > end) startAnew(place, end, 'your cursor is not of this log')
        await catchUp(place)
      }
      return leaving(joined, place)
    },
    async close() {
      ending.abort()
      joined.clear()
      await following
    },
  }
}

/**
 * Made in a function of its own, so that it keeps alive the place and nothing else: there are thousands.
 */
function leaving(joined: Set<ListenerPlace>, place: ListenerPlace): () => void {
  return () => {
    place.isGone = true
    joined.delete(place)
  }
}

function startAnew(place: ListenerPlace, from: number, why: string): void {
  place.cursor = from
  place.to.reset(from, why)
}

type ShownEvent = { event: LoggedEvent; view: EventView }

type EventContext = {
  threads: Map<string, Thread>
  /** For each event, the names it concerns. */
  named: Map<number, readonly string[]>
  workspaces: Map<string, string>
}

function offer(
  { filter, to }: ListenerPlace,
  { event, view }: ShownEvent,
  known: EventContext,
): void {
  if (filter.agent !== undefined) {
    const thread = known.threads.get(event.thread_id)
    const isParty =
      thread?.assigned_to === filter.agent ||
      thread?.created_by === filter.agent ||
      known.named.get(event.event_id)?.includes(filter.agent)
    if (!isParty || event.agent === filter.agent || EVENTS[event.event_type].quiet) return
  }
  if (wants(filter, event, known.workspaces)) to.take(view)
}

function revokedBy({ payload_json }: LoggedEvent): string {
  return (JSON.parse(payload_json) as { token_id: string }).token_id
}

function wants(
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
