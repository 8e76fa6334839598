// One bell for all the waits of a process. A thousand waits share one watch, one LISTEN and one backstop, and the store
// is only asked once whether anything changed.
//
// (1) When the inner bell rings, the store is asked whether anything changed: immediately, and again after 3 and 50 ms,
//     because a watcher swallows rings that come close together. Only changes are passed on.
// (2) So a ring that is passed on means a real change, and a wait only has to look once for it.
// (3) A wait that names what it's about is only woken by events that concern those names, according to the log. If
//     there's only one wait, every event wakes it: looking hardly takes longer than finding out whether to look.
// (4) When the store is permanently gone, all waits look and are refused.
// (5) Waits are woken no more often than they can look. Otherwise, a busy store with many waits would do nothing else.

import { isRole, queueOf } from '../core/agents/address.ts'
import type { Bell } from '../core/bell.ts'
import { Refusal } from '../core/error.ts'
import type { LoggedEvent } from '../core/event.ts'
import { isWhole } from '../core/page-bytes.ts'
import type { Lookout, Store } from '../core/store.ts'
import { SECOND_LOOKS_MS } from './wait.ts'

/** Roughly the cost of one look, with room for other work. */
const PAUSE_MS_EACH = 0.1
/** Waits on a shared bell don't need to look on their own; this is a safety net for unforeseen faults. */
const OWN_LOOK_MS = 60_000
/** With more new events than this, waking every wait is cheaper than finding out whom the events concern. */
const MOST_EVENTS = 200

export type SharedBell = {
  bell: Bell
  /** Replaces the store's own lookout: this bell passes on every change. */
  lookout: () => Lookout
  waiters: () => number
}

type BellListener = { onRing: () => void; about: readonly string[] | undefined }

export function shareBell(inner: Bell, store: Store, outage?: Outage): SharedBell {
  const listeners = new Set<BellListener>()
  const outlook = store.lookout()
  const pause = makePause()
  let armed: Promise<() => void> | undefined
  let backstop: ReturnType<typeof setInterval> | undefined
  let seconds: ReturnType<typeof setTimeout>[] = []
  let isAsking = false
  let again = false
  let position = 0
  /** The names concerned by events since the waits were last woken; null while there are none. */
  let news: Set<string> | 'everyone' | null = null

  const pass = (): void => {
    const names = news
    news = null
    if (names === null) return
    let woken = 0
    for (const { onRing, about } of [...listeners]) {
      if (names !== 'everyone' && about !== undefined && !about.some((one) => names.has(one))) {
        continue
      }
      onRing()
      woken += 1
    }
    pause.after(woken * PAUSE_MS_EACH)
  }
  const look = async (): Promise<void> => {
    const isChanged = await outlook.changed()
    outage?.worked()
    if (!isChanged) return
    const isAlone = listeners.size === 1
    if (isAlone || ![...listeners].some(({ about }) => about !== undefined)) {
      news = 'everyone'
      return pause.thenDo(pass)
    }
    const { names, end } = await findConcerned(store, position)
    position = Math.max(position, end)
    if (names === 'everyone' || news === 'everyone') news = 'everyone'
    else news = new Set([...(news ?? []), ...names])
    pause.thenDo(pass)
  }
  const ask = async (): Promise<void> => {
    isAsking = true
    do {
      again = false
      try {
        await look()
      } catch (error) {
        // The store is unreachable for a while, or permanently. The next time the backstop asks, every wait looks, so
        // none of them misses a change.
        news = 'everyone'
        outage?.failed(error)
        if (!(error instanceof Refusal)) pause.thenDo(pass)
      }
    } while (again)
    isAsking = false
  }
  const stir = (): void => {
    again = true
    if (!isAsking) void ask()
  }
  void store.gone.then(() => {
    news = 'everyone'
    pause.thenDo(pass)
  })
  const onRing = (): void => {
    for (const second of seconds) clearTimeout(second)
    seconds = SECOND_LOOKS_MS.map((ms) => setTimeout(stir, ms))
    stir()
  }
  const start = async (): Promise<() => void> => {
    const disarm = await inner.arm(onRing)
    position = await store.lastEventId()
    backstop = setInterval(stir, outlook.everyMs)
    return disarm
  }

  return {
    waiters: () => listeners.size,
    lookout: () => ({ everyMs: OWN_LOOK_MS, changed: async () => true }),
    bell: {
      isSure: true,
      ring: () => inner.ring(),
      async arm(onRing, about) {
        // More waits will follow the first one. The inner bell stays armed until the serving process ends.
        armed ??= start()
        try {
          await armed
        } catch (error) {
          armed = undefined
          throw error
        }
        const listener = { onRing, about }
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      async close() {
        listeners.clear()
        clearInterval(backstop)
        for (const second of seconds) clearTimeout(second)
        pause.end()
        const disarm = await armed?.catch(() => undefined)
        disarm?.()
        await inner.close()
      },
    },
  }
}

/** Runs one piece of work at a time, as soon as the pause after the last one is over. */
function makePause() {
  let overAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    after(ms: number) {
      overAt = performance.now() + ms
    },
    thenDo(work: () => void) {
      if (timer !== undefined) return
      const left = overAt - performance.now()
      if (left <= 0) return work()
      timer = setTimeout(() => {
        timer = undefined
        work()
      }, left)
    },
    end: () => clearTimeout(timer),
  }
}

