// The log as it grows, for many who listen at once: it is read once, by one tail, and handed to each who
// wants it. Whoever comes with a cursor first gets what it has missed, from the store, and then joins.
//
// (1) A listener gets each event it may and wants to see once, in the order of the log.
// (2) It joins in the very moment in which it has caught up: nothing is between.
// (3) Where it cannot go on (its cursor was pruned, or is of another log) it is told to begin anew.
// (4) Facts do not go out: they carry what proves a lease.

import type { Bell } from '../../core/bell.ts'
import { Refusal } from '../../core/error.ts'
import { EVENTS, type EventView, type LoggedEvent, QUIET_EVENTS } from '../../core/event.ts'
import { isWhole } from '../../core/page-bytes.ts'
import type { Principal } from '../../core/principal.ts'
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
  /** Of what happens to pushes, only to those from this workspace. */
  pushesFrom?: string | undefined
  /** What others do in threads it made or is assigned, as `watch` shows it, and what is delivered to it. */
  agent?: string | undefined
}

export type Listener = {
  /** One event. Its text is the same for all. */
  take(event: EventView): void
  /** What was before is not to be had: go on from here. */
  reset(from: number, why: string): void
  /** Up to here there was nothing more. */
  reached(cursor: number): void
  /** Resolves when there is room for more; for what is read for one listener alone. */
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

type Place = { cursor: number; filter: TailFilter; to: Listener; isGone: boolean }

const PAGE = 500

/** So that what goes wrong each time goes wrong slowly. */
const REST_MS = 5000

export type TailHouse = Pick<House, 'store' | 'bell'> & { report: (error: unknown) => void }

export function makeTail({ store, bell, report }: TailHouse): Tail {
  const joined = new Set<Place>()
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
      // Pruned under our feet, which takes a tail that was far behind.
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
      // Away: whoever comes next tries again.
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
        // Away for long: those who listen have nothing better to do than wait.
        if (error instanceof Refusal && error.code === 'busy') continue
        report(error)
        await rest(REST_MS, signal)
      }
    }
  }
  /** Who is party to a thread is asked only where somebody wants to know. */
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
    // What the system ends names whose delivery it was, and gives nobody one.
    const making = events.filter(({ event_type }) => EVENTS[event_type].by !== 'system')
    return new Map(
      await Promise.all(
        making.map(async (one) => [one.event_id, await recipientsIn(store, one)] as const),
      ),
    )
  }

  /** A push says where it came from; what happens to it afterwards does not. */
  const workspacesOf = async (
    events: LoggedEvent[],
    places: Iterable<Place> = joined,
  ): Promise<Map<string, string>> => {
    if (![...places].some(({ filter }) => filter.workspace ?? filter.pushesFrom)) return new Map()
    const ids = [...new Set(events.map((event) => event.thread_id))].filter((id) => id !== '')
    const pushes = await Promise.all(ids.map((id) => store.pushRow(id)))
    return new Map(pushes.flatMap((item) => (item ? [[item.thread_id, item.workspace_id]] : [])))
  }

  const catchUp = async (place: Place): Promise<void> => {
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
      // Asked and done in one go: what comes next goes to those who have joined.
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
      // What was revoked before we began to read is not read.
      if (isEarly) await mustStillBeGood(store, by, Number.POSITIVE_INFINITY).catch(over)
      return letGo
    },
    async listen({ after, filter }, to) {
      started ??= start()
      await started
      const end = await store.lastEventId()
      const place: Place = { cursor: after ?? end, filter, to, isGone: false }
      // From now on: there is nothing to catch up with, and what the tail has yet to read is before.
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

/** Made here, so that it holds the place and nothing else of what led to it: there are thousands. */
function leaving(joined: Set<Place>, place: Place): () => void {
  return () => {
    place.isGone = true
    joined.delete(place)
  }
}

function startAnew(place: Place, from: number, why: string): void {
  place.cursor = from
  place.to.reset(from, why)
}

type Shown = { event: LoggedEvent; view: EventView }

type Known = {
  threads: Map<string, Thread>
  /** By event: whom it names. */
  named: Map<number, readonly string[]>
  workspaces: Map<string, string>
}

function offer({ filter, to }: Place, { event, view }: Shown, known: Known): void {
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
