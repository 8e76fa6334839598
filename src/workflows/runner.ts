// Runs an instance: takes its lease, serves its tools, runs setup, sends the kickoff, and lets a broker of its own start the
// agents until the run is over.
//
// (1) The lease comes first. Everything that follows is undone or ended if it cannot be kept.
// (2) The broker does the work: this file decides only when there is no more of it (ending.ts).
// (3) A run that ends says so in the log. Supervisors see that and end their programs, wherever they are, also when this
//     process is killed: then the lease lapses.
// (4) Commands are allowed for the run alone, and taken back at its end.

import { repairProjectFiles } from '../backends/project-file.ts'
import type { Bell } from '../core/bell.ts'
import type { MakeId } from '../core/id.ts'
import type { Auth } from '../core/server/server.ts'
import type { Store } from '../core/store.ts'
import type { Instant } from '../core/time.ts'
import type { AllowedCommands, Launcher } from '../core/waking/launch.ts'
import type { Wake } from '../core/waking/wake.ts'
import type { HeldInstance, InstanceEnd, InstanceMode } from '../core/workflows/instance.ts'
import { beginInstance, endInstance, keepInstance } from '../wake/instance.ts'
import { waitFor } from '../wake/wait.ts'
import { EXIT_OF_END } from './ending.ts'
import type { WorkflowHost } from './host.ts'
import {
  agentFolder,
  agentIdOf,
  keepPlan,
  markRunner,
  planFile,
  RUN_FILES,
  tokenOfDead,
} from './kept-plan.ts'
import type { Kickoff, WorkflowPlan } from './plan.ts'
import { makeBook, makeLife } from './run-book.ts'
import type { DocumentReport, RunLine, RunReport } from './run-lines.ts'
import type { MemberLook } from './run-look.ts'
import { runLoop } from './run-loop.ts'
import { wakeSettingsOf } from './turn-limits.ts'
import { readAgentState } from './turn-log.ts'

/** How a run stands, for whoever watches it. */
export type RunStands = { members: MemberLook[]; turns: number; lastEntry: string; now: Instant }

export type RunnerContext = {
  store: Store
  bell: Bell
  makeId: MakeId
  digest: (text: string) => Promise<string>
  offsetMinutes: (epochMs: number) => number
  allowedCommands: AllowedCommands
  launcher: Launcher
  host: WorkflowHost
  signal: AbortSignal
  tell: (line: RunLine) => void
  /** Called after every look, for whoever shows how the run stands. */
  show: (look: RunStands) => void
  /** Whether the output of the agents' programs is told too. */
  follows: boolean
  /** Called once setup is over and the kickoff is sent. */
  begun: () => void
  /** Says the kickoff in the channel or, without a context, as mail; gives back whom it called. */
  kickOff: (instance: HeldInstance, kickoff: Kickoff) => Promise<string[]>
  /** Ends the mail of an agent whose every attempt failed, and says so in the channel. */
  giveUp: (agentId: string, wake: Wake) => Promise<number>
  /** The same for an agent that the file does not name any more. */
  dismiss: (agentId: string) => Promise<number>
}

export type RunWish = {
  plan: WorkflowPlan
  standalone: boolean
  mode: InstanceMode
  by: string
  resume: boolean
  timeoutSeconds?: number | undefined
  /** The private folder of the run. */
  folder: string
  /** The file in that folder which a command left for a runner in the background. */
  file?: string | undefined
}

/** How long programs that were told to end may take before the runner leaves them to their supervisors. */
const LAST_WAIT_MS = 12_000

