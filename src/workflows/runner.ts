// The life of a runner: it takes the lease of an instance, serves its files and tools, starts its agents with a broker
// (runner-loop.ts), and ends the instance.
// (1) The lease comes first. If it's lost, everything that was set up after it is undone or ended.
// (2) The broker does the work. The runner only decides when there is nothing left to do (ending.ts).
// (3) The end of an instance is recorded in the log. Supervisors on any machine see it and end their programs. They do
//     the same if this process is killed, because its lease then lapses.
// (4) Commands are allowed for this start only, until it ends.

import { repairProjectFiles } from '../backends/project-file.ts'
import type { WakeSettings } from '../core/agents/agent.ts'
import { Refusal } from '../core/error.ts'
import type { House } from '../core/house.ts'
import type { Auth } from '../core/server/server.ts'
import type { Store } from '../core/store.ts'
import type { Instant } from '../core/time.ts'
import type { Launcher } from '../core/waking/launch.ts'
import type { Wake } from '../core/waking/wake-record.ts'
import {
  type HeldInstance,
  INSTANCE_KEEP_MS,
  type InstanceEnd,
  type InstanceMode,
  type Member,
} from '../core/workflows/instance.ts'
import { waitFor } from '../wake/wait.ts'
import type { WorkflowHost } from './host.ts'
import { type BegunInstance, beginInstance, endInstance, keepInstance } from './instance-life.ts'
import { agentIdOf, type Kickoff, type WorkflowPlan, wakeSettingsOf } from './plan.ts'
import {
  keepPlan,
  makePlanFile,
  markRunner,
  type PlanFile,
  RUNNER_FILES,
  tokenOfDead,
} from './runner-folder.ts'
import { type Book, makeBook, type RunnerEnd, runLoop } from './runner-loop.ts'
import { type RunnerLine, type RunnerReport, reportOf } from './runner-report.ts'
import type { MemberLook } from './runner-watch.ts'

export type RunnerContext = House & {
  launcher: Launcher
  host: WorkflowHost
  signal: AbortSignal
  watcher: RunnerWatcher
  mail: RunnerMail
}

export type RunnerWatcher = {
  tell: (line: RunnerLine) => void
  show: (state: RunnerState) => void
  /** Whether to report the output of the agents' programs too. */
  wantsOutput: boolean
  /** Called once setup is over and the kickoff is sent. */
  begun: () => void
}

export type RunnerMail = {
  /** Sends the kickoff to the channel or, without a context, as mail. Returns the agents it mentioned. */
  kickOff: (instance: HeldInstance, kickoff: Kickoff) => Promise<string[]>
  /** Bounces an agent's mail after all attempts to handle it have failed, and says so in the channel. */
  giveUp: (agentId: string, wake: Wake) => Promise<number>
  /** Bounces the mail of an agent that the file no longer names. */
  dismiss: (agentId: string) => Promise<number>
}

export type RunnerState = { members: MemberLook[]; turns: number; lastEntry: string; now: Instant }

export type RunnerWish = {
  plan: WorkflowPlan
  standalone: boolean
  mode: InstanceMode
  by: string
  resume: boolean
  timeoutSeconds?: number | undefined
  folder: string
  /** The wish file that a command left in `folder` for a background runner. */
  file?: string | undefined
}

/** How long the runner waits for programs it told to end before it leaves them to their supervisors. */
const LAST_WAIT_MS = 12_000

export async function runInstance(context: RunnerContext, wish: RunnerWish): Promise<RunnerReport> {
  const runner = await takeInstance(context, wish)
  const services: RunnerServices = {}
  let end: RunnerEnd = { ended: 'failed', why: '' }
  try {
    await prepareTurns(context, runner)
    if (runner.begun.instance.thread_id !== '') await serveInstance(context, runner, services)
    end = await runLoop(context, runner)
  } finally {
    await closeRunner(context, runner, services, end.ended)
  }
  return reportOf(context.store, runner, end)
}

