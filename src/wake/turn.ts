// One turn of an agent, watched over from its start to its end by a process of its own.
//
// (1) Nothing is started before the wake has gone from `starting` to `running` under the right token.
//     That happens once; so two who were told to start the same wake start it once.
// (2) While it runs, its lease is kept alive. Who finds that the wake is over (it was thought lost)
//     kills what it started and says nothing. Who cannot reach the store for nearly as long as a lease
//     lasts, by its own clock, ends what it started before others may think it lost: an agent does not
//     run twice.
// (3) The program runs in a process group of its own. At the end of the turn, of its time, or of the
//     process that watches over it, the whole group ends.
// (4) Its unread mail goes to standard input, page by page. That a pipe had room for it says nothing of
//     the program: it counts as presented once the agent makes a call in the turn, or the program ends
//     well. What a turn that failed was given is still queued, and is given again.

import type { SeenAgent } from '../core/agents/agent.ts'
import { Refusal } from '../core/error.ts'
import type { InboxItem } from '../core/inbox/inbox-reads.ts'
import type { Store } from '../core/store.ts'
import type { AllowedCommands, Ending, Launcher, Started } from '../core/waking/launch.ts'
import type { Wake } from '../core/waking/wake.ts'
import { type End, endWake, keepWake, LEASE_SECONDS, NOT_ALLOWED } from './start.ts'

export type TurnContext = {
  store: Store
  allowedCommands: AllowedCommands
  launcher: Launcher
  signal: AbortSignal
  /** Mail as the program reads it. */
  show: (items: InboxItem[]) => string
  present: (items: Given[]) => Promise<void>
  /** Variables that let it speak at the server that woke it, good for so long at most. */
  admission?: ((seconds: number) => Promise<Record<string, string>>) | undefined
}

/** Of what went to the program, as much as presenting it needs. */
type Given = Pick<InboxItem, 'event_id' | 'thread_id' | 'state'>

export type Turn = { started: boolean } & Partial<Pick<Wake, 'state' | 'exit_code' | 'reason'>> & {
    /** The store is out of reach: nobody was told, and closing it may take for ever. */
    unheard?: true
  }

const KEEP_MS = (LEASE_SECONDS * 1000) / 3
/** A program that was asked to end has so long to do it. */
const GRACE_MS = 5000
/** Who has not kept its wake for so long ends its program while the wake is still its own: there is time
 *  for that, and some to spare. */
const CUT_OFF_MS = LEASE_SECONDS * 1000 - GRACE_MS - 3000
/** How a turn ended is said for so long, if the store is away. */
const SAY_MS = (LEASE_SECONDS * 1000) / 2
/** As many messages as one write to the program carries. */
const PAGE = 100
/** A turn is ended after so long, if the agent's settings do not say otherwise. */
const TIMEOUT_SECONDS = 1800

