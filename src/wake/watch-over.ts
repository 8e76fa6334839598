// Watches over a program that was started for the store, until it ends or has to be ended.
//
// (1) Whoever watches keeps a lease alive while the program runs. If it finds that the lease is not its own any more, it
//     ends the program and says nothing.
// (2) If it cannot reach the store for nearly as long as a lease lasts, by a clock that nobody can set, it ends the
//     program before anybody may think it lost.

import { Refusal } from '../core/error.ts'
import type { ProgramExit, RunningProgram } from '../core/waking/launch.ts'

/** A lease is renewed every third of this. */
export const LEASE_SECONDS = 30

export const KEEP_MS = (LEASE_SECONDS * 1000) / 3
/** How long a program that was asked to end may take to do so. */
const GRACE_MS = 5000
/**
 * After this long without a renewal a program is ended while its lease still holds: the grace period fits in, and some
 * time is left.
 */
export const CUT_OFF_MS = LEASE_SECONDS * 1000 - GRACE_MS - 3000
/** How long one tries to record an end while the store is away. */
export const SAY_MS = (LEASE_SECONDS * 1000) / 2

export const CUT_OFF = `its store was out of reach for ${CUT_OFF_MS / 1000} s; it was ended`

/** The hold on a lease: how long ago it was last renewed, by a clock that nobody can set. */
export type Hold = ReturnType<typeof makeHold>

export function makeHold(keep: () => Promise<boolean>) {
  let keptAt = performance.now()
  return {
    /** False when the lease is over, or another's. */
    async keep(renew = keep): Promise<boolean> {
      // Taken before the call, because the store's own count starts later.
      const askedAt = performance.now()
      const isOurs = await renew()
      if (isOurs) keptAt = askedAt
      return isOurs
    },
    msKept: () => performance.now() - keptAt,
  }
}

type WatchedProgram = {
  started: RunningProgram
  signal: AbortSignal
  hold: Hold
  timeoutMs: number
  /** Called each time the lease was renewed. */
  onKept?: () => Promise<void>
  /** Resolves when nobody wants the program to go on. */
  calledOff?: Promise<unknown> | undefined
}

/** Why a program was ended; null when it ended by itself. */
export type CutReason = 'timeout' | 'stopped' | 'lost' | 'cut off' | 'called off' | null

/** Resolves when the program ends by itself, or with the reason to end it. */
export function waitForEnd({
  started,
  signal,
  hold,
  timeoutMs,
  onKept = async () => {},
  calledOff,
}: WatchedProgram): Promise<CutReason> {
  return new Promise((resolve, reject) => {
    let keeping: ReturnType<typeof setTimeout> | undefined
    let watching: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const stop = () => finish('stopped')
    const leave = () => {
      isOver = true
      clearTimeout(keeping)
      clearTimeout(watching)
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
    const finish = (cut: CutReason) => {
      leave()
      resolve(cut)
    }
    // No timer may stay: it would keep a process alive that has nothing left to do.
    const fail = (error: unknown) => {
      leave()
      reject(error)
    }
    const timer = setTimeout(() => finish('timeout'), timeoutMs)
    const keep = async () => {
      const isOurs = await hold.keep().catch((error) => {
        // A store that is briefly away is asked again; the watch below decides for how long.
        if (error instanceof Refusal && error.code === 'busy') return true
        throw error
      })
      if (!isOurs) return finish('lost')
      if (!isOver) await onKept()
      if (!isOver) keeping = setTimeout(() => keep().catch(fail), KEEP_MS)
    }
    keeping = setTimeout(() => keep().catch(fail), KEEP_MS)
    // The watch is separate from the renewal, which may itself hang on a store that does not answer.
    const watch = () => {
      const left = CUT_OFF_MS - hold.msKept()
      if (left <= 0) return finish('cut off')
      watching = setTimeout(watch, left)
    }
    watch()
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    calledOff?.then(() => finish('called off'), fail)
    started.ended.then(() => finish(null), fail)
  })
}

/** Ends the process group: gently if the program still runs, and with SIGKILL in any case. */
export async function endGroup(started: RunningProgram, isRunning: boolean): Promise<ProgramExit> {
  if (isRunning) {
    started.signal('SIGTERM')
    const timer = setTimeout(() => started.signal('SIGKILL'), GRACE_MS)
    await started.ended
    clearTimeout(timer)
  }
  const ending = await started.ended
  started.signal('SIGKILL')
  started.release()
  return ending
}

/** Tries for a while to record an end while the store is away. */
export async function persist(work: () => Promise<unknown>): Promise<void> {
  const giveUp = performance.now() + SAY_MS
  for (;;) {
    try {
      await work()
      return
    } catch (error) {
      const isAway = error instanceof Refusal && error.code === 'busy'
      if (!isAway || performance.now() > giveUp) throw error
      await sleep(1000)
    }
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