export async function runInstance(context: RunnerContext, wish: RunWish): Promise<RunReport> {
  const { store, makeId, host, tell } = context
  const { standalone, mode, by, folder } = wish
  const began = performance.now()
  const plan = await withFolder(wish.plan, context)
  const file = await planFile(folder, { plan, standalone }, context.digest)
  const members = plan.agents.map((agent) => ({
    name: agent.name,
    agent_id: agentIdOf(plan, agent, standalone),
    backend: agent.backend,
    model: agent.model ?? '',
  }))
  const turnWords = [
    ...host.program,
    'workflow',
    'turn',
    '--plan',
    file.path,
    '--digest',
    file.digest,
  ]
  const now = await store.now()
  const wake = Object.fromEntries(
    plan.agents.map((agent) => [
      agentIdOf(plan, agent, standalone),
      wakeSettingsOf(agent, { command: turnWords, cwd: plan.cwd, mode, now }),
    ]),
  )
  const auth = await authIn(store, now)
  const { provider, dir, channel: channel_file, document, documents } = plan.context
  const last = wish.resume ? await store.instance(plan.instance) : null
  const begun = await beginInstance(store, makeId, {
    instance: plan.instance,
    workflow: plan.name,
    source: plan.file,
    ...{ standalone, mode, provider, dir, channel_file, document, documents, members },
    ...{ by, resume: wish.resume, dead: tokenOfDead(folder, host) },
    ...{ wake, pid: host.pid, log: `${folder}/${RUN_FILES.log}` },
  })
  const held = { instance: plan.instance, token: begun.token }
  const { run, thread_id, started_at } = begun.instance
  tell({ event: 'started', instance: plan.instance, run, resumed: begun.resumed, thread_id })
  const life = makeLife(store, held)
  const warn = (words: string) => tell({ event: 'warning', words })
  const hadElse = (what: string, before = '', now = '') => {
    if (before !== '' && before !== now)
      warn(`the run that goes on had the ${what} ${before}; it goes on with ${now}`)
  }
  hadElse('file', last?.source, plan.file)
  hadElse('folder', last?.dir, dir)
  // A turn that was killed may have left a file of the project changed.
  const repair = async () => {
    for (const problem of await repairProjectFiles(plan.cwd, host.living)) warn(problem)
  }
  let following: Promise<void> | undefined
  let closeContext: (() => Promise<void>) | undefined
  let end: { ended: InstanceEnd; why: string } = { ended: 'failed', why: '' }
  const book = makeBook(wish, members)
  try {
    keepPlan(folder, file, wish.file)
    markRunner(folder, held.token, host)
    for (const [agent, settings] of Object.entries(wake)) {
      await context.allowedCommands.allow(agent, settings)
    }
    await repair()
    for (const agent of begun.gone) {
      const messages = await context.dismiss(agent)
      const what = messages === 1 ? 'a message' : `${messages} messages`
      if (messages > 0) warn(`${agent} takes no part any more; ${what} to it went back`)
    }
    if (thread_id !== '') {
      const former = begun.before
      const { instance } = plan
      const wanted = {
        store,
        bell: context.bell,
        instance,
        dir,
        channel_file,
        thread_id,
        former,
        isNew: !begun.resumed,
        tell: warn,
      }
      following = host.followChannel(wanted, life.over.signal)
      following.catch((error) => {
        warn(`${channel_file} no longer follows the channel: ${(error as Error).message}`)
      })
      const { bell, allowedCommands } = context
      const served = await host.serveTools({
        ...{ store, bell, allowedCommands, instance, dir, runtimeFolder: folder, auth },
        tell: warn,
      })
      closeContext = served.close
      const { socket, url, note } = served
      await keepInstance(store, held, { socket, url })
      tell({ event: 'context', socket, url, ...(note === undefined ? {} : { note }) })
    }
    const given = { held, life, book, since: started_at, began, auth }
    end = await runLoop(context, { ...wish, plan }, given)
  } finally {
    tell({ event: 'ending', ended: end.ended })
    life.over.abort()
    try {
      if (!life.isLost()) await endInstance(store, held, end.ended)
      await turnsAreOver(context, members, LAST_WAIT_MS)
      await repair()
      for (const { agent_id } of members) await context.allowedCommands.allow(agent_id, {})
    } finally {
      // Whatever became of the store, nothing of this process may go on.
      await closeContext?.()
      await following?.catch(() => {})
      await life.ended()
    }
  }
  const agents = await Promise.all(
    members.map(async ({ agent_id, name }) => ({
      agent: agent_id,
      name,
      turns: book.turnsOf(agent_id),
      unread: await store.unread(agent_id),
      last: readAgentState(agentFolder(folder, name)).last,
    })),
  )
  return {
    ok: EXIT_OF_END[end.ended] === 0,
    ...{ instance: plan.instance, run, ...end },
    seconds: Math.round((performance.now() - began) / 100) / 10,
    ...{ turns: book.turns(), entries: book.entries(), agents },
    documents: await changedSince(store, plan.instance, started_at),
  }
}

/** Where somebody has a token, a name alone is no proof at the port, and each turn gets a token of its own. */
async function authIn(store: Store, now: Instant): Promise<Auth> {
  const [one] = await store.tokens({ kinds: ['token'], goodAt: now, limit: 1 })
  return one === undefined ? 'local' : 'tokens'
}

async function turnsAreOver(
  { store, bell }: RunnerContext,
  members: readonly { agent_id: string }[],
  timeoutMs: number,
): Promise<void> {
  const look = async () => {
    const open = await Promise.all(
      members.map(async ({ agent_id }) => {
        const [last] = await store.wakes({ agent: agent_id, limit: 1 })
        return last !== undefined && last.ended_at === null
      }),
    )
    return open.includes(true) ? null : true
  }
  const { signal } = new AbortController()
  await waitFor({ bell, look, lookout: store.lookout(), chores: [], timeoutMs, signal })
}

/** The folder of channel and documents, by its real path; it is made if it is missing. */
async function withFolder(
  plan: WorkflowPlan,
  { host, store }: Pick<RunnerContext, 'host' | 'store'>,
): Promise<WorkflowPlan> {
  const { context } = plan
  if (context.provider === 'none') return plan
  return { ...plan, context: { ...context, dir: await host.makeFolder(context.dir, store.place) } }
}

const MOST_DOCUMENTS = 1000

/** The documents that changed in this run, each with its last revision. */
async function changedSince(
  store: Store,
  instance: string,
  since: Instant,
): Promise<DocumentReport[]> {
  const revisions = await store.revisions({ instance, limit: MOST_DOCUMENTS })
  const last = new Map<string, DocumentReport>()
  for (const { file, revision, written_by: by, created_at } of revisions) {
    if (created_at >= since && !last.has(file)) last.set(file, { file, revision, by })
  }
  return [...last.values()].sort((one, other) => (one.file < other.file ? -1 : 1))
}
