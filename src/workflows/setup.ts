// Runs the commands of setup, one after the other. If one fails or takes too long, the run ends: an agent that started
// without what it needs could do harm.

import { quote } from '../core/error.ts'
import { isWhollyStopped } from '../core/workflows/instance.ts'
import { waitFor } from '../wake/wait.ts'
import type { SetupStep, SetupValues, WorkflowPlan } from './plan.ts'
import type { RunnerContext } from './runner.ts'
import type { RunnerEnd } from './runner-loop.ts'

const MOST_OUTPUT_BYTES = 1_000_000
/** Operating systems reject environment variables longer than about this. */
const MOST_VARIABLE_BYTES = 120_000
const LIMIT_SECONDS = 600

/** The port to the machine's shell. Aborting ends the command and all processes it started. */
export type RunShell = (wish: {
  shell: string
  cwd: string
  /** Added to this program's environment. */
  variables: Record<string, string>
  mostOutputBytes: number
  signal: AbortSignal
}) => Promise<ShellEnd>

export type ShellEnd = {
  /** Null if a signal ended the command. */
  code: number | null
  output: string
  /** Bytes of output that were left out. */
  cutBytes: number
  stderr: string
}

/** Runs setup. Stops early if the time is up or the instance is stopped. */
export async function setUp(
  { store, bell, host, watcher }: Pick<RunnerContext, 'store' | 'bell' | 'host' | 'watcher'>,
  plan: WorkflowPlan,
  time: { signal: AbortSignal; timeoutSeconds: number | undefined; spentSeconds: number },
): Promise<{ values: SetupValues } | RunnerEnd> {
  if (plan.setup.length === 0) return { values: new Map() }
  const { signal, timeoutSeconds, spentSeconds } = time
  const leftMs =
    timeoutSeconds === undefined ? 0 : Math.max(1, (timeoutSeconds - spentSeconds) * 1000)
  const over = new AbortController()
  const cut = new AbortController()
  const look = async () => {
    const instance = await store.instance(plan.instance)
    return instance === null || isWhollyStopped(instance) ? true : null
  }
  const watching = waitFor({
    bell,
    look,
    lookout: store.lookout(),
    chores: [],
    timeoutMs: leftMs,
    signal: AbortSignal.any([signal, over.signal]),
  }).then(({ outcome }) => {
    if (outcome !== 'interrupted') cut.abort()
    return outcome
  })
  const onStep = ({ written: shell, as }: SetupStep) =>
    watcher.tell({ event: 'setup', shell, ...(as === undefined ? {} : { as }) })
  const machine = { run: host.runShell, signal: AbortSignal.any([signal, cut.signal]), onStep }
  const end = await runSetup(plan, machine)
  over.abort()
  const outcome = await watching
  if ('values' in end) return end
  if (!end.isStopped) return { ended: 'failed', why: end.why }
  if (outcome !== 'timeout') return { ended: 'stopped', why: end.why }
  return { ended: 'timeout', why: `${end.why}: the run took longer than ${timeoutSeconds} s` }
}

export type SetupEnd = { values: SetupValues } | { why: string; isStopped: boolean }

export async function runSetup(
  { setup, cwd, file }: Pick<WorkflowPlan, 'setup' | 'cwd' | 'file'>,
  machine: {
    run: RunShell
    signal: AbortSignal
    limitSeconds?: number
    onStep?: (step: SetupStep) => void
  },
): Promise<SetupEnd> {
  const { run, signal, limitSeconds = LIMIT_SECONDS } = machine
  const values = new Map<string, string>()
  for (const step of setup) {
    const failed = (why: string, isStopped = false): SetupEnd => ({
      why: `setup at ${file}:${step.line}:${step.column}, ${quote(firstLine(step.written))}, ${why}`,
      isStopped,
    })
    const variables = variablesOf(step, values)
    if (typeof variables === 'string') return failed(variables)
    machine.onStep?.(step)
    const limit = AbortSignal.timeout(limitSeconds * 1000)
    const end = await run({
      shell: step.shell,
      cwd,
      variables,
      mostOutputBytes: MOST_OUTPUT_BYTES,
      signal: AbortSignal.any([signal, limit]),
    })
    if (signal.aborted) return failed('was interrupted', true)
    if (limit.aborted) return failed(`took longer than ${limitSeconds} seconds and was ended`)
    if (end.code !== 0) return failed(failureOf(end))
    if (step.as !== undefined) values.set(step.as, outputOf(end))
  }
  return { values }
}

function failureOf({ code, stderr }: ShellEnd): string {
  const how = code === null ? 'was ended by a signal' : `ended with exit code ${code}`
  const said = stderr.trim().split('\n').slice(-5).join('\n')
  return said === '' ? `${how} and said nothing` : `${how}:\n${said}`
}

function outputOf({ output, cutBytes }: ShellEnd): string {
  // Neither engine can store a NUL.
  const text = output.replaceAll('\0', '\uFFFD').replace(/\r?\n$/, '')
  return cutBytes === 0 ? text : `${text}\n[${cutBytes} more bytes were left out]`
}

/** Returns the environment variables, or a string that says why the command can't have them. */
function variablesOf(
  { values: wanted }: SetupStep,
  values: SetupValues,
): Record<string, string> | string {
  const variables: [string, string][] = []
  for (const { variable, value } of wanted) {
    const text = typeof value === 'string' ? value : (values.get(value.setup) ?? '')
    const bytes = new TextEncoder().encode(text).length
    if (bytes > MOST_VARIABLE_BYTES) {
      const name = typeof value === 'string' ? 'a value' : value.setup
      return `cannot be given ${name}: it has ${bytes} bytes and a command takes ${MOST_VARIABLE_BYTES}; write it to a file`
    }
    variables.push([variable, text.replaceAll('\0', '\uFFFD')])
  }
  return Object.fromEntries(variables)
}

function firstLine(shell: string): string {
  return shell.trim().split('\n')[0] ?? ''
}
