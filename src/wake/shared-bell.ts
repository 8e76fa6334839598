// One bell for all who wait in one process. A thousand waits need one watch, one LISTEN and one backstop,
// and whether anything has happened is asked once, not a thousand times.
//
// (1) A ring is passed on when the store says that something has changed, at once; and asked again after
//     3 and 50 ms, because a watcher swallows rings that come close together.
// (2) So a ring passed on is sure: whoever hears it looks once.
// (3) Whoever said whom it waits for hears only what concerns them, by the log.
// (4) Those who wait are woken no more often than they can look: with many of them, a busy store would
//     otherwise do nothing else.

import type { Bell } from '../core/bell.ts'
import { Refusal } from '../core/error.ts'
import type { Lookout, Store } from '../core/store.ts'
import { concernedAfter } from './concerned.ts'
import type { Outage } from './outage.ts'
import { SECOND_LOOKS_MS } from './wait.ts'

/** What one look costs, about, with room for others to work. */
const REST_MS_EACH = 0.1
/** Who shares a bell need not look for itself; this is for what nobody foresaw. */
const OWN_LOOK_MS = 60_000

export type SharedBell = {
  bell: Bell
  /** In place of the store's own: nothing is missed that this bell has not passed on. */
  lookout: () => Lookout
  waiters: () => number
}

type Ear = { onRing: () => void; about: readonly string[] | undefined }

export function shareBell(inner: Bell, store: Store, outage?: Outage): SharedBell {
  const ears = new Set<Ear>()
  const outlook = store.lookout()
  const rest = makeRest()
  let armed: Promise<() => void> | undefined
  let backstop: ReturnType<typeof setInterval> | undefined
  let seconds: ReturnType<typeof setTimeout>[] = []
  let isAsking = false
  let again = false
  let position = 0
  /** Since those who wait were last woken: whom it concerns. Null: nothing has happened. */
  let news: Set<string> | 'everybody' | null = null

  const pass = (): void => {
    const names = news
    news = null
    if (names === null) return
    let woken = 0
    for (const { onRing, about } of [...ears]) {
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
    if (![...ears].some(({ about }) => about !== undefined)) {
      news = 'everybody'
      return rest.thenDo(pass)
    }
    const { names, end } = await concernedAfter(store, position)
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
        // Away for a while, or worse: the backstop asks again. Nobody may sleep through it.
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
    waiters: () => ears.size,
    lookout: () => ({ everyMs: OWN_LOOK_MS, changed: async () => true }),
    bell: {
      isSure: true,
      ring: () => inner.ring(),
      async arm(onRing, about) {
        // Once somebody waits there will be others; it ends with the process that serves.
        armed ??= start()
        try {
          await armed
        } catch (error) {
          armed = undefined
          throw error
        }
        const ear = { onRing, about }
        ears.add(ear)
        return () => void ears.delete(ear)
      },
      async close() {
        ears.clear()
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

/** Does one thing at a time, as soon as the rest after the last is over. */
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
