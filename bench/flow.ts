// A workflow as a user sees it: the time that a run of the example takes beyond its agents' own work, and the cost of a
// runner whose agents have nothing to do.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { build } from '../scripts/build.ts'
import { HOME } from '../test/worlds/home.ts'
import { cpuShare } from './cpu.ts'
import { percentile } from './numbers.ts'
import { DISKS, type Disk, diskEnv, inFolder } from './place.ts'
import type { Figure, Report } from './report.ts'

const ROOT = join(import.meta.dirname, '..')
const PROGRAM = join(ROOT, 'dist/agent-worker')
const EXAMPLES = join(ROOT, 'examples/command')
const IDLERS = 20

/** Records when a program begins and ends. The shell that does so lives slightly longer than the program. */
const TIMED =
  'echo "$$ $(date +%s%3N)" >> "$TIMES"; "$@"; code=$?; echo "$$ $(date +%s%3N)" >> "$TIMES"; exit $code'

export async function benchFlow({
  runs = 3,
  seconds = 20,
}: {
  runs?: number | undefined
  seconds?: number | undefined
}): Promise<Report> {
  await build({ force: false })
  const taken: Record<Disk, RunTime[]> = { fast: [], slow: [] }
  for (let run = 0; run < runs; run++) {
    for (const disk of DISKS) taken[disk].push(await inFolder((folder) => timeRun(folder, disk)))
  }
  const half = (disk: Disk, of: keyof RunTime) =>
    percentile(
      taken[disk].map((one) => one[of]),
      0.5,
    )
  const figures: Figure[] = [
    {
      name: 'the example, beyond its agents',
      value: half('fast', 'beyondMs'),
      slowDisk: half('slow', 'beyondMs'),
      unit: 'ms',
      bar: { at: '<=', value: 3000 },
      over: `${Math.round(half('fast', 'wholeMs'))} ms in all, in ${half('fast', 'turns')} turns`,
    },
  ]
  if (process.platform === 'linux') {
    figures.push({
      name: `a runner, ${IDLERS} idle agents`,
      value: await inFolder((folder) => idleShare(folder, seconds)),
      unit: '%',
      bar: { at: '<=', value: 0.5 },
      over: `one core, over ${seconds} s`,
    })
  }
  const notes = [
    `half of ${runs} runs of code-review.yaml; 2 s of each are the pause that shows that nothing more comes`,
    'agents work while the program of at least one of them runs, calls of its tools included',
  ]
  return { figures, notes }
}

type RunTime = { wholeMs: number; beyondMs: number; turns: number }

async function timeRun(folder: string, disk: Disk): Promise<RunTime> {
  const times = join(folder, 'times')
  const text = readFileSync(join(EXAMPLES, 'code-review.yaml'), 'utf8')
  const file = parse(text.replaceAll(`\${{ workflow.dir }}`, EXAMPLES)) as {
    agents: Record<string, { command: string[] }>
  }
  for (const agent of Object.values(file.agents)) {
    agent.command = ['sh', '-c', TIMED, 'sh', ...agent.command]
  }
  const path = join(folder, 'code-review.yaml')
  writeFileSync(path, stringify(file))
  const at = performance.now()
  const child = start(folder, ['run', path, '--json'], { TIMES: times, ...diskEnv(disk) })
  const out = await new Response(child.stdout).text()
  await child.exited
  const wholeMs = performance.now() - at
  const report = JSON.parse(out.trimEnd().split('\n').at(-1) ?? '') as Record<string, unknown>
  if (report.ended !== 'idle') throw new Error(`the example ended badly: ${out}`)
  return { wholeMs, beyondMs: wholeMs - workIn(times), turns: Number(report.turns) }
}

/** The total time during which at least one program was running. */
function workIn(times: string): number {
  const marks = readFileSync(times, 'utf8').trimEnd().split('\n')
  const begun = new Map<string, number>()
  let since = 0
  let work = 0
  for (const mark of marks) {
    const [pid = '', ms = ''] = mark.split(' ')
    const isEnd = begun.delete(pid)
    if (!isEnd && begun.size === 0) since = Number(ms)
    if (!isEnd) begun.set(pid, Number(ms))
    else if (begun.size === 0) work += Number(ms) - since
  }
  return work
}

async function idleShare(folder: string, seconds: number): Promise<number> {
  const agents = Array.from({ length: IDLERS }, (_, n) => [
    `agent${n}`,
    { backend: 'command', command: ['cat'] },
  ])
  const path = join(folder, 'idle.yaml')
  writeFileSync(path, stringify({ agents: Object.fromEntries(agents) }))
  const runner = start(folder, ['start', path, '--json'], {})
  try {
    // Startup takes a second or two; only the waiting is measured.
    await Bun.sleep(6000)
    return await cpuShare(runner.pid, seconds)
  } finally {
    runner.kill('SIGTERM')
    await runner.exited
  }
}

function start(folder: string, words: string[], env: Record<string, string>) {
  const runtime = join(folder, 'runtime')
  mkdirSync(runtime, { mode: 0o700 })
  return Bun.spawn([PROGRAM, ...words, '--db', join(folder, 'store.db')], {
    cwd: folder,
    env: { ...process.env, HOME, XDG_RUNTIME_DIR: runtime, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
