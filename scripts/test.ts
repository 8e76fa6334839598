// The test command. Builds the program, brings PostgreSQL, Node 24 and Chromium, runs the check and then
// all suites together, except those that need the machine for themselves. The last line is `N passed,
// N failed`. Arguments narrow it to suites or to subjects by name: `npm test -- contract mail`. With
// --full (`npm run test:full`) each sentence is proved in every world, and not only where the rule of
// test/worlds/matrix.ts says.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BehaviourId } from '../test/behaviours.ts'
import type { Postgres } from '../test/tools/postgres.ts'
import type { Extent } from '../test/worlds/extent.ts'
import { build } from './build.ts'
import { checkSteps, runCheck } from './check.ts'
import { obtainMcpTools } from './obtain-mcp-tools.ts'
import { obtainNode } from './obtain-node.ts'
import { LONGEST_TEST_MS, ROOT, runStep, seconds, stopRunning } from './run-step.ts'
import { ledgerTable, reportSuites, type SuiteReport } from './suite-report.ts'

type Need = 'program' | 'postgres' | 'node24' | 'mcp-tools' | 'chromium'

type Suite = {
  name: string
  paths: string[]
  needs: Need[]
  /** The tests measure time or fill the machine themselves, so nothing else runs beside them. */
  alone?: true
  /** How often a test that failed is tried again. */
  retry?: number
}

/**
 * Files at a time, of all suites together, so that no core waits for the last file of one suite. 5 on two cores,
 * because a test mostly waits: for a program, for a server, for a clock.
 */
const FILES_AT_A_TIME = 5
const WORLD: Need[] = ['program', 'postgres']

const SUITES: Suite[] = [
  { name: 'unit', paths: ['src', 'scripts'], needs: [] },
  { name: 'tools', paths: ['test/tools'], needs: [] },
  { name: 'contract', paths: ['test/contract'], needs: WORLD },
  { name: 'behaviours', paths: ['test/behaviours'], needs: WORLD },
  { name: 'faults', paths: ['test/faults'], needs: WORLD },
  { name: 'races', paths: ['test/races'], needs: WORLD, alone: true },
  { name: 'program', paths: ['test/program'], needs: WORLD },
  { name: 'server', paths: ['test/server'], needs: WORLD },
  // Beside full cores about one of 175 fails in a run, so far each for a race in the page or in the test that was then mended.
  { name: 'browser', paths: ['test/browser'], needs: ['program', 'chromium'], retry: 1 },
  { name: 'mcp', paths: ['test/mcp'], needs: ['program', 'node24', 'mcp-tools'] },
  { name: 'docs', paths: ['test/docs'], needs: WORLD },
  { name: 'portability', paths: ['test/portability'], needs: [...WORLD, 'node24'] },
]

/** The manifest of behaviours, and the suite that must prove every one of them where it says. */
const MANIFEST = { file: 'test/behaviours.ts', suite: 'behaviours' }
/** Where the files of one subject are, in every room that has subjects. */
const SUBJECT_ROOMS = ['src/core', 'src/store', 'src/ops', 'src/doors/cli', 'src/doors/mcp']

let postgres: Postgres | undefined

