// Setup as a part of a run: it is ended with the time of the run, and when somebody stops the run meanwhile.

import { type HeldInstance, type InstanceEnd, isToStop } from '../core/workflows/instance.ts'
import { waitFor } from '../wake/wait.ts'
import type { SetupStep, SetupValues, WorkflowPlan } from './plan.ts'
import type { RunnerContext } from './runner.ts'
import { runSetup } from './setup.ts'

export async function setUp(
  { store, bell, host, tell }: Pick<RunnerContext, 'store' | 'bell' | 'host' | 'tell'>,
  plan: WorkflowPlan,
  {
    signal,
    timeoutSeconds,
    spentSeconds,
  }: { signal: AbortSignal; timeoutSeconds: number | undefined; spentSeconds: number },
): Promise<{ values: SetupValues } | { ended: InstanceEnd; why: string }> {
  if (plan.setup.length === 0) return { values: new Map() }
  const leftMs =
    timeoutSeconds === undefined ? 0 : Math.max(1, (timeoutSeconds - spentSeconds) * 1000)
  const over = new AbortController()
  const cut = new AbortController()
  const look = async () => {
    const instance = await store.instance(plan.instance)
    return instance === null || isWhollyStopped(instance) ? true : null
  }
  const watching = waitFor({
    ...{ bell, look, lookout: store.lookout(), chores: [], timeoutMs: leftMs },
    signal: AbortSignal.any([signal, over.signal]),
  }).then(({ outcome }) => {
    if (outcome !== 'interrupted') cut.abort()
    return outcome
  })
  const onStep = ({ written: shell, as }: SetupStep) =>
    tell({ event: 'setup', shell, ...(as === undefined ? {} : { as }) })
  const machine = { run: host.runShell, signal: AbortSignal.any([signal, cut.signal]), onStep }
  const end = await runSetup(plan, machine)
  over.abort()
  const outcome = await watching
  if ('values' in end) return end
  if (!end.isStopped) return { ended: 'failed', why: end.why }
  if (outcome !== 'timeout') return { ended: 'stopped', why: end.why }
  return { ended: 'timeout', why: `${end.why}: the run took longer than ${timeoutSeconds} s` }
}

/** Whether nobody of the instance is to go on. */
export function isWhollyStopped(instance: HeldInstance): boolean {
  return instance.members.every(({ agent_id }) => isToStop(instance, agent_id))
}
