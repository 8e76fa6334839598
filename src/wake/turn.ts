// One turn of an agent, watched from start to end by a supervisor, a process of its own.
//
// (1) No program is started before the wake has gone from `starting` to `running` under the right token.
//     That happens once, so two supervisors of the same wake start one program.
// (2) The supervisor keeps the wake's lease alive while the program runs. If it finds that the wake was
//     ended as lost, it kills the program and says nothing. If it cannot reach the store for nearly as long
//     as a lease lasts, by its own clock, it ends the program before anybody may think the wake lost. So an
//     agent never runs twice.
// (3) The program runs in a process group of its own. The whole group ends with the turn, with its time, or
//     with the supervisor.
// (4) Unread mail goes to the program's standard input, page by page. Room in the pipe says nothing about
//     the program, so mail counts as presented once the agent makes a call in the turn, or the program ends
//     with exit code 0. The mail of a failed turn is still queued and is given again.

import type { SeenAgent } from '../core/agents/agent.ts'
import { Refusal } from '../core/error.ts'
import type { InboxItem } from '../core/inbox/inbox-reads.ts'
import type { Store } from '../core/store.ts'
import type {
  AllowedCommands,
  Launcher,
  ProgramExit,
  RunningProgram,
} from '../core/waking/launch.ts'
import type { Wake } from '../core/waking/wake.ts'
import { giveMail, hasMore, PAGE, type PresentableItem } from './give-mail.ts'
import { type End, endWake, keepWake, LEASE_SECONDS, NOT_ALLOWED } from './start.ts'

export type TurnContext = {
  store: Store
  allowedCommands: AllowedCommands
  launcher: Launcher
  signal: AbortSignal
  /** Writes mail as the program reads it. */
  show: (items: InboxItem[]) => string
  present: (items: PresentableItem[]) => Promise<void>
  /**
   * Variables with which the program can call the server that woke it, valid for at most this many seconds.
   */
  admission?: ((seconds: number) => Promise<Record<string, string>>) | undefined
}

export type TurnReport = { started: boolean } & Partial<
  Pick<Wake, 'state' | 'exit_code' | 'reason'>
> & {
    /** The store is out of reach: the end was not recorded, and closing the store may never return. */
    unheard?: true
  }

const KEEP_MS = (LEASE_SECONDS * 1000) / 3
/** How long a program that was asked to end may take to do so. */
const GRACE_MS = 5000
/**
 * A supervisor that could not renew its lease for this long ends its program while the wake is still its
 * own: the grace period fits in, and some time is left.
 */
const CUT_OFF_MS = LEASE_SECONDS * 1000 - GRACE_MS - 3000
/** How long the supervisor tries to record the end of a turn while the store is away. */
const SAY_MS = (LEASE_SECONDS * 1000) / 2
/** How long a turn may take if the agent's settings do not say otherwise. */
const TIMEOUT_SECONDS = 1800

export async function takeTurn(
  context: TurnContext,
  wake: Pick<Wake, 'wake_id' | 'agent_id' | 'token' | 'upto_event'>,
): Promise<TurnReport> {
  const { store } = context
  const hold = makeHold(store, wake)
  if (!(await hold.keep('starting'))) return { started: false }
  const agent = await store.agent(wake.agent_id)
  if (agent === null) throw new Error(`wake ${wake.wake_id} is for nobody`)
  const end = await runTurn(context, wake, agent, hold)
  if (end === 'lost') return { started: true, state: 'lost', exit_code: null, reason: LOST }
  const { state, exit_code, reason } = end
  const turn = { started: true, state, exit_code, reason }
  // The store may be away for a moment; the lease leaves time to try again.
  const saying = persist(() => endWake(store, wake, ({ token }) => token === wake.token, end))
  if (reason !== CUT_OFF) {
    await saying
    return turn
  }
  // The store may still answer in time to record this. If not, the wake lapses.
  const said = saying.then(
    () => true,
    () => false,
  )
  const isHeard = await Promise.race([said, sleep(SAY_MS).then(() => false)])
  return isHeard ? turn : { ...turn, unheard: true }
}

const LOST = 'others think it lost; it was ended'
const CUT_OFF = `its store was out of reach for ${CUT_OFF_MS / 1000} s; it was ended`

type Hold = ReturnType<typeof makeHold>

/**
 * The supervisor's hold on its wake: how long ago the lease was last renewed, by a clock that nobody can
 * set.
 */
function makeHold(store: Store, wake: Pick<Wake, 'wake_id' | 'token'>) {
  let keptAt = performance.now()
  return {
    async keep(from: Wake['state'] = 'running'): Promise<boolean> {
      // Taken before the call, because the store's own count starts later.
      const askedAt = performance.now()
      const isOurs = await keepWake(store, wake, from)
      if (isOurs) keptAt = askedAt
      return isOurs
    },
    msKept: () => performance.now() - keptAt,
  }
}

