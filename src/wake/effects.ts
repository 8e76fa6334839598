// Effects of approvals (src/core/requests/effect.ts). The broker starts a supervisor process for each waiting effect
// and ends the effects that lost theirs. A supervisor carries out one effect and watches its program to the end.
//
// (1) The broker keeps no state that matters, so any number of brokers can run on one store.
// (2) Any number of supervisors can be started for one effect: the first one records that the effect is running, and
//     only that one starts the program.

import { SYSTEM } from '../core/event.ts'
import type { House } from '../core/house.ts'
import {
  EFFECT_HELD,
  EFFECT_LOST,
  EFFECT_SECONDS,
  effectName,
  endEffect,
  isLost,
  LOST_END,
  NO_COMMAND,
  startEffect,
} from '../core/requests/effect.ts'
import { EFFECT_COMMANDS, type EffectRun } from '../core/requests/effect-command-record.ts'
import {
  EFFECT_LEASE,
  EFFECTS,
  type Effect,
  type EffectEnd,
} from '../core/requests/effect-record.ts'
import type { OpenEffect } from '../core/requests/request-reads.ts'
import { REQUESTS, type Request } from '../core/requests/request-record.ts'
import { isDecidedHere } from '../core/requests/warrant.ts'
import type { Store, Tx } from '../core/store.ts'
import type { ThreadState } from '../core/threads/evolve.ts'
import { epochMs, type Instant, plusSeconds } from '../core/time.ts'
import type { LaunchKit, RunningProgram } from '../core/waking/launch.ts'
import {
  CUT_OFF,
  endGroup,
  failedStart,
  failureOf,
  LEASE_SECONDS,
  makeFailure,
  makeHold,
  persistEnd,
  type SupervisorContext,
  type SupervisorReport,
  waitForEnd,
} from './watch-program.ts'

export type EffectLine = {
  did: 'effect'
  request_id: string
  request_type: string
  came: 'started' | 'held' | 'failed' | 'unknown'
  why?: string
}

type EffectsContext = Pick<House, 'store' | 'allowedCommands'> &
  LaunchKit & { tell: (line: EffectLine) => void }

const OPEN_LIMIT = 1000
/** The most programs to run at the same time, so that many approvals don't take over the whole machine. */
const MOST_RUNNING = 4
/** How soon to look again at an effect whose supervisor hasn't begun or whose command is held. */
const AGAIN_MS = 2000
/** The shortest time between two looks at a lease that's about to lapse. */
const SOON_MS = 50

export function makeEffects({ store, allowedCommands, launcher, around, tell }: EffectsContext) {
  /** When to look at each waiting request again, by this process's own clock. */
  const again = new Map<string, { at: number; isBeginning: boolean }>()
  /** The last line reported about each request. */
  const told = new Map<string, string>()
  /** Effects this broker began and hasn't seen end yet. */
  const begun = new Map<string, OpenEffect>()
  let nextMs: number | null = null

  const say = (effect: OpenEffect, came: EffectLine['came'], why?: string) => {
    const { thread_id: request_id, request_type, attempt } = effect
    const news = `${attempt} ${came}`
    if (told.get(request_id) === news) return
    told.set(request_id, news)
    tell({ did: 'effect', request_id, request_type, came, ...(why === undefined ? {} : { why }) })
  }

  const endLost = async (effect: OpenEffect) => {
    if (await endEffectIf(store, effect.thread_id, isLost, LOST_END)) {
      say(effect, 'unknown', EFFECT_LOST)
    }
  }

  /** Supervisors record in the log how their effects ended. This reports the failures as broker lines. */
  const reportFailures = async (open: ReadonlySet<string>) => {
    for (const [id, effect] of begun) {
      if (open.has(id)) continue
      begun.delete(id)
      const ended = await store.rowOf(EFFECTS, id)
      if (ended?.state === 'failed') say(effect, 'failed', ended.reason)
    }
  }

  const begin = async (effect: OpenEffect): Promise<boolean> => {
    const { thread_id: request_id, request_type } = effect
    const command = await store.rowOf(EFFECT_COMMANDS, request_type)
    const isThere = command !== null && command.removed_at === null
    if (isThere && !(await allowedCommands.includes(effectName(request_type), command.run))) {
      say(effect, 'held', EFFECT_HELD)
      return false
    }
    try {
      // If the command is gone, the supervisor records that in the log.
      await launcher.supervise({ request_id }, around)
      if (isThere) {
        begun.set(request_id, effect)
        say(effect, 'started')
      } else say(effect, 'failed', NO_COMMAND)
      return true
    } catch (error) {
      say(effect, 'failed', `its supervisor cannot be started: ${(error as Error).message}`)
      return false
    }
  }

  return {
    async look(now: Instant): Promise<void> {
      const open = await store.openEffects(OPEN_LIMIT)
      const ids = new Set(open.map(({ thread_id }) => thread_id))
      await reportFailures(ids)
      for (const memory of [again, told]) {
        for (const id of memory.keys()) if (!ids.has(id)) memory.delete(id)
      }
      const running = open.filter(({ state }) => state === 'running')
      let places = MOST_RUNNING - running.length
      nextMs = null
      const soon = (ms: number) => {
        nextMs = Math.min(nextMs ?? Number.POSITIVE_INFINITY, ms)
      }
      for (const effect of running) {
        const left = epochMs(effect.expires_at ?? now) - epochMs(now)
        if (left <= 0) await endLost(effect)
        else soon(Math.max(SOON_MS, left))
      }
      const waiting = open.filter(({ state }) => state === 'waiting')
      for (const effect of waiting) {
        const { at = 0, isBeginning = false } = again.get(effect.thread_id) ?? {}
        const left = at - performance.now()
        if (left > 0) {
          soon(left)
          if (isBeginning) places -= 1
        } else if (places > 0) {
          const hasBegun = await begin(effect)
          again.set(effect.thread_id, { at: performance.now() + AGAIN_MS, isBeginning: hasBegun })
          soon(AGAIN_MS)
          if (hasBegun) places -= 1
        }
        // If no slot is left, the effect waits: one that ends frees its slot and rings the bell.
      }
    },
    nextMs: (): number | null => nextMs,
  }
}

