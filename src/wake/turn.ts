// One turn of an agent, watched from start to end by its supervisor, which is a separate process.
//
// (1) No program starts before the wake has moved from `starting` to `running` under the right token. That happens only
//     once, so two supervisors of the same wake start one program.
// (2) The supervisor keeps the wake's lease alive while the program runs. If it finds that the wake was ended as lost,
//     it kills the program without recording anything. If it can't reach the store for nearly as long as a lease lasts,
//     by its own clock, it ends the program before anyone can consider the wake lost. So an agent never runs twice.
// (3) The program runs in its own process group. The whole group is ended after the turn, at the time limit, or with
//     the supervisor.
// (4) Unread mail goes to the program's standard input, page by page. A pipe with room doesn't mean that the program
//     reads it, so mail counts as presented once the agent makes a call during the turn, or once the program ends with
//     exit code 0. The mail of a failed turn stays queued and is given again.

import type { SeenAgent } from '../core/agents/agent.ts'
import type { InboxItem } from '../core/inbox/inbox-reads.ts'
import type { Store } from '../core/store.ts'
import type { Instant } from '../core/time.ts'
import type { RunningProgram } from '../core/waking/launch.ts'
import type { Wake } from '../core/waking/wake-record.ts'
import { endWake, keepWake, NOT_ALLOWED, type WakeEnd } from './wake-life.ts'
import {
  CUT_OFF,
  CUT_OFF_MS,
  type CutReason,
  endGroup,
  failedStart,
  failureOf,
  type Hold,
  KEEP_MS,
  LEASE_SECONDS,
  makeFailure,
  makeHold,
  persist,
  persistEnd,
  type SupervisorContext,
  type SupervisorReport,
  waitForEnd,
} from './watch-program.ts'

export type TurnContext = SupervisorContext & {
  /** Formats mail for the program to read. */
  show: (items: InboxItem[]) => string
  present: (items: PresentableItem[]) => Promise<void>
  /** For an agent of a workflow: marks the mail it was shown as read after a successful turn. */
  markRead?: ((items: readonly PresentableItem[], since: Instant) => Promise<void>) | undefined
  /** For an agent of a workflow: resolves with the reason when the turn should end. */
  waitForCancel?: ((agent: SeenAgent, signal: AbortSignal) => Promise<string>) | undefined
  /** Environment variables that let the program call the server that woke it, valid for this many seconds. */
  admission?: ((seconds: number) => Promise<Record<string, string>>) | undefined
}

export type TurnReport = SupervisorReport<Pick<Wake, 'state' | 'exit_code' | 'reason'>>

/** The part of an inbox item that's needed to mark it presented after the program got it. */
export type PresentableItem = Pick<InboxItem, 'event_id' | 'thread_id' | 'state'>

/** How long a turn may take if the agent's settings don't set a limit. */
const TIMEOUT_SECONDS = 1800
/** How many messages go into one write to the program. */
const PAGE = 100

const LOST = 'its wake was already recorded as lost; the program was ended'

type TurnWake = Pick<Wake, 'wake_id' | 'agent_id' | 'token' | 'upto_event' | 'cause'>

export async function takeTurn(context: TurnContext, wake: TurnWake): Promise<TurnReport> {
  const { store } = context
  const hold = makeHold(() => keepWake(store, wake, 'running'))
  if (!(await hold.keep(() => keepWake(store, wake, 'starting')))) return { started: false }
  const agent = await store.agent(wake.agent_id)
  if (agent === null) throw new Error(`wake ${wake.wake_id} is for nobody`)
  const end = await runTurn(context, wake, agent, hold)
  if (end === 'lost') return { started: true, state: 'lost', exit_code: null, reason: LOST }
  const { state, exit_code, reason } = end
  const isOurs = ({ token }: Wake) => token === wake.token
  return persistEnd({ state, exit_code, reason }, () => endWake(store, wake, isOurs, end))
}