async function main(args: string[]): Promise<number> {
  const names = args.filter((arg) => arg !== '--full')
  const extent: Extent = names.length < args.length ? 'full' : 'rule'
  const suites = choose(names)
  const needs = new Set(suites.flatMap((suite) => suite.needs))
  const env: Record<string, string> = { MAILROOM_TEST_EXTENT: extent }
  const reports: SuiteReport[] = []

  if (needs.has('program')) console.log(await build({ force: false }))
  if (needs.has('postgres')) {
    const { startPostgres } = await import('../test/tools/postgres.ts')
    postgres = await startPostgres()
    env.MAILROOM_TEST_PG = postgres.url
  }
  /** The needs that this kind of machine cannot meet, and why. */
  const lacking = new Map<Need, string>()
  if (needs.has('node24')) {
    const node = await obtainNode()
    if ('path' in node) env.MAILROOM_TEST_NODE24 = node.path
    else lacking.set('node24', node.missing)
  }
  if (needs.has('chromium')) {
    const { obtainChromium } = await import('../test/tools/chromium.ts')
    const chromium = await obtainChromium()
    if ('path' in chromium) env.MAILROOM_TEST_CHROMIUM = chromium.path
    else lacking.set('chromium', chromium.missing)
  }
  if (needs.has('mcp-tools')) env.MAILROOM_TEST_MCP_TOOLS = await obtainMcpTools()

  const checked = names.length > 0 || (await runCheck(checkSteps()))
  const lackOf = ({ needs }: Suite) => needs.flatMap((need) => lacking.get(need) ?? [])[0]
  const able = suites.filter((suite) => lackOf(suite) === undefined)
  const crowd = able.filter(({ alone, retry }) => !alone && retry === undefined)
  reports.push(...(await runTogether('together', crowd, FILES_AT_A_TIME, env)))
  for (const suite of able.filter(({ retry }) => retry !== undefined)) {
    reports.push(...(await runTogether(suite.name, [suite], FILES_AT_A_TIME, env)))
  }
  for (const suite of able.filter(({ alone }) => alone)) {
    reports.push(...(await runTogether(suite.name, [suite], 1, env)))
  }
  for (const suite of suites) {
    const lack = lackOf(suite)
    if (lack !== undefined) reports.push(leftOut(suite.name, lack))
  }
  const missing = await missingBehaviours(suites, reports, extent)

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

function choose(names: string[]): Suite[] {
  for (const { name, paths } of SUITES) {
    const missing = paths.filter((path) => !existsSync(join(ROOT, path)))
    if (missing.length > 0) throw new Error(`suite ${name}: no ${missing.join()}`)
  }
  if (names.length === 0) return SUITES
  const known = SUITES.map((suite) => suite.name)
  const subjects = names.filter((name) => !known.includes(name))
  const unknown = subjects.filter((name) => !existsSync(join(ROOT, 'test/behaviours', name)))
  if (unknown.length > 0) {
    const folders = readdirSync(join(ROOT, 'test/behaviours'))
    throw new Error(
      `no suite or subject ${unknown.join(', ')}; the suites are ${known.join(', ')}, the subjects ${folders.join(', ')}`,
    )
  }
  return SUITES.flatMap((suite) => {
    if (names.includes(suite.name)) return [suite]
    const paths = subjects.flatMap((subject) => pathsOf(suite.name, subject))
    return paths.length > 0 ? [{ ...suite, paths }] : []
  })
}

/** The folders in which a suite has tests of one subject. */
function pathsOf(suite: string, subject: string): string[] {
  if (suite === MANIFEST.suite) return [`test/behaviours/${subject}`]
  if (suite !== 'unit') return []
  const folders = SUBJECT_ROOMS.map((room) => `${room}/${subject}`)
  return folders.filter((folder) => {
    if (!existsSync(join(ROOT, folder))) return false
    const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    return files.some((file) => file.endsWith('.test.ts'))
  })
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
  const { ok, output, wallMs, cpuMs } = await runStep({
    name,
    cmd: [
      ...[process.execPath, 'test', `--parallel=${parallel}`, '--no-orphans'],
      ...['--only-failures', `--timeout=${LONGEST_TEST_MS}`],
      ...suites.flatMap(({ retry }) => (retry === undefined ? [] : [`--retry=${retry}`])),
      ...['--reporter=junit', `--reporter-outfile=${junit}`],
      ...suites.flatMap(({ paths }) => paths.map((path) => `./${path}`)),
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

/** How many proofs of behaviours, one for each world a sentence is to be proved in, did not run. */
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
  if (expected === 0) throw new Error(`${MANIFEST.file} names no behaviours`)
  return Math.max(0, expected - report.passed - report.failed)
}

/** The end begins once: a terminal and npm both pass the signal on, so it arrives more than once. */
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
