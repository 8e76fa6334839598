// Waiting costs nothing: the process sleeps in the kernel until there is a reason to look.
//
// (1) The order is: arm the bell, look, sleep. So nothing can be missed between the look and the sleep.
// (2) A ring only means "look". The store is the source of truth.
// (3) Every ring is followed by looks after 3 ms and 50 ms: Bun's watcher swallows a ring that comes within 2 ms of one
//     it reported (macOS: 40 ms), and never reports it later. A shared bell does this for all its waits (isSure).
// (4) Every few seconds we ask the store whether anything has changed, in case a writer was killed between commit and
//     ring, or no watcher delivered a ring.
// (5) Time-driven work (a lease that lapses, a lease to keep alive) is a chore with a due time.
// (6) If the store becomes unreachable during a wait (a server restarts, a file stays locked), we retry once a second;
//     only a long outage ends the wait.

import type { Bell } from '../core/bell.ts'
import { Refusal } from '../core/error.ts'
import type { Lookout } from '../core/store.ts'

export type Chore = {
  /** Milliseconds until the chore must run; null if there is nothing to do. */
  dueMs: () => Promise<number | null>
  run: () => Promise<void>
}

export type WaitOptions<T> = {
  bell: Bell
  /** The threads, agents and people the look depends on: only news about them can change its result. Default: all. */
  about?: readonly string[] | undefined
  look: () => Promise<T | null>
  lookout: Lookout
  chores: Chore[]
  /** 0 waits forever. */
  timeoutMs: number
  signal: AbortSignal
}

export type WaitOutcome<T> = { outcome: 'found'; value: T } | { outcome: 'timeout' | 'interrupted' }

/** How soon to retry if the store is unreachable. */
const AWAY_MS = 1000
/** Extra looks after each ring, because a watcher swallows rings that come close together. */
export const SECOND_LOOKS_MS = [3, 50]
/** A server restarts within seconds; a store that's unreachable for longer than this won't be back in time. */
const LONGEST_OUTAGE_MS = 60_000
/** The limit of setTimeout; a longer wait just sleeps again. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export async function waitFor<T>(waiting: WaitOptions<T>): Promise<WaitOutcome<T>> {
  const { bell, look, signal } = waiting
  const deadline = waiting.timeoutMs === 0 ? Infinity : performance.now() + waiting.timeoutMs
  const alarm = makeAlarm()
  const disarm = await bell.arm(bell.isSure ? alarm.wake : alarm.ring, waiting.about)
  signal.addEventListener('abort', alarm.wake)
  // The caller has just read its cursor, so the store was reachable.
  let reachedAt = performance.now()
  const round = async (): Promise<WaitOutcome<T> | null> => {
    alarm.reset()
    const value = await look()
    reachedAt = performance.now()
    if (value !== null) return { outcome: 'found', value }
    if (signal.aborted) return { outcome: 'interrupted' }
    if (performance.now() >= deadline) return { outcome: 'timeout' }
    const chores = await Promise.all(waiting.chores.map((chore) => chore.dueMs()))
    for (;;) {
      const chore = soonest(chores)
      const left = deadline - performance.now()
      const nap = Math.max(0, Math.min(waiting.lookout.everyMs, left, chore?.ms ?? Infinity))
      if ((await alarm.sleep(nap)) === 'woken') return null
      if (chore !== null && chore.ms <= nap) {
        await waiting.chores[chore.at]?.run()
        return null
      }
      if (left <= nap) return null
      for (const [at, ms] of chores.entries()) if (ms !== null) chores[at] = ms - nap
      if (await waiting.lookout.changed()) return null
      reachedAt = performance.now()
    }
  }
  try {
    for (;;) {
      try {
        const end = await round()
        if (end !== null) return end
      } catch (error) {
        const isAway = error instanceof Refusal && error.code === 'busy'
        if (!isAway || performance.now() - reachedAt > LONGEST_OUTAGE_MS) throw error
        if (signal.aborted) return { outcome: 'interrupted' }
        if (performance.now() >= deadline) return { outcome: 'timeout' }
        await alarm.sleep(Math.min(AWAY_MS, deadline - performance.now()))
      }
    }
  } finally {
    signal.removeEventListener('abort', alarm.wake)
    alarm.stop()
    disarm()
  }
}

function soonest(dueMs: (number | null)[]): { at: number; ms: number } | null {
  let best: { at: number; ms: number } | null = null
  for (const [at, ms] of dueMs.entries()) {
    if (ms !== null && (best === null || ms < best.ms)) best = { at, ms }
  }
  return best
}

function makeAlarm() {
  let pending = false
  let rouse: ((why: 'woken' | 'slept') => void) | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let seconds: ReturnType<typeof setTimeout>[] = []

  const wake = (): void => {
    pending = true
    rouse?.('woken')
  }
  return {
    wake,
    ring() {
      for (const second of seconds) clearTimeout(second)
      seconds = SECOND_LOOKS_MS.map((ms) => setTimeout(wake, ms))
      wake()
    },
    /** A ring after this call cuts the next sleep short. */
    reset() {
      pending = false
    },
    sleep(ms: number): Promise<'woken' | 'slept'> {
      if (pending) return Promise.resolve('woken')
      return new Promise((resolve) => {
        rouse = (why) => {
          rouse = undefined
          clearTimeout(timer)
          resolve(why)
        }
        timer = setTimeout(() => rouse?.('slept'), Math.max(0, Math.min(ms, LONGEST_TIMER_MS)))
      })
    },
    stop() {
      clearTimeout(timer)
      for (const second of seconds) clearTimeout(second)
    },
  }
}

/** Sleeps for this long, or until the signal aborts. */
export function sleepUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', over)
      resolve()
    }
    const timer = setTimeout(over, ms)
    if (signal.aborted) over()
    else signal.addEventListener('abort', over)
  })
}