export async function takeTurn(
  context: TurnContext,
  wake: Pick<Wake, 'wake_id' | 'agent_id' | 'token' | 'upto_event'>,
): Promise<Turn> {
  const { store } = context
  const hold = makeHold(store, wake)
  if (!(await hold.keep('starting'))) return { started: false }
  const agent = await store.agent(wake.agent_id)
  if (agent === null) throw new Error(`wake ${wake.wake_id} is for nobody`)
  const end = await runTurn(context, wake, agent, hold)
  if (end === 'lost') return { started: true, state: 'lost', exit_code: null, reason: LOST }
  const { state, exit_code, reason } = end
  const turn = { started: true, state, exit_code, reason }
  // The store may be away for a moment; the lease has time left for that.
  const saying = persist(() => endWake(store, wake, ({ token }) => token === wake.token, end))
  if (reason !== CUT_OFF) {
    await saying
    return turn
  }
  // It may be so near that this is heard. If not, the wake lapses.
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

/** Our hold on a wake: since when it was last said that it is alive, by a clock nobody can set. */
function makeHold(store: Store, wake: Pick<Wake, 'wake_id' | 'token'>) {
  let keptAt = performance.now()
  return {
    async keep(from: Wake['state'] = 'running'): Promise<boolean> {
      // Before it is asked: the store's own count begins later.
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
  const env = { INBOX_AGENT: agent.agent_id, INBOX_WAKE: wake.wake_id, ...admission }
  const since = await context.store.now()
  if (hold.msKept() >= CUT_OFF_MS) return failed(CUT_OFF)
  // Of the very words that are started now, whatever the broker saw.
  if (!(await context.allowedCommands.includes(agent.agent_id, agent.wake)))
    return failed(NOT_ALLOWED)
  let started: Started
  try {
    started = await context.launcher.start({ command, cwd, env })
  } catch (error) {
    const where = cwd === undefined ? '' : ` in ${cwd}`
    const why = (error as Error).message
    return failed(`${command[0] ?? 'nothing'} cannot be started${where}: ${why}`)
  }
  const given: Given[] = []
  const presentIf = oneAtATime(async (isTrue: () => Promise<boolean>) => {
    try {
      while (given.length > 0 && (await isTrue())) {
        await context.present(given.slice(0, PAGE))
        given.splice(0, PAGE)
        // Much mail takes long to note, and at the end of a turn nobody else says that it is alive.
        if (hold.msKept() >= KEEP_MS) await hold.keep()
      }
    } catch {
      // Whatever it was: it is still queued, and is given again. The turn goes on.
    }
  })
  const hasCalled = async () => ((await context.store.agent(agent.agent_id))?.seen_at ?? '') > since
  const giving = giveMail(context, agent.agent_id, { started, given })
  let cut: Cut
  try {
    const onKept = () => presentIf(hasCalled)
    cut = await untilEnd(context, hold, { started, timeoutMs: timeout_seconds * 1000, onKept })
  } catch (error) {
    // A store that cannot be used: nobody could say how it went on.
    started.signal('SIGKILL')
    await giving.catch(() => {})
    throw error
  }
  const { code, signal } = await lastBreath(started, cut !== null)
  // What it was given and took is still queued; whoever could note that it was taken is out of reach.
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

/** Gives what is unread now. What comes later is for the next turn: the program waits for the end. */
async function giveMail(
  { store, show }: TurnContext,
  recipient: string,
  { started, given }: { started: Started; given: Given[] },
): Promise<{ upto: number; isAll: boolean }> {
  let upto = 0
  try {
    const last = await store.lastEventId()
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
      // There may be fewer than asked for because they are long.
      if (page.length === 0 || items.length < page.length) return { upto, isAll: true }
    }
  } catch {
    // Whatever it was: the rest is still queued, and the turn goes on with what it has. Who watches over
    // a running program must not end for this.
    return { upto, isAll: false }
  } finally {
    started.giveEnd()
  }
}

async function hasMore(store: Store, recipient: string, after: number): Promise<boolean> {
  return (await store.heads({ recipient, after, limit: 1 })).length > 0
}

type Cut = 'timeout' | 'stopped' | 'lost' | 'cut off' | null

/** Until the program ends by itself, or there is a reason to end it. */
function untilEnd(
  { signal }: TurnContext,
  hold: Hold,
  {
    started,
    timeoutMs,
    onKept,
  }: { started: Started; timeoutMs: number; onKept: () => Promise<void> },
): Promise<Cut> {
  return new Promise((resolve, reject) => {
    let keeping: ReturnType<typeof setTimeout> | undefined
    let watching: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const stop = () => finish('stopped')
    const finish = (cut: Cut) => {
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
        // A store that is away for a moment is asked again; for how long, the watch says.
        if (error instanceof Refusal && error.code === 'busy') return true
        throw error
      })
      if (!isOurs) return finish('lost')
      if (!isOver) await onKept()
      if (!isOver) keeping = setTimeout(() => keep().catch(reject), KEEP_MS)
    }
    keeping = setTimeout(() => keep().catch(reject), KEEP_MS)
    // Apart from the keeping, which may itself wait for a store that does not answer.
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

/** Ends the group: gently when the program still runs, and for good in any case. */
async function lastBreath(started: Started, isRunning: boolean): Promise<Ending> {
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
