// The test command: builds and starts what the chosen tests need, runs the check and then the suites. The last line is
// `N passed, N failed`. Arguments choose suites, subjects or files: `npm test -- contract mail desk-walk`. `--full`
// (`npm run test:full`) proves every sentence in every world and runs every walk and kill at length; decision 23 says
// what `npm test` leaves out.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BehaviourId } from '../test/behaviours.ts'
import type { Postgres } from '../test/tools/postgres.ts'
import type { Extent } from '../test/worlds/extent.ts'
import { build } from './build.ts'
import { checkSteps, runCheck } from './check.ts'
import { obtainMcpTools, obtainNode } from './obtain.ts'
import { LONGEST_TEST_MS, ROOT, runStep, seconds, stopRunning } from './run-step.ts'
import { ledgerTable, reportSuites, type SuiteReport } from './suite-report.ts'
import {
  chooseSuites,
  filesToRun,
  type Need,
  needsOf,
  type Suite,
  startingOrder,
} from './suites.ts'

/** How many test files run at a time: about half of them mostly wait. */
const FILES_AT_A_TIME = 7
/** How many files of a suite that runs alone are run at a time. */
const RACES_AT_A_TIME = 2

/** The list of behaviours, and the suite that must prove each of them in its worlds. */
const MANIFEST = { file: 'test/behaviours.ts', suite: 'behaviours' }

let postgres: Postgres | undefined

async function main(args: string[]): Promise<number> {
  const names = args.filter((arg) => arg !== '--full')
  const extent: Extent = names.length < args.length ? 'full' : 'rule'
  const chosen = chooseSuites(names)
  const suites = chosen.map((suite) => {
    const files = filesToRun(suite, { names, extent })
    return { ...suite, paths: files, needs: needsOf(files) }
  })
  // The check runs while Chromium and Node are downloaded.
  const [{ env, lacking }, checked] = await Promise.all([
    meetNeeds(new Set(suites.flatMap(({ needs }) => [...needs]))),
    names.length > 0 || runCheck(checkSteps()),
  ])

  const around = { MAILROOM_TEST_EXTENT: extent, ...env }
  const able = suites.filter(({ needs }) => !needs.values().some((need) => lacking.has(need)))
  const beside = able.filter(({ isAlone }) => !isAlone)
  const reports = await runTogether('together', beside, FILES_AT_A_TIME, around)
  for (const suite of able.filter(({ isAlone }) => isAlone))
    reports.push(...(await runTogether(suite.name, [suite], RACES_AT_A_TIME, around)))
  for (const { name, needs } of suites) {
    const [lack] = [...needs].flatMap((need) => lacking.get(need) ?? [])
    if (lack !== undefined) reports.push(leftOut(name, lack))
  }
  const missing = await missingBehaviours(chosen, reports, extent)

  mkdirSync(join(ROOT, 'dist'), { recursive: true })
  writeFileSync(join(ROOT, 'dist/ledger.json'), `${JSON.stringify(reports, null, 2)}\n`)
  console.log(`\n${ledgerTable(reports)}\n`)
  if (missing > 0) console.log(`${missing} behaviours of ${MANIFEST.file} did not run`)
  if (!checked) console.log('the check failed, see above')

  const sum = (key: 'passed' | 'failed') => reports.reduce((total, { [key]: n }) => total + n, 0)
  const failed = sum('failed') + missing + (checked ? 0 : 1)
  console.log(`${sum('passed')} passed, ${failed} failed`)
  return failed > 0 ? 1 : 0
}

type Surroundings = {
  env: Record<string, string>
  /** The needs that this kind of machine can't meet, and why. */
  lacking: Map<Need, string>
}

async function meetNeeds(needs: Set<Need>): Promise<Surroundings> {
  const env: Record<string, string> = {}
  const lacking = new Map<Need, string>()
  const obtain: Record<Need, () => Promise<void>> = {
    async program() {
      console.log(await build({ force: false }))
    },
    async postgres() {
      const { startPostgres } = await import('../test/tools/postgres.ts')
      postgres = await startPostgres()
      env.MAILROOM_TEST_PG = postgres.url
    },
    async node24() {
      const node = await obtainNode()
      if ('path' in node) env.MAILROOM_TEST_NODE24 = node.path
      else lacking.set('node24', node.missing)
    },
    async chromium() {
      const { obtainChromium } = await import('../test/tools/chromium.ts')
      const chromium = await obtainChromium()
      if ('path' in chromium) env.MAILROOM_TEST_CHROMIUM = chromium.path
      else lacking.set('chromium', chromium.missing)
    },
    async 'mcp-tools'() {
      env.MAILROOM_TEST_MCP_TOOLS = await obtainMcpTools()
    },
  }
  await Promise.all([...needs].map((need) => obtain[need]()))
  return { env, lacking }
}

