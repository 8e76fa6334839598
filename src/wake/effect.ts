// The effect of one approved request (src/core/requests/effect.ts), watched from start to end by a process of its own.
// Any number of such processes may be started for one effect: the first records that it runs, and starts the program.

import { SYSTEM } from '../core/event.ts'
import {
  EFFECT_SECONDS,
  effectName,
  endEffect,
  NO_COMMAND,
  startEffect,
} from '../core/requests/effect.ts'
import { EFFECT_COMMANDS, type EffectRun } from '../core/requests/effect-command-record.ts'
import { EFFECTS, type Effect, type EffectEnd } from '../core/requests/effect-record.ts'
import { REQUESTS, type Request } from '../core/requests/request-record.ts'
import { isDecidedHere } from '../core/requests/warrant.ts'
import type { Store, Tx } from '../core/store.ts'
import type { ThreadState } from '../core/threads/evolve.ts'
import { type Instant, plusSeconds } from '../core/time.ts'
import type { AllowedCommands, Launcher, RunningProgram } from '../core/waking/launch.ts'
import {
  CUT_OFF,
  type CutReason,
  endGroup,
  LEASE_SECONDS,
  makeHold,
  persist,
  SAY_MS,
  sleep,
  waitForEnd,
} from './watch-over.ts'

export type EffectContext = {
  store: Store
  allowedCommands: AllowedCommands
  launcher: Launcher
  signal: AbortSignal
  /** Writes what the program reads: the payload and the warrant. */
  input: (request: Request) => Promise<string>
}

export type EffectReport = { started: boolean } & Partial<Omit<EffectEnd, 'stderr'>> & {
    /** The store is out of reach: the end was not recorded, and closing the store may never return. */
    unheard?: true
  }

/** Carries out the effect of this request, unless somebody else does or did. */
export async function carryOut(context: EffectContext, requestId: string): Promise<EffectReport> {
  const { store } = context
  const begun = await beginEffect(context, requestId)
  if (begun === null) return { started: false }
  const { attempt } = begun.effect
  const end = await runEffect(context, begun)
  if (end === 'lost') return { started: true, state: 'unknown', exit_code: null, reason: LOST }
  const { stderr: _, ...said } = end
  const report = { started: true, ...said }
  const saying = persist(() => endEffectIf(store, requestId, isTry(attempt), end)).then(
    () => true,
    (error) => {
      if (end.reason !== CUT_OFF) throw error
      return false
    },
  )
  if (end.reason !== CUT_OFF) {
    await saying
    return report
  }
  // The store may still answer in time to record this. If not, nobody knows how the effect ended.
  const isHeard = await Promise.race([saying, sleep(SAY_MS).then(() => false)])
  return isHeard ? report : { ...report, unheard: true }
}

const LOST = 'others think that nobody watches over it; it was ended'

const isTry = (attempt: number) => (effect: Effect) =>
  effect.attempt === attempt && effect.state === 'running'

type BegunEffect = { request: Request; effect: Effect; run: EffectRun }

async function beginEffect(
  { store, allowedCommands }: EffectContext,
  requestId: string,
): Promise<BegunEffect | null> {
  const asked = await store.rowOf(REQUESTS, requestId)
  if (asked === null) return null
  const { request_type } = asked
  const command = await store.rowOf(EFFECT_COMMANDS, request_type)
  const isAllowed =
    command !== null && (await allowedCommands.includes(effectName(request_type), command.run))
  const { value } = await store.write(async (tx) => {
    const found = await lockEffect(tx, requestId)
    if (found === null || found.effect.state !== 'waiting') return null
    const { state, now, effect } = found
    const [request, present] = await Promise.all([
      tx.rowOf(REQUESTS, requestId),
      tx.rowOf(EFFECT_COMMANDS, request_type),
    ])
    const said = request?.decision_message ? await tx.message(request.decision_message) : null
    if (request === null || !isDecidedHere(said)) return null
    if (present === null || present.removed_at !== null) {
      const end = { state: 'failed', exit_code: null, reason: NO_COMMAND, stderr: '' } as const
      tx.record(state, endEffect(state, effect, end, { by: SYSTEM, now }))
      return null
    }
    // The very words that start now were allowed. If somebody has just changed them, the broker comes again.
    if (!isAllowed || JSON.stringify(present.run) !== JSON.stringify(command.run)) return null
    const by = { by: SYSTEM, now, leaseSeconds: LEASE_SECONDS }
    tx.record(state, startEffect(state, effect, by))
    return { request, effect, run: present.run }
  })
  return value
}

