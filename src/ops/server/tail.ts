// Follows the log for many listeners at once. One tail reads each new event once and hands it to every listener that
// wants it. A listener with a cursor first catches up from the store and then joins.
// (1) A listener gets each event that it asked for and may see, exactly once and in log order.
// (2) It joins the moment it has caught up, so it misses nothing in between.
// (3) If its cursor was pruned or belongs to another log, it's told to start over.
// (4) Facts are never sent, because they contain lease tokens.

import type { Bell } from '../../core/bell.ts'
import { Refusal } from '../../core/error.ts'
import { EVENTS, type EventView, type LoggedEvent, QUIET_EVENTS } from '../../core/event.ts'
import type { House } from '../../core/house.ts'
import { isWhole } from '../../core/page-bytes.ts'
import type { Principal } from '../../core/principal.ts'
import { PUSHES } from '../../core/pushes/push-record.ts'
import type { Store } from '../../core/store.ts'
import type { Thread } from '../../core/threads/thread.ts'
import { epochMs, toInstant } from '../../core/time.ts'
import { recipientsIn } from '../../wake/shared-bell.ts'
import { type Chore, sleepUnlessAborted, waitFor } from '../../wake/wait.ts'
import { mustStillBeGood } from '../identity/identify.ts'
import { makeTokenEnds, type TokenEnds } from '../identity/token-ends.ts'
import { viewEvent } from '../inbox/view.ts'

export type Listener = {
  /** Receives one event. All listeners get the same object. */
  take(event: EventView): void
  /** Earlier events aren't available. The listener continues from here. */
  reset(from: number, why: string): void
  /** All events up to this cursor have been delivered. */
  reached(cursor: number): void
  /** The tail has closed. There will be no more events. */
  ended(): void
  /** Resolves when there is room for more. Used only while catching up. */
  ready(): Promise<void>
}

export type TailWant = {
  after?: number | undefined
  /** Without a cursor, start with the events of the last `agoMs` milliseconds. */
  agoMs?: number | undefined
  filter: TailFilter
}

export type Tail = {
  listen(want: TailWant, to: Listener): Promise<() => void>
  /** Calls `over` when this caller's token is revoked or expires, unless the returned function was called first. */
  whileGood(by: Principal, over: () => void): Promise<() => void>
  listeners(): number
  close(): Promise<void>
}

type ListenerPlace = { cursor: number; filter: TailFilter; to: Listener; isGone: boolean }

const PAGE = 500

export type TailHouse = Pick<House, 'store' | 'bell'> & { report: (error: unknown) => void }

type TailState = {
  store: Store
  joined: Set<ListenerPlace>
  position: number
  tokens: TokenEnds
  signal: AbortSignal
}

export function makeTail({ store, bell, report }: TailHouse): Tail {
  const ending = new AbortController()
  const { signal } = ending
  let started: Promise<void> | undefined
  let following: Promise<void> | undefined
  let stir = () => {}
  const tokens = makeTokenEnds(store.now, () => stir())
  const joined = new Set<ListenerPlace>()
  const state: TailState = { store, joined, position: 0, tokens, signal }
  /** The log's bell. It also rings if a token will expire before the tail would otherwise wake up. */
  const ownBell: Bell = {
    ...bell,
    arm(onRing) {
      stir = onRing
      return bell.arm(onRing)
    },
  }
  const start = async (): Promise<void> => {
    try {
      state.position = await store.lastEventId()
    } catch (error) {
      // The store is unreachable. The next listener tries again.
      started = undefined
      throw error
    }
    const chores = [tokens.expiring]
    following = follow({ store, bell: ownBell, look: () => readOn(state), chores, signal, report })
  }
  return {
    listeners: () => joined.size,
    async whileGood(by, over) {
      const isEarly = following === undefined
      started ??= start()
      await started
      const letGo = tokens.hold(by, over)
      // The tail won't see a revocation from before it started.
      if (isEarly && by.token_id !== undefined)
        await mustStillBeGood(store, by.token_id).catch(over)
      return letGo
    },
    async listen(want, to) {
      started ??= start()
      await started
      return joinTail(state, want, to)
    },
    async close() {
      ending.abort()
      for (const { to } of joined) to.ended()
      joined.clear()
      await following
    },
  }
}