/** A runner that holds its instance. Its plan has the real path of the folder. */
export type Runner = RunnerWish & {
  members: Member[]
  wake: Record<string, WakeSettings>
  planFile: PlanFile
  auth: Auth
  /** When the runner began, by this process's clock. */
  beganMs: number
  begun: BegunInstance
  held: { instance: string; token: string }
  life: RunnerLife
  book: Book
}

/** Takes the lease. Until then, only the folder of the channel and documents is created. */
async function takeInstance(context: RunnerContext, wish: RunnerWish): Promise<Runner> {
  const { store, makeId, host, watcher } = context
  const { standalone, mode, by, folder, resume } = wish
  const beganMs = performance.now()
  const plan = await makeContextFolder(wish.plan, context)
  const planFile = await makePlanFile(folder, { plan, standalone }, context.digest)
  const members = plan.agents.map((agent) => ({
    name: agent.name,
    agent_id: agentIdOf(plan, agent, standalone),
    backend: agent.backend,
    model: agent.model ?? '',
  }))
  const now = await store.now()
  const { path, digest } = planFile
  const command = [...host.program, 'workflow', 'turn', '--plan', path, '--digest', digest]
  const wake = Object.fromEntries(
    plan.agents.map((agent) => [
      agentIdOf(plan, agent, standalone),
      wakeSettingsOf(agent, { command, cwd: plan.cwd, mode, now }),
    ]),
  )
  const auth = await authIn(store, now)
  const { provider, dir, channel: channel_file, document, documents } = plan.context
  const last = resume ? await store.instance(plan.instance) : null
  const begun = await beginInstance(store, makeId, {
    instance: plan.instance,
    workflow: plan.name,
    source: plan.file,
    standalone,
    mode,
    provider,
    dir,
    channel_file,
    document,
    documents,
    members,
    by,
    resume,
    dead: tokenOfDead(folder, host),
    wake,
    pid: host.pid,
    log: `${folder}/${RUNNER_FILES.log}`,
  })
  const { run, thread_id } = begun.instance
  const { instance } = plan
  watcher.tell({ event: 'started', instance, run, resumed: begun.resumed, thread_id })
  warnOfChange(watcher, 'file', last?.source, plan.file)
  warnOfChange(watcher, 'folder', last?.dir, dir)
  const held = { instance, token: begun.token }
  const life = keepLease(store, held)
  const book = makeBook(wish, members)
  return { ...wish, plan, members, wake, planFile, auth, beganMs, begun, held, life, book }
}

/** Writes the files that turns read, allows their commands, and repairs what dead turns left behind. */
async function prepareTurns(
  { host, allowedCommands, mail, watcher }: RunnerContext,
  { folder, file, planFile, held, wake, plan, begun }: Runner,
): Promise<void> {
  keepPlan(folder, planFile, file)
  markRunner(folder, held.token, host)
  for (const [agent, settings] of Object.entries(wake)) {
    await allowedCommands.allow(agent, settings)
  }
  await repairFiles(host, watcher, plan)
  for (const agent of begun.gone) {
    const messages = await mail.dismiss(agent)
    const what = messages === 1 ? 'a message' : `${messages} messages`
    if (messages > 0) warn(watcher, `${agent} no longer takes part; ${what} to it went back`)
  }
}

/** Each field is set once its service has started, so that it can be closed if a later one fails to start. */
type RunnerServices = { following?: Promise<void>; closeTools?: () => Promise<void> }