async function runTogether(
  name: string,
  suites: Suite[],
  parallel: number,
  env: Record<string, string>,
): Promise<SuiteReport[]> {
  if (suites.length === 0) return []
  const junit = join(ROOT, 'dist', 'junit', `${name}.xml`)
  mkdirSync(join(ROOT, 'dist', 'junit'), { recursive: true })
  rmSync(junit, { force: true })
  const files = startingOrder(suites)
  const timings = join(ROOT, 'dist', 'timings.json')
  // Bun ignores the order of its arguments and starts the slowest files first, according to this file.
  const ranks = Object.fromEntries(files.map((file, at) => [file, files.length - at]))
  writeFileSync(timings, JSON.stringify({ version: 1, files: ranks }))
  const { ok, output, wallMs, cpuMs } = await runStep({
    name,
    cmd: [
      process.execPath,
      'test',
      `--parallel=${parallel}`,
      '--no-orphans',
      '--only-failures',
      '--no-isolate',
      `--timings=${timings}`,
      `--timeout=${LONGEST_TEST_MS}`,
      '--reporter=junit',
      `--reporter-outfile=${junit}`,
      ...files.map((path) => `./${path}`),
    ],
    // CI makes Bun refuse `test.only` and new snapshots.
    env: { CI: 'true', ...env },
  })
  const reports = reportSuites(suites, junit, ok)
  if (reports.some(({ failed }) => failed > 0)) console.log(`\n${output.trim()}\n`)
  console.log(
    `${suites.map((suite) => suite.name).join(', ')}: ${seconds(wallMs)}, ${seconds(cpuMs)} of processor time`,
  )
  return reports
}

function leftOut(name: string, why: string): SuiteReport {
  return { name, passed: 0, failed: 0, skipped: 0, testMs: 0, note: `left out: ${why}` }
}

/** Counts the proofs of behaviours that didn't run: one for each world in which a sentence must be proved. */
async function missingBehaviours(
  suites: Suite[],
  reports: SuiteReport[],
  extent: Extent,
): Promise<number> {
  const suite = suites.find(({ name }) => name === MANIFEST.suite)
  const report = reports.find(({ name }) => name === MANIFEST.suite)
  if (!suite || !report) return 0
  const [{ behaviours }, { plansOf }, { citedIn }] = await Promise.all([
    import('../test/behaviours.ts'),
    import('../test/worlds/matrix.ts'),
    import('../test/worlds/cited.ts'),
  ])
  const isWhole = suite.paths.length === 1 && suite.paths[0] === 'test/behaviours'
  const cited = suite.paths.flatMap((path) => citedIn(join(ROOT, path)).map(({ id }) => id))
  const ids = isWhole ? Object.keys(behaviours) : cited
  const expected = ids.reduce((sum, id) => {
    const entry = behaviours[id as BehaviourId]
    return sum + (entry === undefined ? 0 : plansOf(id, entry, extent).length)
  }, 0)
  if (isWhole && expected === 0) throw new Error(`${MANIFEST.file} names no behaviours`)
  return Math.max(0, expected - report.passed - report.failed)
}

/** Set by the first signal. A terminal and npm both pass a signal on, so it arrives more than once. */
let ending: Promise<void> | undefined
function interrupt(signal: NodeJS.Signals, code: number): void {
  ending ??= (async () => {
    stopRunning()
    await postgres?.stop()
    console.log(`interrupted by ${signal}`)
    process.exit(code)
  })()
}
process.on('SIGINT', (signal) => interrupt(signal, 130))
process.on('SIGTERM', (signal) => interrupt(signal, 143))
process.on('SIGHUP', (signal) => interrupt(signal, 129))

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  await ending
  console.error(error instanceof Error ? error.message : error)
  console.log('0 passed, 1 failed')
  process.exitCode = 1
} finally {
  await (ending ?? postgres?.stop())
}