export type EffectContext = SupervisorContext & {
  /** Formats the program's input: the payload and the warrant. */
  input: (request: Request) => Promise<string>
}

export type EffectReport = SupervisorReport<Omit<EffectEnd, 'stderr'>>

const LOST = 'it was already recorded as lost; the program was ended'

/**
 * The supervisor's part: carries out the effect of this request, unless another supervisor already has or is about to.
 */
export async function carryOut(context: EffectContext, requestId: string): Promise<EffectReport> {
  const { store } = context
  const begun = await beginEffect(context, requestId)
  if (begun === null) return { started: false }
  const { attempt } = begun.effect
  const end = await runEffect(context, begun)
  if (end === 'lost') return { started: true, state: 'unknown', exit_code: null, reason: LOST }
  const { stderr: _, ...facts } = end
  return persistEnd(facts, () => endEffectIf(store, requestId, isTry(attempt), end))
}

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
    const decision = request?.decision_message ? await tx.message(request.decision_message) : null
    if (request === null || !isDecidedHere(decision)) return null
    if (present === null || present.removed_at !== null) {
      const end = { state: 'failed', exit_code: null, reason: NO_COMMAND, stderr: '' } as const
      tx.record(state, endEffect(state, effect, end, { by: SYSTEM, now }))
      return null
    }
    // Only the exact command that was allowed is started. If it has just changed, the broker will try again.
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
    return failedStart({ command, cwd }, error)
  }
  // The program doesn't have to read its input.
  const giving = started.give(text).then(() => started.giveEnd())
  const cut = await waitForEnd({ started, signal, hold, timeoutMs: timeout_seconds * 1000 })
  const exit = await endGroup(started, cut !== null)
  await giving.catch(() => {})
  if (cut === 'lost') return 'lost'
  const facts = { exit_code: exit.code, stderr: started.stderr() }
  const reason = cut === 'cut off' ? CUT_OFF : failureOf(cut, exit, timeout_seconds)
  return reason === null
    ? { state: 'done', reason: '', ...facts }
    : { ...makeFailure(reason), ...facts }
}

async function keepEffect(store: Store, requestId: string, attempt: number): Promise<boolean> {
  const { value } = await store.write(async (tx) => {
    const found = await lockEffect(tx, requestId)
    if (found === null || !isTry(attempt)(found.effect)) return false
    tx.keep(EFFECT_LEASE, {
      thread_id: requestId,
      expires_at: plusSeconds(found.now, LEASE_SECONDS),
    })
    return true
  })
  return value
}

/** Ends an effect once: a second call changes nothing and returns false. */
async function endEffectIf(
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
