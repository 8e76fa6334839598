// Retries fairly, up to a time limit, while other processes hold a SQLite file's locks.
//
// SQLite's own busy handler starves writers: of eight busy writers, one got 8,524 commits and another got 1. Full
// jitter with a doubling ceiling is fair.

import { refuse } from '../../../core/error.ts'
import { isBusy } from '../errors.ts'

/** How long a process waits for others before it reports the store as `busy`. */
const BUDGET_MS = 5000

const nap = new Int32Array(new SharedArrayBuffer(4))

export async function retryPatiently<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  const giveUp = performance.now() + BUDGET_MS
  for (let ceilingMs = 0.25; ; ceilingMs = Math.min(8, ceilingMs * 2)) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error)) throw error
      if (performance.now() > giveUp) throw lockedTooLong(path)
    }
    await pause(Math.random() * ceilingMs)
  }
}

/** Retries without letting anything else in this process run. */
export function retryHolding(path: string, work: () => void): void {
  const giveUp = performance.now() + BUDGET_MS
  for (;;) {
    try {
      work()
      return
    } catch (error) {
      if (!isBusy(error)) throw error
      if (performance.now() > giveUp) throw lockedTooLong(path)
    }
    Atomics.wait(nap, 0, 0, 1)
  }
}

function lockedTooLong(path: string) {
  const seconds = BUDGET_MS / 1000
  return refuse.busy`${path} was locked by other processes for ${seconds} s; try again`
}

async function pause(ms: number): Promise<void> {
  // A timer can't wait for less than a millisecond, but blocking the thread can.
  if (ms < 1) Atomics.wait(nap, 0, 0, ms)
  else await new Promise((resolve) => setTimeout(resolve, ms))
}
