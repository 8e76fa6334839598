// Watches a program that was started for the store (a turn or an effect) until it ends or has to be ended.
//
// (1) The supervisor keeps a lease alive while the program runs. If it finds that it no longer holds the lease, it
//     ends the program without recording anything.
// (2) If it can't reach the store for nearly as long as a lease lasts, by a monotonic clock, it ends the program
//     before anyone can consider it lost.

import { Refusal } from '../core/error.ts'
import type { House } from '../core/house.ts'
import type { Launcher, Program, ProgramExit, RunningProgram } from '../core/waking/launch.ts'

/** How long a lease lasts. It's renewed after a third of this. */
export const LEASE_SECONDS = 30

export const KEEP_MS = (LEASE_SECONDS * 1000) / 3
/** How long a program may take to end after SIGTERM. */
const GRACE_MS = 5000
/**
 * After this long without a renewal, the program is ended. Its lease then lasts for the grace period, with some time to
 * spare.
 */
export const CUT_OFF_MS = LEASE_SECONDS * 1000 - GRACE_MS - 3000
/** How long to keep trying to record an end if the store is unreachable. */
const SAY_MS = (LEASE_SECONDS * 1000) / 2

export const CUT_OFF = `its store was out of reach for ${CUT_OFF_MS / 1000} s; it was ended`

/** The context of a supervisor of either a turn or an effect. */
export type SupervisorContext = Pick<House, 'store' | 'allowedCommands'> & {
  launcher: Launcher
  signal: AbortSignal
}

export type SupervisorReport<End> = { started: boolean } & Partial<End> & {
    /** True if the store is out of reach: the end wasn't recorded, and closing the store may never return. */
    unheard?: true
  }

/** The hold on a lease, and how long ago it was renewed, by a monotonic clock. */
export type Hold = ReturnType<typeof makeHold>

export function makeHold(keep: () => Promise<boolean>) {
  let keptAt = performance.now()
  return {
    /** Renews the lease. Returns false if it has ended or someone else holds it. */
    async keep(renew = keep): Promise<boolean> {
      // Read before the call, because the store starts counting after it.
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
  /** Called after each renewal of the lease. */
  onKept?: () => Promise<void>
  /** Resolves when the program should no longer continue. */
  cancelled?: Promise<unknown> | undefined
}

/** Why a program was ended; null if it ended on its own. */
export type CutReason = 'timeout' | 'stopped' | 'lost' | 'cut off' | 'cancelled' | null

/** Resolves when the program ends, or with the reason to end it. If the store fails, kills it and rejects. */
export function waitForEnd({
  started,
  signal,
  hold,
  timeoutMs,
  onKept = async () => {},
  cancelled,
}: WatchedProgram): Promise<CutReason> {
  return new Promise((resolve, reject) => {
    let keeping: ReturnType<typeof setTimeout> | undefined
    let watching: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const stop = () => finish('stopped')
    // A leftover timer would keep the process alive with nothing to do.
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
    // The store can't be used, so nothing the program does from now on could be recorded.
    const fail = (error: unknown) => {
      if (isOver) return
      leave()
      started.signal('SIGKILL')
      started.release()
      reject(error)
    }
    const timer = setTimeout(() => finish('timeout'), timeoutMs)
    const keep = async () => {
      const isOurs = await hold.keep().catch((error) => {
        // If the store is briefly unreachable, keep trying. The watch below limits for how long.
        if (error instanceof Refusal && error.code === 'busy') return true
        throw error
      })
      if (!isOurs) return finish('lost')
      if (!isOver) await onKept()
      if (!isOver) keeping = setTimeout(() => keep().catch(fail), KEEP_MS)
    }
    keeping = setTimeout(() => keep().catch(fail), KEEP_MS)
    // Separate from the renewal, which may itself hang on a store that doesn't answer.
    const watch = () => {
      const left = CUT_OFF_MS - hold.msKept()
      if (left <= 0) return finish('cut off')
      watching = setTimeout(watch, left)
    }
    watch()
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    cancelled?.then(() => finish('cancelled'), fail)
    started.ended.then(() => finish(null), fail)
  })
}

/** Ends the process group: with SIGTERM first if the program is still running, and then always with SIGKILL. */
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

/** Describes the end of a program that failed without an exit code. */
export function makeFailure(reason: string) {
  return { state: 'failed', exit_code: null, reason: reason.slice(0, 1000), stderr: '' } as const
}

export function failedStart({ command, cwd }: Omit<Program, 'env'>, error: unknown) {
  const where = cwd === undefined ? '' : ` in ${cwd}`
  return makeFailure(
    `${command[0] ?? 'nothing'} cannot be started${where}: ${(error as Error).message}`,
  )
}

const BY_ITSELF = 'it ended with exit code'

/** Why the program failed, or null if it ended with exit code 0. */
export function failureOf(
  cut: CutReason,
  { code, signal }: ProgramExit,
  timeoutSeconds: number,
): string | null {
  if (cut === 'timeout') return `it took longer than ${timeoutSeconds} s and was ended`
  if (cut === 'stopped') return 'it was ended from outside'
  if (signal !== null) return `it was ended by ${signal}`
  return code === 0 ? null : `${BY_ITSELF} ${code}`
}

/** Whether the program failed on its own. Otherwise something ended it, and only its supervisor knows why. */
export function hasFailedByItself(reason: string): boolean {
  return reason.startsWith(BY_ITSELF)
}

/**
 * Records the end of a program. If the program was cut off, the store may still come back in time. If it doesn't, the
 * end isn't recorded and the lease lapses.
 */
export async function persistEnd<End extends { reason: string }>(
  end: End,
  record: () => Promise<unknown>,
): Promise<SupervisorReport<End>> {
  const heard = { started: true, ...end }
  const unheard = { ...heard, unheard: true } as const
  const saving = persist(record).then(() => heard)
  if (end.reason !== CUT_OFF) return saving
  return Promise.race([saving.catch(() => unheard), sleep(SAY_MS).then(() => unheard)])
}

/** Keeps trying to record an end for a while if the store is unreachable. */
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

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
