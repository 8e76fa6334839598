// Runs a plan to completion, for run, start and the background runner: connects the context of an operation with the
// runner in src/workflows.

import { isPerson, USER } from '../../core/agents/agent.ts'
import { field, refuse } from '../../core/error.ts'
import { SYSTEM } from '../../core/event.ts'
import { post } from '../../core/mail/mail.ts'
import { firstLine } from '../../core/threads/message.ts'
import type { Wake } from '../../core/waking/wake-record.ts'
import { ENTRY_LETTERS } from '../../core/workflows/channel.ts'
import type { HeldInstance, InstanceMode } from '../../core/workflows/instance.ts'
import { mentionable, mentionsIn } from '../../core/workflows/mentions.ts'
import { sayTo } from '../../core/workflows/say.ts'
import { startInBackground } from '../../workflows/background.ts'
import type { WorkflowHost } from '../../workflows/host.ts'
import { mustNotBeHeld } from '../../workflows/instance-life.ts'
import type { Kickoff, WorkflowPlan } from '../../workflows/plan.ts'
import { type RunnerState, runInstance } from '../../workflows/runner.ts'
import { tokenOfDead } from '../../workflows/runner-folder.ts'
import type { RunnerLine, RunnerReport } from '../../workflows/runner-report.ts'
import { bounceRest, bounceThese } from '../inbox/tell-senders.ts'
import { stamp } from '../kit/commit.ts'
import type { BareContext, Context } from '../kit/operation.ts'
import type { AtShell } from '../kit/shell.ts'
import { lineOf, progressLine } from './run-lines.ts'
import { errorOf } from './run-operation.ts'
import { withRest } from './say-entry.ts'
import type { StartedRunner, UnbegunRunner } from './workflow-start.ts'

export type RunPlanWish = {
  plan: WorkflowPlan
  standalone: boolean
  mode: InstanceMode
  resume: boolean
  verbose: boolean
  timeoutSeconds?: number | undefined
  /** Called once setup is over and the kickoff was sent. */
  begun?: () => void
  /** The file that a background runner read this wish from. */
  file?: string | undefined
}

export async function runPlan(
  context: AtShell<BareContext>,
  host: WorkflowHost,
  wish: RunPlanWish,
): Promise<RunnerReport> {
  if (wish.plan.context.provider !== 'memory') {
    return runIn({ ...(await context.shell.openStore()), ...context }, host, wish)
  }
  const folder = host.temporaryFolder()
  try {
    return await runInMemory(context, host, wish, folder)
  } finally {
    host.removeFolder(folder)
  }
}

/** Uses a temporary store and folder that are removed after the run. */
async function runInMemory(
  context: AtShell<BareContext>,
  host: WorkflowHost,
  wish: RunPlanWish,
  folder: string,
): Promise<RunnerReport> {
  if (wish.resume)
    throw refuse.invalid_input`a run in memory leaves nothing to resume; leave out ${field('resume')}`
  const path = `${folder}/store.db`
  const { close, launcher, ...own } = await host.openStore(path)
  try {
    const shell = { ...context.shell, launcher }
    const { plan } = wish
    const inside = { ...plan, context: { ...plan.context, dir: `${folder}/context` } }
    const place = { ...host, address: path, runnerFolder: () => folder }
    return await runIn({ ...context, ...own, shell }, place, { ...wish, plan: inside })
  } finally {
    await close()
  }
}

async function runIn(
  context: AtShell<Context>,
  host: WorkflowHost,
  wish: RunPlanWish,
): Promise<RunnerReport> {
  const { shell, caller } = context
  const by = caller.agent ?? USER
  const folder = await folderOf(context, host, wish.plan.instance)
  const tell = (line: RunnerLine) => {
    const words = lineOf(line, wish.verbose)
    if (words !== undefined) shell.say(line, words)
  }
  const began = performance.now()
  let state: RunnerState | undefined
  const draw = () => {
    if (state !== undefined) context.progress?.(progressLine(state, performance.now() - began))
  }
  const show = (next: RunnerState) => {
    state = next
    draw()
  }
  // The progress line shows the elapsed time, so redraw it every second.
  const ticking = context.progress === undefined ? undefined : setInterval(draw, 1000)
  const report = await runInstance(
    {
      ...context,
      launcher: shell.launcher,
      host,
      watcher: { tell, show, wantsOutput: wish.verbose, begun: wish.begun ?? (() => {}) },
      mail: {
        kickOff: (instance, kickoff) => kickOff(context, instance, kickoff, by),
        giveUp: (agent, wake) => giveUp(context, agent, wake),
        dismiss: (agent) => dismiss(context, agent),
      },
    },
    { ...wish, by, folder },
  ).finally(() => clearInterval(ticking))
  return report.ok ? report : { ...report, error: errorOf(report) }
}

