// Runs one command of a larger one and keeps its output, its time, and the processor time of the command and its
// children, so that the caller can show what matters and count the cost.

export type Step = {
  name: string
  cmd: string[]
  env?: Record<string, string>
  /** Default: the root of the repository. */
  cwd?: string
}

export type StepResult = {
  name: string
  ok: boolean
  wallMs: number
  cpuMs: number
  output: string
}

/** Ends a hanging test. Far longer than any test needs, even on a busy machine. */
export const LONGEST_TEST_MS = 300_000

export const ROOT = new URL('..', import.meta.url).pathname

const running = new Set<Bun.Subprocess>()
let stopped = false

export async function runStep(step: Step): Promise<StepResult> {
  if (stopped) throw new Error('interrupted')
  const startedAt = performance.now()
  const child = Bun.spawn(step.cmd, {
    cwd: step.cwd ?? ROOT,
    env: { ...process.env, ...step.env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  running.add(child)
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  running.delete(child)
  if (stopped) throw new Error('interrupted')
  const how = child.signalCode ? `killed by ${child.signalCode}` : `exit ${code}`
  return {
    name: step.name,
    ok: code === 0,
    wallMs: performance.now() - startedAt,
    cpuMs: Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1000,
    output: `${out}${err}${code === 0 ? '' : `\n(${how})\n`}`,
  }
}

/** Runs at most `width` steps at a time; calls `done` as each one ends. */
export async function runSteps(
  steps: Step[],
  width: number,
  done: (result: StepResult) => void,
): Promise<StepResult[]> {
  const queue = [...steps]
  const results: StepResult[] = []
  const worker = async () => {
    for (let step = queue.shift(); step; step = queue.shift()) {
      const result = await runStep(step)
      results.push(result)
      done(result)
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
  return results
}

/** Stops the running steps and starts no more, so that an interrupted command leaves no processes behind. */
export function stopRunning(): void {
  stopped = true
  for (const child of running) child.kill('SIGTERM')
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
