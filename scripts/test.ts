// The test command. Builds the program, brings PostgreSQL, Node 24 and Chromium, runs the check and
// then every suite as its own process. The last line is `N passed, N failed`. Arguments narrow it to
// suites by name: `npm test -- contract races`.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Postgres } from '../test/tools/postgres.ts'
import { worldsOf } from '../test/worlds/by-tools.ts'
import { build } from './build.ts'
import { checkSteps, runCheck } from './check.ts'
import { obtainMcpTools } from './obtain-mcp-tools.ts'
import { obtainNode } from './obtain-node.ts'
import { LONGEST_TEST_MS, ROOT, runStep, stopRunning } from './run-step.ts'
import { judge, ledgerTable, readJunit, type SuiteReport } from './suite-report.ts'

type Need = 'program' | 'postgres' | 'node24' | 'mcp-tools' | 'chromium'

type Suite = {
  name: string
  paths: string[]
  needs: Need[]
  /** Files at a time. 1 where a test measures time or fills the machine itself. */
  parallel: number
  env?: Record<string, string>
}

const WORLD: Need[] = ['program', 'postgres']

const SUITES: Suite[] = [
  { name: 'unit', paths: ['src', 'scripts'], needs: [], parallel: 2 },
  { name: 'tools', paths: ['test/tools'], needs: [], parallel: 2 },
  { name: 'contract', paths: ['test/contract'], needs: WORLD, parallel: 2 },
  { name: 'behaviours', paths: ['test/behaviours'], needs: WORLD, parallel: 2 },
  {
    name: 'faults',
    paths: ['test/faults'],
    needs: WORLD,
    parallel: 2,
  },
  {
    name: 'races',
    paths: ['test/races'],
    needs: WORLD,
    parallel: 1,
  },
  {
    name: 'program',
    paths: ['test/program'],
    needs: WORLD,
    parallel: 2,
  },
  {
    name: 'server',
    paths: ['test/server'],
    needs: WORLD,
    parallel: 2,
  },
  {
    name: 'browser',
    paths: ['test/browser'],
    needs: ['program', 'chromium'],
    parallel: 2,
  },
  {
    name: 'mcp',
    paths: ['test/mcp'],
    needs: ['program', 'node24', 'mcp-tools'],
    parallel: 2,
  },
  {
    name: 'docs',
    paths: ['test/docs'],
    needs: WORLD,
    parallel: 2,
  },
  {
    name: 'portability',
    paths: ['test/portability'],
    needs: [...WORLD, 'node24'],
    parallel: 2,
  },
]

/** The manifest of behaviours and the suite that must run every one of them in every world. */
const MANIFEST = { file: 'test/behaviours.ts', suite: 'behaviours' }
type Behaviours = Record<string, { says: string; worlds: string[]; why?: string }>

let postgres: Postgres | undefined

async function main(names: string[]): Promise<number> {
  const suites = choose(names)
  const needs = new Set(suites.flatMap((suite) => suite.needs))
  const env: Record<string, string> = {}
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
  for (const suite of suites) {
    const [lack] = suite.needs.flatMap((need) => lacking.get(need) ?? [])
    reports.push(lack ? leftOut(suite.name, lack) : await runSuite(suite, env))
  }
  const missing = await missingBehaviours(reports)

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
  const known = SUITES.map((suite) => suite.name)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new Error(`no suite ${unknown.join(', ')}; the suites are ${known.join(', ')}`)
  for (const { name, paths } of SUITES) {
    const missing = paths.filter((path) => !existsSync(join(ROOT, path)))
    if (missing.length > 0) throw new Error(`suite ${name}: no ${missing.join()}`)
  }
  return SUITES.filter((suite) => names.length === 0 || names.includes(suite.name))
}

async function runSuite(suite: Suite, env: Record<string, string>): Promise<SuiteReport> {
  const junit = join(ROOT, 'dist', 'junit', `${suite.name}.xml`)
  mkdirSync(join(ROOT, 'dist', 'junit'), { recursive: true })
  rmSync(junit, { force: true })
  const serverBefore = serverCpuMs()
  const result = await runStep({
    name: suite.name,
    cmd: [
      ...[process.execPath, 'test', `--parallel=${suite.parallel}`, '--no-orphans'],
      ...['--only-failures', `--timeout=${LONGEST_TEST_MS}`],
      ...['--reporter=junit', `--reporter-outfile=${junit}`],
      ...suite.paths.map((path) => `./${path}`),
    ],
    // CI makes Bun refuse `test.only` and new snapshots.
    env: { CI: 'true', ...env, ...suite.env },
  })
  const { note, ...counts } = judge(readJunit(junit), result.ok)
  if (counts.failed > 0) console.log(`\nsuite ${suite.name}\n${result.output.trim()}\n`)
  else console.log(`ok    ${suite.name}: ${counts.passed} tests`)
  const cpuMs = result.cpuMs + Math.max(0, serverCpuMs() - serverBefore)
  const report = { name: suite.name, ...counts, wallMs: result.wallMs, cpuMs }
  return note ? { ...report, note } : report
}

function leftOut(name: string, why: string): SuiteReport {
  return { name, passed: 0, failed: 0, skipped: 0, wallMs: 0, cpuMs: 0, note: `left out: ${why}` }
}

/** Time of the PostgreSQL server and its ended sessions; it is nobody's child. Linux only. */
function serverCpuMs(): number {
  if (!postgres || process.platform !== 'linux') return 0
  const pidFile = join(postgres.dataDir, 'postmaster.pid')
  if (!existsSync(pidFile)) return 0
  const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10)
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // utime, stime, cutime, cstime in ticks, of which Linux reports 100 a second to programs.
  return fields.slice(11, 15).reduce((total, ticks) => total + Number(ticks) * 10, 0)
}

/** How many behaviour tests, one for each world of each behaviour, did not run. */
async function missingBehaviours(reports: SuiteReport[]): Promise<number> {
  const suite = reports.find((report) => report.name === MANIFEST.suite)
  if (!suite) return 0
  const { behaviours }: { behaviours: Behaviours } = await import(join(ROOT, MANIFEST.file))
  const expected = Object.entries(behaviours).reduce(
    (sum, [id, entry]) => sum + worldsOf(id, entry).length,
    0,
  )
  if (expected === 0) throw new Error(`${MANIFEST.file} names no behaviours`)
  return Math.max(0, expected - suite.passed - suite.failed)
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