/** Keeps the channel file up to date and serves the tools of the instance. */
async function serveInstance(
  { store, bell, allowedCommands, host, watcher }: RunnerContext,
  { folder, begun, held, life, auth }: Runner,
  services: RunnerServices,
): Promise<void> {
  const { instance, dir, channel_file, thread_id } = begun.instance
  const tell = (words: string) => warn(watcher, words)
  services.following = host.followChannel(
    {
      store,
      bell,
      instance,
      dir,
      channel_file,
      thread_id,
      former: begun.before,
      isNew: !begun.resumed,
      tell,
    },
    life.over.signal,
  )
  services.following.catch((error) => {
    tell(`${channel_file} no longer follows the channel: ${(error as Error).message}`)
  })
  const served = await host.serveTools({
    store,
    bell,
    allowedCommands,
    instance,
    dir,
    runtimeFolder: folder,
    auth,
    tell,
  })
  services.closeTools = served.close
  const { socket, url, note } = served
  await keepInstance(store, held, { socket, url })
  watcher.tell({ event: 'context', socket, url, ...(note === undefined ? {} : { note }) })
}

async function closeRunner(
  context: RunnerContext,
  { plan, members, held, life }: Runner,
  services: RunnerServices,
  ended: InstanceEnd,
): Promise<void> {
  const { store, host, allowedCommands, watcher } = context
  watcher.tell({ event: 'ending', ended })
  life.over.abort()
  try {
    if (!life.isLost()) await endInstance(store, held, ended)
    await waitForTurns(context, members, LAST_WAIT_MS)
    await repairFiles(host, watcher, plan)
    for (const { agent_id } of members) await allowedCommands.allow(agent_id, {})
  } finally {
    // Even if the store failed, stop all services in this process.
    await services.closeTools?.()
    await services.following?.catch(() => {})
    await life.stop()
  }
}

export type RunnerLife = ReturnType<typeof keepLease>

/** Renews the runner's lease until the instance is over or another runner has it. */
function keepLease(store: Store, held: Pick<HeldInstance, 'instance' | 'token'>) {
  const over = new AbortController()
  let isLost = false
  let keeping = Promise.resolve()
  const lose = () => {
    isLost = true
    over.abort()
  }
  const timer = setInterval(() => {
    keeping = keeping
      .then(async () => {
        if (over.signal.aborted) return
        try {
          if ((await keepInstance(store, held)) === null) lose()
        } catch (error) {
          // Retry if the store is briefly away: once the lease lapses, supervisors end their programs.
          if (!(error instanceof Refusal)) throw error
        }
      })
      .catch(() => {})
  }, INSTANCE_KEEP_MS)
  return {
    over,
    lose,
    isLost: () => isLost,
    async stop() {
      clearInterval(timer)
      await keeping
    },
  }
}

function warn({ tell }: RunnerWatcher, words: string): void {
  tell({ event: 'warning', words })
}

function warnOfChange(watcher: RunnerWatcher, what: string, before = '', now = ''): void {
  if (before === '' || before === now) return
  warn(watcher, `the resumed run had the ${what} ${before}; it continues with ${now}`)
}

/** Restores files in the project that a killed turn may have left changed. */
async function repairFiles(
  { living }: WorkflowHost,
  watcher: RunnerWatcher,
  { cwd }: WorkflowPlan,
): Promise<void> {
  for (const problem of await repairProjectFiles(cwd, living)) warn(watcher, problem)
}

/** Once the store has a token, a name alone is no longer enough at the port, and each turn gets a token. */
async function authIn(store: Store, now: Instant): Promise<Auth> {
  const [one] = await store.tokens({ kinds: ['token'], goodAt: now, limit: 1 })
  return one === undefined ? 'local' : 'tokens'
}

async function waitForTurns(
  { store, bell }: RunnerContext,
  members: readonly Member[],
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

/** Creates the folder of the channel and documents if needed, and puts its real path into the plan. */
async function makeContextFolder(
  plan: WorkflowPlan,
  { host, store }: Pick<RunnerContext, 'host' | 'store'>,
): Promise<WorkflowPlan> {
  const { context } = plan
  if (context.provider === 'none') return plan
  return { ...plan, context: { ...context, dir: await host.makeFolder(context.dir, store.place) } }
}
