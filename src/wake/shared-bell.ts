// One bell for all who wait in one process. A thousand waits need one watch, one LISTEN and one backstop,
// and whether anything has happened is asked once, not a thousand times.
//
// (1) A ring is passed on when the store says that something has changed, at once; and asked again after
//     3 and 50 ms, because a watcher swallows rings that come close together.
// (2) So a ring passed on is sure: whoever hears it looks once.
// (3) Those who wait are woken no more often than they can look: with many of them, a busy store would
//     otherwise do nothing else.

import { Refusal } from '../core/error.ts'
import type { Lookout, Store } from '../core/store.ts'
import type { Bell } from '../core/wake.ts'

const SECOND_LOOKS_MS = [3, 50]
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

export function shareBell(inner: Bell, store: Pick<Store, 'lookout'>): SharedBell {
  const heard = new Set<() => void>()
  const outlook = store.lookout()
  let armed: Promise<() => void> | undefined
  let backstop: ReturnType<typeof setInterval> | undefined
  let seconds: ReturnType<typeof setTimeout>[] = []
  let resting: ReturnType<typeof setTimeout> | undefined
  let restedAt = 0
  let isAsking = false
  let again = false
  let rings = 0

  const pass = (): void => {
    if (resting !== undefined) return
    const rest = restedAt - performance.now()
    if (rest > 0) {
      resting = setTimeout(() => {
        resting = undefined
        pass()
      }, rest)
      return
    }
    rings += 1
    restedAt = performance.now() + heard.size * REST_MS_EACH
    for (const one of [...heard]) one()
  }
  const ask = async (): Promise<void> => {
    isAsking = true
    do {
      again = false
      try {
        if (await outlook.changed()) pass()
      } catch (error) {
        // Away for a while: the backstop asks again, and what has changed by then is news.
        if (!(error instanceof Refusal)) pass()
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
    backstop = setInterval(stir, outlook.everyMs)
    return disarm
  }
  const stop = async (): Promise<void> => {
    const ending = armed
    armed = undefined
    clearInterval(backstop)
    for (const timer of [resting, ...seconds]) clearTimeout(timer)
    resting = undefined
    const disarm = await ending
    disarm?.()
  }

  return {
    waiters: () => heard.size,
    lookout() {
      let seen = rings
      return {
        everyMs: OWN_LOOK_MS,
        async changed() {
          const isNew = rings !== seen
          seen = rings
          return isNew
        },
      }
    },
    bell: {
      isSure: true,
      ring: () => inner.ring(),
      async arm(onRing) {
        heard.add(onRing)
        // Once there was somebody to wait there will be again; it ends with the process that serves.
        armed ??= start()
        await armed
        return () => void heard.delete(onRing)
      },
      async close() {
        heard.clear()
        await stop()
        await inner.close()
      },
    },
  }
}
