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
import type { InboxItem } from '../core/inbox/inbox-reads.ts'
import type { Store } from '../core/store.ts'
import type { Instant } from '../core/time.ts'
import type { AllowedCommands, Launcher, RunningProgram } from '../core/waking/launch.ts'
import type { Wake } from '../core/waking/wake.ts'
import { giveMail, hasMore, PAGE, type PresentableItem } from './give-mail.ts'
import { type End, endWake, keepWake, NOT_ALLOWED } from './start.ts'
import {
  CUT_OFF,
  CUT_OFF_MS,
  type CutReason,
  endGroup,
  type Hold,
  KEEP_MS,
  LEASE_SECONDS,
  makeHold,
  persist,
  SAY_MS,
  sleep,
  waitForEnd,
} from './watch-over.ts'

export type TurnContext = {
  store: Store
  allowedCommands: AllowedCommands
  launcher: Launcher
  signal: AbortSignal
  /** Writes mail as the program reads it. */
  show: (items: InboxItem[]) => string
  present: (items: PresentableItem[]) => Promise<void>
  /** For an agent of a workflow: the turn has ended well, so what it was shown since then counts as read. */
  settle?: ((items: readonly PresentableItem[], since: Instant) => Promise<void>) | undefined
  /** For an agent of a workflow: resolves with the reason when the turn is to end. */
  calledOff?: ((agent: SeenAgent, signal: AbortSignal) => Promise<string>) | undefined
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

/** How long a turn may take if the agent's settings do not say otherwise. */
const TIMEOUT_SECONDS = 1800

export async function takeTurn(
  context: TurnContext,
  wake: Pick<Wake, 'wake_id' | 'agent_id' | 'token' | 'upto_event' | 'cause'>,
): Promise<TurnReport> {
  const { store } = context
  const hold = makeHold(() => keepWake(store, wake, 'running'))
  if (!(await hold.keep(() => keepWake(store, wake, 'starting')))) return { started: false }
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
const BY_ITSELF = 'it ended with exit code'

/** Whether a turn failed by itself. Of one that was ended, only its supervisor knows why. */
export function hasFailedByItself(reason: string): boolean {
  return reason.startsWith(BY_ITSELF)
}

async function runTurn(
  context: TurnContext,
  wake: Pick<Wake, 'wake_id' | 'agent_id' | 'token' | 'upto_event' | 'cause'>,
  agent: SeenAgent,
  hold: Hold,
): Promise<End | 'lost'> {
  const { command = [], cwd, timeout_seconds = TIMEOUT_SECONDS } = agent.wake
  const admission = await context.admission?.(timeout_seconds + LEASE_SECONDS)
  const last = await context.store.lastEventId()
  const env = {
    INBOX_AGENT: agent.agent_id,
    INBOX_WAKE: wake.wake_id,
    INBOX_WAKE_CAUSE: wake.cause,
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
  const shown: PresentableItem[] = []
  const presentIf = oneAtATime(async (isTrue: () => Promise<boolean>) => {
    try {
      while (given.length > 0 && (await isTrue())) {
        await context.present(given.slice(0, PAGE))
        shown.push(...given.splice(0, PAGE))
        // Presenting much mail takes long, and at the end of a turn nothing else renews the lease.
        if (hold.msKept() >= KEEP_MS) await hold.keep()
      }
    } catch {
      // Whatever failed, the mail is still queued and is given again. The turn goes on.
    }
  })
  const hasCalled = async () => ((await context.store.agent(agent.agent_id))?.seen_at ?? '') > since
  const giving = giveMail(context, agent.agent_id, { started, given, last })
  const watching = new AbortController()
  let why = ''
  const calledOff = context.calledOff?.(agent, watching.signal).then((reason) => {
    why = reason
  })
  let cut: CutReason
  try {
    const onKept = () => presentIf(hasCalled)
    const timeoutMs = timeout_seconds * 1000
    const { signal } = context
    cut = await waitForEnd({ started, signal, hold, timeoutMs, onKept, calledOff })
  } catch (error) {
    // The store cannot be used, so nobody could record how the program went on.
    started.signal('SIGKILL')
    started.release()
    await giving.catch(() => {})
    throw error
  } finally {
    watching.abort()
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
  if (cut === 'called off') return { ...failed(why), ...rest }
  if (cut === 'stopped') return { ...failed('it was ended from outside'), ...rest }
  if (signal !== null) return { ...failed(`it was ended by ${signal}`), ...rest }
  if (code !== 0) return { ...failed(`${BY_ITSELF} ${code}`), ...rest }
  if (!isAll && (await hasMore(context.store, agent.agent_id, upto))) {
    return { ...failed('it ended without taking all of its mail'), ...rest }
  }
  try {
    await persist(async () => context.settle?.(shown, since))
  } catch {
    // Mail that stays unread behind a turn that ended well would lead to no other turn.
    return { ...failed('its mail could not be marked as read'), ...rest }
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