async function runTurn(
  context: TurnContext,
  wake: TurnWake,
  agent: SeenAgent,
  hold: Hold,
): Promise<WakeEnd | 'lost'> {
  const { store } = context
  const { timeout_seconds = TIMEOUT_SECONDS } = agent.wake
  const admission = await context.admission?.(timeout_seconds + LEASE_SECONDS)
  const last = await store.lastEventId()
  const since = await store.now()
  if (hold.msKept() >= CUT_OFF_MS) return makeFailure(CUT_OFF)
  const started = await startProgram(context, agent, {
    INBOX_AGENT: agent.agent_id,
    INBOX_WAKE: wake.wake_id,
    INBOX_WAKE_CAUSE: wake.cause,
    // Keeps the program's hooks from repeating the mail it gets on standard input.
    INBOX_WAKE_MAIL: String(last),
    ...admission,
  })
  if ('reason' in started) return started
  const mail = makeMailTracker(context, hold)
  const hasCalled = async () => ((await store.agent(agent.agent_id))?.seen_at ?? '') > since
  const giving = giveMail(context, agent.agent_id, { started, given: mail.given, last })
  const watching = new AbortController()
  let why = ''
  const cancelled = context.waitForCancel?.(agent, watching.signal).then((reason) => {
    why = reason
  })
  let cut: CutReason
  try {
    cut = await waitForEnd({
      started,
      signal: context.signal,
      hold,
      timeoutMs: timeout_seconds * 1000,
      onKept: () => mail.presentIf(hasCalled),
      cancelled,
    })
  } catch (error) {
    await giving.catch(() => {})
    throw error
  } finally {
    watching.abort()
  }
  const exit = await endGroup(started, cut !== null)
  const stderr = started.stderr()
  // The mail the program took stays queued, because the store that would record it is unreachable.
  if (cut === 'cut off') return { ...makeFailure(CUT_OFF), exit_code: exit.code, stderr }
  const { upto, isAll } = await giving
  const hasEndedWell = cut === null && exit.signal === null && exit.code === 0
  await mail.presentIf(async () => hasEndedWell || (await hasCalled()))
  if (cut === 'lost') return 'lost'
  const upto_event = Math.max(upto, isAll ? wake.upto_event : 0)
  const facts = { upto_event, exit_code: exit.code, stderr }
  const reason = cut === 'cancelled' ? why : failureOf(cut, exit, timeout_seconds)
  if (reason !== null) return { ...makeFailure(reason), ...facts }
  if (!isAll && (await hasMore(store, agent.agent_id, upto))) {
    return { ...makeFailure('it ended without taking all of its mail'), ...facts }
  }
  try {
    await persist(async () => context.markRead?.(mail.shown, since))
  } catch {
    // If the turn counted as successful, mail left unread wouldn't lead to another turn.
    return { ...makeFailure('its mail could not be marked as read'), ...facts }
  }
  return { ...facts, state: 'ended', reason: '' }
}

async function startProgram(
  { allowedCommands, launcher }: TurnContext,
  { agent_id, wake }: SeenAgent,
  env: Record<string, string>,
): Promise<RunningProgram | WakeEnd> {
  const { command = [], cwd } = wake
  // The command may have changed since the broker looked, so check exactly what is about to start.
  if (!(await allowedCommands.includes(agent_id, wake))) return makeFailure(NOT_ALLOWED)
  try {
    return await launcher.start({ command, cwd, env })
  } catch (error) {
    return failedStart({ command, cwd }, error)
  }
}

/** Tracks the mail the program was given, and marks it presented once the condition holds. */
function makeMailTracker({ present }: TurnContext, hold: Hold) {
  const given: PresentableItem[] = []
  const shown: PresentableItem[] = []
  const presentIf = oneAtATime(async (isTrue: () => Promise<boolean>) => {
    try {
      while (given.length > 0 && (await isTrue())) {
        await present(given.slice(0, PAGE))
        shown.push(...given.splice(0, PAGE))
        // Presenting a lot of mail takes a while, and at the end of a turn nothing else renews the lease.
        if (hold.msKept() >= KEEP_MS) await hold.keep()
      }
    } catch {
      // The mail is still queued and will be given again. The turn continues.
    }
  })
  return { given, shown, presentIf }
}

/**
 * Gives the program its unread mail up to an event. Mail that arrives later is for the next turn, because the program
 * waits for the end of its input.
 */
async function giveMail(
  { store, show }: Pick<TurnContext, 'store' | 'show'>,
  recipient: string,
  { started, given, last }: { started: RunningProgram; given: PresentableItem[]; last: number },
): Promise<{ upto: number; isAll: boolean }> {
  let upto = 0
  try {
    for (;;) {
      const page = await store.inbox({ recipient, unreadOnly: true, after: upto, limit: PAGE })
      const items = page.filter(({ event_id }) => event_id <= last)
      if (items.length > 0) {
        if (!(await started.give(show(items)))) return { upto, isAll: false }
        upto = items.at(-1)?.event_id ?? upto
        given.push(
          ...items.map(({ event_id, thread_id, state }) => ({ event_id, thread_id, state })),
        )
      }
      // A page may be short because its messages are long, so only an empty page means that there's no more mail.
      if (page.length === 0 || items.length < page.length) return { upto, isAll: true }
    }
  } catch {
    // The remaining mail is still queued, and the turn continues with what the program has. An error here must not end
    // the supervisor of a running program.
    return { upto, isAll: false }
  } finally {
    started.giveEnd()
  }
}

async function hasMore(store: Store, recipient: string, after: number): Promise<boolean> {
  return (await store.heads({ recipient, after, limit: 1 })).length > 0
}

function oneAtATime<A>(work: (arg: A) => Promise<void>): (arg: A) => Promise<void> {
  let before = Promise.resolve()
  return (arg) => {
    before = before.then(() => work(arg))
    return before
  }
}