/** Hands new events to all listeners that have joined. */
async function readOn(state: TailState): Promise<null> {
  const { store, joined, tokens, signal } = state
  while (!signal.aborted) {
    const events = await store.events({ after: state.position, without: [], limit: PAGE })
    const floor = await store.floor()
    // The tail was so far behind that events were pruned before it read them.
    for (const place of joined) if (place.cursor < floor) startAnew(place, floor, PRUNED)
    const end = events.at(-1)
    if (end === undefined) return null
    const known = await contextForAll(state, events)
    state.position = end.event_id
    for (const event of events)
      if (event.event_type === 'token_revoke') tokens.end(revokedBy(event))
    const shown = events.map((event) => ({ event, view: viewEvent(event) }))
    for (const place of [...joined]) {
      for (const { event, view } of shown)
        if (event.event_id > place.cursor && isFor(place.filter, event, known)) place.to.take(view)
      place.cursor = Math.max(place.cursor, state.position)
      place.to.reached(place.cursor)
    }
  }
  return null
}

/** Repeats the read if a listener joined while it was running, because the new filter may need more. */
async function contextForAll({ store, joined }: TailState, events: LoggedEvent[]) {
  for (;;) {
    const filters = new Set([...joined].map(({ filter }) => filter))
    const known = await contextOf(store, events, [...filters])
    if ([...joined].every(({ filter }) => filters.has(filter))) return known
  }
}

async function joinTail(
  state: TailState,
  { after: given, agoMs, filter }: TailWant,
  to: Listener,
): Promise<() => void> {
  const end = await state.store.lastEventId()
  const after = given ?? (await placeBefore(state.store, end, agoMs))
  const place: ListenerPlace = { cursor: after ?? end, filter, to, isGone: false }
  // Without a cursor there is nothing to catch up on: the tail will read whatever comes next.
  if (after === undefined) state.joined.add(place)
  else {
    if (after > end)
      startAnew(place, end, given === undefined ? TOO_MUCH : 'your cursor is not of this log')
    await catchUp(state, place)
  }
  return makeLeave(state.joined, place)
}

/**
 * The cursor from which to replay the last `agoMs`; undefined if nothing has happened since. If more has happened than
 * is worth replaying, this is a cursor beyond the log, so that the listener is told to start over.
 */
async function placeBefore(
  store: Store,
  end: number,
  agoMs: number | undefined,
): Promise<number | undefined> {
  if (agoMs === undefined) return undefined
  const then = toInstant(epochMs(await store.now()) - agoMs)
  const events = await store.events({ after: Math.max(0, end - PAGE), without: [], limit: PAGE })
  const at = events.findIndex(({ created_at }) => created_at >= then)
  if (at < 0) return undefined
  return at === 0 && events.length >= PAGE ? end + 1 : (events[at]?.event_id ?? 0) - 1
}

/** Reads what one listener has missed, until it can join the others. */
async function catchUp(state: TailState, place: ListenerPlace): Promise<void> {
  const { store, joined, signal } = state
  const { filter, to } = place
  while (!place.isGone && !signal.aborted) {
    const end = await store.lastEventId()
    const without = filter.agent === undefined ? [] : QUIET_EVENTS
    const page = { after: place.cursor, party: filter.agent, without, limit: PAGE }
    const events = await store.events(page)
    const floor = await store.floor()
    if (place.cursor < floor) startAnew(place, Math.max(end, floor), PRUNED)
    else {
      const workspaces = await workspacesOf(store, events, [filter])
      for (const event of events) {
        if (isWanted(filter, event, workspaces)) to.take(viewEvent(event))
      }
      // The page may reach past `end`, which was read first, so move the cursor past everything taken.
      const last = events.at(-1)?.event_id ?? 0
      place.cursor = Math.max(place.cursor, last, isWhole(events, PAGE) ? end : 0)
      to.reached(place.cursor)
    }
    // There's no await between the check and joining, so this listener gets the very next event.
    if (place.cursor >= state.position) return void joined.add(place)
    await to.ready()
  }
  if (signal.aborted) to.ended()
}