/** The private folder of an instance of this store: always the same, so that the instance can be resumed. */
async function folderOf(
  { store, digest }: Pick<Context, 'store' | 'digest'>,
  host: WorkflowHost,
  instance: string,
): Promise<string> {
  return host.runnerFolder((await digest(`${store.place}\n${instance}`)).slice(0, 24))
}

/** Starts a runner in the background, and returns once its agents have been called. */
export async function keepRunning(
  context: AtShell<BareContext>,
  host: WorkflowHost,
  wish: RunPlanWish,
): Promise<StartedRunner | UnbegunRunner> {
  if (wish.plan.context.provider === 'memory')
    throw refuse.invalid_input`what is in memory cannot be reached from other commands; run it in the foreground, or use the provider file`
  const { store, bell } = await context.shell.openStore()
  const { instance: name } = wish.plan
  const folder = await folderOf({ ...context, store }, host, name)
  const there = await store.instance(name)
  // Check first, because a second runner would write the reason it can't start to the log of the live one.
  if (there !== null) mustNotBeHeld(there, await store.now(), tokenOfDead(folder, host))
  const around = { store, bell, host, signal: context.signal }
  const runner = await startInBackground(around, { folder, name, wish })
  if ('ended' in runner) {
    const over = { instance: name, ...runner }
    return { ok: false, error: errorOf(over), ...over }
  }
  const { pid, log, hasBegun } = runner
  const { socket, url } = runner.instance
  return { instance: name, background: true, has_begun: hasBegun, pid, log, socket, url }
}

/**
 * Sends the kickoff to the channel, or as mail to each agent it mentions if the instance has no context. Returns the
 * names it mentioned.
 */
async function kickOff(
  context: Context,
  instance: HeldInstance,
  { text, mentionable: within }: Kickoff,
  by: string,
): Promise<string[]> {
  const from = isPerson(by) ? by : SYSTEM
  if (instance.thread_id === '') return sendKickoff(context, instance, { text, within, from })
  const say = async (shown?: string) => {
    const wish = { instance: instance.instance, from, text, within, shown }
    const { value } = await context.store.write((tx) =>
      sayTo(tx, wish, (now) => stamp(context, now)),
    )
    return value.entry.mentions
  }
  if (text.length <= ENTRY_LETTERS) return say()
  // A kickoff often contains the output of setup, such as a whole diff.
  const call = { op: 'kickoff', agent: from, input: {} }
  return withRest(context, { call, instance, from, text }, say)
}

async function sendKickoff(
  context: Context,
  { members }: HeldInstance,
  { text, within, from }: { text: string; within: [number, number][]; from: string },
): Promise<string[]> {
  const names = mentionsIn(text, { names: mentionable(members), within })
  const called = members.filter(({ name }) => names.includes(name))
  await context.store.write(async (tx) => {
    await tx.lockRecords()
    const now = await tx.now()
    for (const { agent_id } of called) {
      const words = {
        summary: firstLine(text),
        body: text,
        hops: 0,
      }
      const letter = {
        from,
        address: agent_id,
        recipients: [agent_id],
        kind: 'custom' as const,
        words,
        expires_at: null,
        thread_id: context.makeId('thread'),
      }
      tx.record(null, post(letter, stamp(context, now)))
    }
    return {}
  })
  return called.map(({ name }) => name)
}

const PAGE = 200

/**
 * Bounces an agent's mail after all its attempts have failed, and says so in the channel, because the sender is waiting
 * for an answer. Bounces only the mail of the last attempt, and leaves newer mail for the next turn. Returns the number
 * of messages.
 */
async function giveUp(
  context: Context,
  agentId: string,
  wake: Pick<Wake, 'upto_event' | 'attempt' | 'reason'>,
): Promise<number> {
  const { value } = await context.store.write(async (tx) => {
    await tx.lockRecords()
    const now = await tx.now()
    const states = new Map()
    let bounced = 0
    for (let after = 0; ; ) {
      const page = await tx.heads({ recipient: agentId, after, limit: PAGE })
      const ended = page.filter(({ event_id }) => event_id <= wake.upto_event)
      const reason = `it failed in ${wake.attempt} attempts: ${wake.reason}`
      bounced += await bounceThese(context, tx, { recipient: agentId, reason, now, states }, ended)
      const last = page.at(-1)
      if (last === undefined || page.length < PAGE || ended.length < page.length) break
      after = last.event_id
    }
    return { bounced }
  })
  return value.bounced
}

/** Bounces the mail of an agent that the workflow no longer has, and says so in the channel. */
function dismiss(context: Context, agentId: string): Promise<number> {
  return bounceRest(context, agentId, 'it takes no part in the workflow any more')
}