async function runTurn(
  context: TurnContext,
  wake: Pick<Wake, 'wake_id' | 'agent_id' | 'token' | 'upto_event'>,
  agent: SeenAgent,
  hold: Hold,
): Promise<End | 'lost'> {
  const { command = [], cwd, timeout_seconds = TIMEOUT_SECONDS } = agent.wake
  const admission = await context.admission?.(timeout_seconds + LEASE_SECONDS)
  const last = await context.store.lastEventId()
  const env = {
    INBOX_AGENT: agent.agent_id,
    INBOX_WAKE: wake.wake_id,
    // The program's hooks do not repeat what it gets on standard input.
    INBOX_WAKE_MAIL: String(last),
    ...admission,
  }
  const since = await context.store.now()
  if (hold.msKept() >= CUT_OFF_MS) return failed(CUT_OFF)
  // The command may have changed since the broker looked, so the very words that start now are checked.
  if (!(await context.allowedCommands.includes(agent.agent_id, agent.wake)))
    return failed(NOT_ALLOWED)
  let started: RunningProgram
  try {
    started = await context.launcher.start({ command, cwd, env })
  } catch (error) {
    const where = cwd === undefined ? '' : ` in ${cwd}`
    const why = (error as Error).message
    return failed(`${command[0] ?? 'nothing'} cannot be started${where}: ${why}`)
  }
  const given: PresentableItem[] = []
  const presentIf = oneAtATime(async (isTrue: () => Promise<boolean>) => {
    try {
      while (given.length > 0 && (await isTrue())) {
        await context.present(given.slice(0, PAGE))
        given.splice(0, PAGE)
        // Presenting much mail takes long, and at the end of a turn nothing else renews the lease.
        if (hold.msKept() >= KEEP_MS) await hold.keep()
      }
    } catch {
      // Whatever failed, the mail is still queued and is given again. The turn goes on.
    }
  })
  const hasCalled = async () => ((await context.store.agent(agent.agent_id))?.seen_at ?? '') > since
  const giving = giveMail(context, agent.agent_id, { started, given, last })
  let cut: CutReason
  try {
    const onKept = () => presentIf(hasCalled)
    cut = await waitForEnd(context, hold, { started, timeoutMs: timeout_seconds * 1000, onKept })
  } catch (error) {
    // The store cannot be used, so nobody could record how the program went on.
    started.signal('SIGKILL')
    await giving.catch(() => {})
    throw error
  }
  const { code, signal } = await endGroup(started, cut !== null)
  // The mail that the program took stays queued: the store that would note it is out of reach.
  if (cut === 'cut off') return { ...failed(CUT_OFF), exit_code: code, stderr: started.stderr() }
  const { upto, isAll } = await giving
  const hasEndedWell = cut === null && signal === null && code === 0
  await presentIf(async () => hasEndedWell || (await hasCalled()))
  const upto_event = Math.max(upto, isAll ? wake.upto_event : 0)
  const rest = { upto_event, exit_code: code, stderr: started.stderr() }
  if (cut === 'lost') return 'lost'
  if (cut === 'timeout') {
    return { ...failed(`it took longer than ${timeout_seconds} s and was ended`), ...rest }
  }
  if (cut === 'stopped') return { ...failed('it was ended from outside'), ...rest }
  if (signal !== null) return { ...failed(`it was ended by ${signal}`), ...rest }
  if (code !== 0) return { ...failed(`it ended with exit code ${code}`), ...rest }
  if (!isAll && (await hasMore(context.store, agent.agent_id, upto))) {
    return { ...failed('it ended without taking all of its mail'), ...rest }
  }
  return { ...rest, state: 'ended', reason: '' }
}

function oneAtATime<A>(work: (arg: A) => Promise<void>): (arg: A) => Promise<void> {
  let before = Promise.resolve()
  return (arg) => {
    before = before.then(() => work(arg))
    return before
  }
}

function failed(reason: string): End {
  return { state: 'failed', exit_code: null, reason: reason.slice(0, 1000), stderr: '' }
}

type CutReason = 'timeout' | 'stopped' | 'lost' | 'cut off' | null

/** Resolves when the program ends by itself, or with the reason to end it. */
function waitForEnd(
  { signal }: TurnContext,
  hold: Hold,
  {
    started,
    timeoutMs,
    onKept,
  }: { started: RunningProgram; timeoutMs: number; onKept: () => Promise<void> },
): Promise<CutReason> {
  return new Promise((resolve, reject) => {
    let keeping: ReturnType<typeof setTimeout> | undefined
    let watching: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const stop = () => finish('stopped')
    const finish = (cut: CutReason) => {
      isOver = true
      clearTimeout(keeping)
      clearTimeout(watching)
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      resolve(cut)
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
      if (!isOver) keeping = setTimeout(() => keep().catch(reject), KEEP_MS)
    }
    keeping = setTimeout(() => keep().catch(reject), KEEP_MS)
    // The watch is separate from the renewal, which may itself hang on a store that does not answer.
    const watch = () => {
      const left = CUT_OFF_MS - hold.msKept()
      if (left <= 0) return finish('cut off')
      watching = setTimeout(watch, left)
    }
    watch()
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    started.ended.then(() => finish(null), reject)
  })
}

/** Ends the process group: gently if the program still runs, and with SIGKILL in any case. */
async function endGroup(started: RunningProgram, isRunning: boolean): Promise<ProgramExit> {
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

async function persist(work: () => Promise<unknown>): Promise<void> {
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
