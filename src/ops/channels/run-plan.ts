// Runs a plan to its end, for run, start and the runner in the background: the parts that an operation has, joined for
// the runner in src/workflow.

import { USER } from '../../core/agents/agent.ts'
import type { InstanceMode } from '../../core/channels/instance.ts'
import type { WorkflowHost } from '../../workflow/host.ts'
import type { WorkflowPlan } from '../../workflow/plan.ts'
import type { RunLine, RunReport } from '../../workflow/run-lines.ts'
import { runInstance } from '../../workflow/runner.ts'
import type { Context } from '../kit/operation.ts'
import type { AtShell } from '../kit/shell.ts'
import { giveUp } from './give-up.ts'
import { kickOff } from './kickoff.ts'
import { lineOf } from './run-words.ts'

export type RunPlanWish = {
  plan: WorkflowPlan
  standalone: boolean
  mode: InstanceMode
  resume: boolean
  verbose: boolean
  timeoutSeconds?: number | undefined
}

export async function runPlan(
  context: AtShell<Context>,
  host: WorkflowHost,
  wish: RunPlanWish,
): Promise<RunReport> {
  const { shell, caller } = context
  const by = caller.agent ?? USER
  const folder = await folderOf(context, host, wish.plan.instance)
  const tell = (line: RunLine) => {
    const words = lineOf(line, wish.verbose)
    if (words !== undefined) shell.say(line, words)
  }
  return runInstance(
    {
      ...context,
      launcher: shell.launcher,
      host,
      tell,
      show: () => {},
      kickOff: (instance, kickoff) => kickOff(context, instance, kickoff, by),
      giveUp: (instance, agent, wake) => giveUp(context, instance, agent, wake),
    },
    { ...wish, by, folder },
  )
}

/** The private folder of an instance of this store: the same for each of its runs, so that one can be resumed. */
export async function folderOf(
  { store, digest }: Pick<Context, 'store' | 'digest'>,
  host: WorkflowHost,
  instance: string,
): Promise<string> {
  return host.runFolder((await digest(`${store.place}\n${instance}`)).slice(0, 24))
}
