// WaitOptions without cost: the process sleeps in the kernel until there is a reason to look.
//
// (1) Order: arm the bell, look, sleep. Nothing can slip between the look and the sleep.
// (2) A ring means "look", never more. The store is the truth.
// (3) Every ring is followed by looks after 3 ms and 50 ms: Bun's watcher swallows a ring that comes
//     within 2 ms of one it reported (macOS: 40 ms), and never reports it later. A bell that many
//     share does this for all of them, and says so.
// (4) Every few seconds the store is asked whether anything changed at all: for writers that were
//     killed between commit and ring, and for rings that no watcher delivered.
// (5) Time-driven work (a lease that lapses, a lease to keep alive) is a chore with a due time.
// (6) A store that was reached once and then cannot be (a server restarts, a file is locked for long)
//     is asked again at the pace of the backstop; only a long outage ends the wait.

import type { Bell } from '../core/bell.ts'
import { Refusal } from '../core/error.ts'
import type { Lookout } from '../core/store.ts'

export type Chore = {
  /** Milliseconds until the chore must run; null when there is nothing to do. */
  dueMs: () => Promise<number | null>
  run: () => Promise<void>
}

export type WaitOptions<T> = {
  bell: Bell
  /**
   * The threads, agents and people that the look is about: without news of them it finds nothing new.
   * Absent means any.
   */
  about?: readonly string[] | undefined
  look: () => Promise<T | null>
  lookout: Lookout
  chores: Chore[]
  /** 0 waits forever. */
  timeoutMs: number
  signal: AbortSignal
}

export type WaitOutcome<T> = { outcome: 'found'; value: T } | { outcome: 'timeout' | 'interrupted' }

/** How soon a store that is away is asked again. */
const AWAY_MS = 1000
/**
 * A watcher swallows rings that come close together, so every ring is followed by looks after these pauses.
 */
export const SECOND_LOOKS_MS = [3, 50]
/** A server restarts in seconds; a store that is away longer than this will not come back in time. */
const LONGEST_OUTAGE_MS = 60_000
/** The limit of setTimeout; a longer wait simply goes round once more. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export async function waitFor<T>(waiting: WaitOptions<T>): Promise<WaitOutcome<T>> {
  const { bell, look, signal } = waiting
  const deadline = waiting.timeoutMs === 0 ? Infinity : performance.now() + waiting.timeoutMs
  const alarm = makeAlarm()
  const disarm = await bell.arm(bell.isSure ? alarm.wake : alarm.ring, waiting.about)
  signal.addEventListener('abort', alarm.wake)
  // The caller has just read its cursor, so the store was in reach.
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
    /** A wake after this call counts for the next sleep. */
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