type ConcernedNames = { names: ReadonlySet<string> | 'everyone'; end: number }

/**
 * An event concerns its thread, the thread's two parties, and the recipients of its message. Mail for a role concerns
 * the agents with that role.
 */
async function findConcerned(
  store: Pick<Store, 'events' | 'thread' | 'message' | 'agents' | 'lastEventId'>,
  after: number,
): Promise<ConcernedNames> {
  const events = await store.events({ after, without: [], limit: MOST_EVENTS })
  if (!isWhole(events, MOST_EVENTS)) return { names: 'everyone', end: await store.lastEventId() }
  const names = new Set<string>()
  for (const event of events) {
    names.add(event.thread_id)
    for (const name of await recipientsIn(store, event)) names.add(name)
  }
  const threads = [...new Set(events.map(({ thread_id }) => thread_id))].filter((id) => id !== '')
  for (const state of await Promise.all(threads.map((id) => store.thread(id)))) {
    if (state === null) continue
    names.add(state.thread.created_by)
    names.add(state.thread.assigned_to)
  }
  // Read the agents of a role now: an agent may have been given the role since it began to wait.
  const roles = [...names].filter(isRole).map((name) => name.slice(queueOf('').length))
  const members = await Promise.all(roles.map((role) => store.agents({ role })))
  for (const { agent_id } of members.flat()) names.add(agent_id)
  return { names, end: events.at(-1)?.event_id ?? after }
}

/** The recipients of an event's message, or the agents and people whose deliveries the event changes. */
export async function recipientsIn(
  store: Pick<Store, 'message'>,
  { payload_json, message_id }: LoggedEvent,
): Promise<readonly string[]> {
  const { recipient, recipients } = JSON.parse(payload_json) as {
    recipient?: string
    recipients?: string[]
  }
  if (recipients !== undefined) return recipients
  if (recipient !== undefined) return [recipient]
  // On a work thread the message names its recipient, who may be neither of the thread's two parties.
  const message = message_id === null ? null : await store.message(message_id)
  return message === null || message.kind === 'event' ? [] : [message.to_agent]
}

/**
 * Reports an outage of a store once, with its reason, and once more when it's over. Waits retry every second, and a line
 * for each try would only fill the log.
 */
export type Outage = {
  failed: (error: unknown) => void
  worked: () => void
  isAway: () => boolean
}

export function makeOutage(tell: {
  away: (why: string) => void
  back: (seconds: number) => void
}): Outage {
  let since: number | undefined
  return {
    failed(error) {
      if (since !== undefined || !(error instanceof Refusal)) return
      since = performance.now()
      tell.away(error.message)
    },
    worked() {
      if (since === undefined) return
      const seconds = Math.round((performance.now() - since) / 1000)
      since = undefined
      tell.back(seconds)
    },
    isAway: () => since !== undefined,
  }
}
