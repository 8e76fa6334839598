// The command to run before a commit. Prints a line for each step, and a step's output only if it failed. Budget: 20
// seconds on two cores.
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { LONGEST_TEST_MS, runSteps, type Step, type StepResult, seconds } from './run-step.ts'
import { needsOf, testFiles } from './suites.ts'

const BUDGET_MS = 20_000
const bun = process.execPath
const tool = (path: string) => [bun, join('node_modules', path)]

/** Longest first, so that both cores finish together. */
export function checkSteps(): Step[] {
  return [
    // One thread each, since two run at a time; with more threads each takes two thirds longer.
    { name: 'types', cmd: [...tool('typescript/bin/tsc'), '--singleThreaded'] },
    {
      name: 'web types',
      cmd: [...tool('typescript/bin/tsc'), '--singleThreaded', '-p', 'src/web'],
    },
    { name: 'unused', cmd: [...tool('knip/bin/knip.js'), '--treat-config-hints-as-errors'] },
    { name: 'lint', cmd: [...tool('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings'] },
    { name: 'rooms', cmd: [bun, 'scripts/rooms.ts'] },
    { name: 'sizes', cmd: [bun, 'scripts/sizes.ts'] },
    { name: 'style', cmd: [bun, 'scripts/style.ts'] },
    { name: 'duplicates', cmd: [bun, 'scripts/duplicates.ts'] },
    { name: 'generated', cmd: [bun, 'scripts/generate.ts', '--check'] },
    { name: 'documents', cmd: [bun, 'test', `--timeout=${LONGEST_TEST_MS}`, ...documentTests()] },
  ]
}

/** The document tests that need no program and no database. Documents are what renames break most often. */
function documentTests(): string[] {
  const files = testFiles('test/docs').filter((file) => needsOf([file]).size === 0)
  if (files.length === 0) throw new Error('no tests of documents found: wrong folder?')
  return files.map((file) => `./${file}`)
}

const unit: Step = {
  name: 'unit',
  cmd: [
    bun,
    'test',
    '--parallel=2',
    '--no-orphans',
    `--timeout=${LONGEST_TEST_MS}`,
    './src',
    './scripts',
  ],
}

export async function runCheck(steps: Step[]): Promise<boolean> {
  const results = await runSteps(steps, Math.min(availableParallelism(), 4), printResult)
  return results.every((result) => result.ok)
}

/** Our steps end with a line of figures that begins with the step's name. */
function printResult({ name, ok, wallMs, output }: StepResult): void {
  const lines = output.trim().split('\n')
  const figures = lines.at(-1)?.startsWith(`${name}: `) ? lines.at(-1)?.slice(name.length + 2) : ''
  console.log(
    `${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(10)} ${seconds(wallMs).padStart(7)}  ${figures}`.trimEnd(),
  )
  const warnings = lines.filter((line) => line.startsWith('warning: '))
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
