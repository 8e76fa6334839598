// The one command to run before a commit. Prints a line for each step, and the output of a step
// only when it failed. Budget: 20 seconds on two cores.
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { LONGEST_TEST_MS, ROOT, runSteps, type Step, type StepResult, seconds } from './run-step.ts'

const BUDGET_MS = 20_000
const bun = process.execPath
const tool = (path: string) => [bun, join('node_modules', path)]

/** Longest first, so that the two cores end together. */
export function checkSteps(): Step[] {
  const generate = existsSync(join(ROOT, 'scripts/generate.ts'))
  return [
    // Two of them, on two cores: threads of their own would cost each two thirds more.
    { name: 'types', cmd: [...tool('typescript/bin/tsc'), '--singleThreaded'] },
    {
      name: 'web types',
      cmd: [...tool('typescript/bin/tsc'), '--singleThreaded', '-p', 'src/web'],
    },
    { name: 'unused', cmd: [...tool('knip/bin/knip.js'), '--treat-config-hints-as-errors'] },
    { name: 'lint', cmd: [...tool('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings'] },
    { name: 'rooms', cmd: [bun, 'scripts/rooms.ts'] },
    { name: 'sizes', cmd: [bun, 'scripts/sizes.ts'] },
    { name: 'words', cmd: [bun, 'scripts/words.ts'] },
    ...(generate ? [{ name: 'generated', cmd: [bun, 'scripts/generate.ts', '--check'] }] : []),
  ]
}

const unit: Step = {
  name: 'unit',
  cmd: [
    ...[bun, 'test', '--parallel=2', '--no-orphans', `--timeout=${LONGEST_TEST_MS}`],
    ...['./src', './scripts'],
  ],
}

export async function runCheck(steps: Step[]): Promise<boolean> {
  const results = await runSteps(steps, Math.min(availableParallelism(), 4), printResult)
  return results.every((result) => result.ok)
}

function printResult({ name, ok, wallMs, output }: StepResult): void {
  console.log(`${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(10)} ${seconds(wallMs)}`)
  const warnings = output.split('\n').filter((line) => line.startsWith('warning: '))
  if (!ok) console.log(`\n${output.trim()}\n`)
  else if (warnings.length > 0) console.log(warnings.map((line) => `      ${line}`).join('\n'))
}

if (import.meta.main) {
  const startedAt = performance.now()
  const ok = await runCheck([unit, ...checkSteps()])
  const took = performance.now() - startedAt
  const late = took > BUDGET_MS ? `, over the budget of ${seconds(BUDGET_MS)}` : ''
  console.log(`check ${ok ? 'passed' : 'failed'} in ${seconds(took)}${late}`)
  process.exitCode = ok ? 0 : 1
}