async function runEffect(
  context: EffectContext,
  { request, effect, run }: BegunEffect,
): Promise<EffectEnd | 'lost'> {
  const { store, launcher, signal } = context
  const { command = [], cwd, timeout_seconds = EFFECT_SECONDS } = run
  const { thread_id: id } = request
  const hold = makeHold(() => keepEffect(store, id, effect.attempt))
  let started: RunningProgram
  let text: string
  try {
    text = await context.input(request)
    started = await launcher.start({ command, cwd, env: { INBOX_REQUEST: id } })
  } catch (error) {
    const where = cwd === undefined ? '' : ` in ${cwd}`
    return failed(
      `${command[0] ?? 'nothing'} cannot be started${where}: ${(error as Error).message}`,
    )
  }
  // A program need not read all of it, or anything.
  const giving = started.give(text).then(() => started.giveEnd())
  let cut: CutReason
  try {
    cut = await waitForEnd({ started, signal, hold, timeoutMs: timeout_seconds * 1000 })
  } catch (error) {
    // The store cannot be used, so nobody could record how the program went on.
    started.signal('SIGKILL')
    started.release()
    throw error
  }
  const { code, signal: by } = await endGroup(started, cut !== null)
  await giving.catch(() => {})
  const rest = { exit_code: code, stderr: started.stderr() }
  if (cut === 'lost') return 'lost'
  if (cut === 'cut off') return { ...failed(CUT_OFF), ...rest }
  if (cut === 'timeout') {
    return { ...failed(`it took longer than ${timeout_seconds} s and was ended`), ...rest }
  }
  if (cut === 'stopped') return { ...failed('it was ended from outside'), ...rest }
  if (by !== null) return { ...failed(`it was ended by ${by}`), ...rest }
  if (code !== 0) return { ...failed(`it ended with exit code ${code}`), ...rest }
  return { state: 'done', reason: '', ...rest }
}

function failed(reason: string): EffectEnd {
  return { state: 'failed', exit_code: null, reason: reason.slice(0, 1000), stderr: '' }
}

async function keepEffect(store: Store, requestId: string, attempt: number): Promise<boolean> {
  const { value } = await store.write(async (tx) => {
    const found = await lockEffect(tx, requestId)
    if (found === null || !isTry(attempt)(found.effect)) return false
    tx.keepEffect(requestId, plusSeconds(found.now, LEASE_SECONDS))
    return true
  })
  return value
}

/** Ends an effect once: a second caller changes nothing and gets false. */
export async function endEffectIf(
  store: Store,
  requestId: string,
  isStill: (effect: Effect, now: Instant) => boolean,
  end: EffectEnd,
): Promise<boolean> {
  const { value } = await store.write(async (tx) => {
    const found = await lockEffect(tx, requestId)
    if (found === null || !isStill(found.effect, found.now)) return false
    const { state, effect, now } = found
    tx.record(state, endEffect(state, effect, end, { by: SYSTEM, now }))
    return true
  })
  return value
}

type LockedEffect = { state: ThreadState; now: Instant; effect: Effect }

async function lockEffect(tx: Tx, requestId: string): Promise<LockedEffect | null> {
  const [locked, effect] = await Promise.all([tx.lock(requestId), tx.rowOf(EFFECTS, requestId)])
  return locked === null || effect === null ? null : { ...locked, effect }
}
