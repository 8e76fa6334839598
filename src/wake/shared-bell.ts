// One bell for all waits of one process. A thousand waits need one watch, one LISTEN and one backstop, and
// the store is asked once, not a thousand times, whether anything has happened.
//
// (1) When the inner bell rings, the store is asked whether anything changed: at once, and again after 3
//     and 50 ms, because a watcher swallows rings that come close together. Only a change is passed on.
// (2) So a ring that is passed on is sure, and a wait that hears it looks once.
// (3) A wait that said whom it is about hears only events that concern them, by the log. One that waits alone hears
//     all: its look takes hardly longer than finding out whether it is to look.
// (4) When the store is gone for good, all look, and are refused.
// (5) Waits are woken no more often than they can look. With many of them, a busy store would otherwise do
//     nothing else.

import type { Bell } from '../core/bell.ts'
import { Refusal } from '../core/error.ts'
import type { Lookout, Store } from '../core/store.ts'
import { findConcerned } from './concerned.ts'
import type { Outage } from './outage.ts'
import { SECOND_LOOKS_MS } from './wait.ts'

/** The rough cost of one look, with room left for other work. */
const REST_MS_EACH = 0.1
/** A wait on a shared bell need not look by itself; this look is for faults that nobody foresaw. */
const OWN_LOOK_MS = 60_000

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
  const rest = makeRest()
  let armed: Promise<() => void> | undefined
  let backstop: ReturnType<typeof setInterval> | undefined
  let seconds: ReturnType<typeof setTimeout>[] = []
  let isAsking = false
  let again = false
  let position = 0
  /** The names concerned by what has happened since the waits were last woken; null while nothing has. */
  let news: Set<string> | 'everybody' | null = null

  const pass = (): void => {
    const names = news
    news = null
    if (names === null) return
    let woken = 0
    for (const { onRing, about } of [...listeners]) {
      if (names !== 'everybody' && about !== undefined && !about.some((one) => names.has(one))) {
        continue
      }
      onRing()
      woken += 1
    }
    rest.after(woken * REST_MS_EACH)
  }
  const look = async (): Promise<void> => {
    const isChanged = await outlook.changed()
    outage?.worked()
    if (!isChanged) return
    const isAlone = listeners.size === 1
    if (isAlone || ![...listeners].some(({ about }) => about !== undefined)) {
      news = 'everybody'
      return rest.thenDo(pass)
    }
    const { names, end } = await findConcerned(store, position)
    position = Math.max(position, end)
    if (names === 'everybody' || news === 'everybody') news = 'everybody'
    else news = new Set([...(news ?? []), ...names])
    rest.thenDo(pass)
  }
  const ask = async (): Promise<void> => {
    isAsking = true
    do {
      again = false
      try {
        await look()
      } catch (error) {
        // The store is away for a while, or worse. The backstop asks again, and everybody looks, so that
        // nobody sleeps through it.
        news = 'everybody'
        outage?.failed(error)
        if (!(error instanceof Refusal)) rest.thenDo(pass)
      }
    } while (again)
    isAsking = false
  }
  const stir = (): void => {
    again = true
    if (!isAsking) void ask()
  }
  void store.gone.then(() => {
    news = 'everybody'
    rest.thenDo(pass)
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
        // Once somebody waits, others will. The inner bell stays armed until the serving process ends.
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
        rest.end()
        const disarm = await armed?.catch(() => undefined)
        disarm?.()
        await inner.close()
      },
    },
  }
}

/** Runs one piece of work at a time, as soon as the rest after the last one is over. */
function makeRest() {
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