/** A separate function, so that each closure keeps only its place alive: there can be thousands of them. */
function makeLeave(joined: Set<ListenerPlace>, place: ListenerPlace): () => void {
  return () => {
    place.isGone = true
    joined.delete(place)
  }
}

function startAnew(place: ListenerPlace, from: number, why: string): void {
  place.cursor = from
  place.to.reset(from, why)
}

const PRUNED = 'what came after your cursor was pruned'
const TOO_MUCH = 'too much has happened in that time'

function revokedBy({ payload_json }: LoggedEvent): string {
  return (JSON.parse(payload_json) as { token_id: string }).token_id
}

/** The pause after an error, so that a persistent one doesn't cause a busy loop. */
const REST_MS = 5000

export type FollowOptions = {
  store: Store
  bell: Bell
  /** The agents and people to look for. Defaults to all. */
  about?: readonly string[]
  look: () => Promise<null>
  chores: Chore[]
  signal: AbortSignal
  report: (error: unknown) => void
}

/**
 * Calls `look` whenever something may have changed, until `signal` aborts or the store is permanently gone. Survives
 * errors and outages.
 */
export async function follow({ store, report, ...waiting }: FollowOptions): Promise<void> {
  const { signal } = waiting
  let isGone = false
  void store.gone.then(() => {
    isGone = true
  })
  while (!signal.aborted && !isGone) {
    try {
      await waitFor({ ...waiting, lookout: store.lookout(), timeoutMs: 0 })
    } catch (error) {
      // A long outage: keep waiting.
      if (error instanceof Refusal && error.code === 'busy') continue
      if (isGone) return
      report(error)
      await sleepUnlessAborted(REST_MS, signal)
    }
  }
}

export type TailFilter = {
  types?: readonly string[] | undefined
  thread?: string | undefined
  workspace?: string | undefined
  /** Limits events about pushes to those from this workspace. */
  pushesFrom?: string | undefined
  /** Only this agent's deliveries and, as in `watch`, what others do in threads it created or is assigned to. */
  agent?: string | undefined
}

/** What filters need beyond the event itself. Read only if a filter uses it. */
export type EventContext = {
  threads: Map<string, Thread>
  /** The names each event concerns. */
  named: Map<number, readonly string[]>
  /** The workspace of each push. Only the event that created the push contains it. */
  workspaces: Map<string, string>
}

async function contextOf(
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
  // System events end deliveries. They name a recipient but deliver nothing.
  const making = events.filter(({ event_type }) => EVENTS[event_type].by !== 'system')
  const names = making.map(async (one) => [one.event_id, await recipientsIn(store, one)] as const)
  return new Map(await Promise.all(names))
}

async function workspacesOf(
  store: Store,
  events: LoggedEvent[],
  filters: readonly TailFilter[],
): Promise<Map<string, string>> {
  if (!filters.some(({ workspace, pushesFrom }) => workspace ?? pushesFrom)) return new Map()
  const pushes = await Promise.all(threadIds(events).map((id) => store.rowOf(PUSHES, id)))
  return new Map(pushes.flatMap((item) => (item ? [[item.thread_id, item.workspace_id]] : [])))
}

/** Whether the event passes the listener's filter. */
function isFor(filter: TailFilter, event: LoggedEvent, known: EventContext): boolean {
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

/** Like `isFor`, for events the store already selected for the listener's agent. */
function isWanted(
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
