// Reads the results of the suites from a run's JUnit file, and makes the ledger of all suites.
import { existsSync, readFileSync } from 'node:fs'
import { seconds } from './run-step.ts'

export type SuiteReport = {
  name: string
  passed: number
  failed: number
  skipped: number
  /** The sum of its tests' times, even though several run in parallel. */
  testMs: number
  /** Why it failed for a reason other than individual tests, or why it was left out. */
  note?: string
}

export type Counts = { passed: number; failed: number; skipped: number }

/** Undefined if there is no complete report, because the run was cut short. */
export function readJunit(path: string): Counts | undefined {
  if (!existsSync(path)) return undefined
  const root = /<testsuites\b[^>]*>/.exec(readFileSync(path, 'utf8'))?.[0]
  const attribute = (name: string) => Number(new RegExp(` ${name}="(\\d+)"`).exec(root ?? '')?.[1])
  const [tests, failed, skipped] = ['tests', 'failures', 'skipped'].map(attribute)
  if (tests === undefined || failed === undefined || skipped === undefined) return undefined
  if (Number.isNaN(tests + failed + skipped)) return undefined
  return { passed: tests - failed - skipped, failed, skipped }
}

/** A suite that ran no tests, crashed, or failed without naming a test counts as one failure. */
export function judge(counts: Counts | undefined, ok: boolean): Counts & { note?: string } {
  if (!counts) return { passed: 0, failed: 1, skipped: 0, note: 'ended without a report' }
  if (counts.passed + counts.failed === 0) return { ...counts, failed: 1, note: 'ran no tests' }
  if (!ok && counts.failed === 0)
    return { ...counts, failed: 1, note: 'ended badly though no test failed' }
  return counts
}

/** Splits one run's results among its suites, by file. */
export function reportSuites(
  suites: { name: string; paths: string[] }[],
  junit: string,
  ok: boolean,
): SuiteReport[] {
  const all = readJunit(junit)
  const files = all ? filesIn(junit) : []
  const reports = suites.map(({ name, paths }): SuiteReport => {
    const own = files.filter(({ file }) => paths.includes(file))
    const sum = (key: 'passed' | 'failed' | 'skipped' | 'testMs') =>
      own.reduce((total, { [key]: value }) => total + value, 0)
    const counts = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
    return { name, testMs: sum('testMs'), ...judge(all && counts, true) }
  })
  const total = (list: Counts[]) =>
    list.reduce((sum, { passed, failed, skipped }) => sum + passed + failed + skipped, 0)
  const [first] = reports
  if (first && all && total(files) !== total([all])) {
    return [
      { ...first, failed: first.failed + 1, note: 'its report does not add up' },
      ...reports.slice(1),
    ]
  }
  if (first && !ok && reports.every(({ failed }) => failed === 0)) {
    return [{ ...first, ...judge(first, ok) }, ...reports.slice(1)]
  }
  return reports
}

/** The outermost elements of a report are files; a `describe` is nested inside one. */
function filesIn(junit: string): (Counts & { file: string; testMs: number })[] {
  const elements = readFileSync(junit, 'utf8').match(/^ {2}<testsuite [^>]*>/gm) ?? []
  return elements.map((element) => {
    const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(element)?.[1] ?? ''
    const [tests, failed, skipped] = ['tests', 'failures', 'skipped'].map((name) => {
      return Number(attribute(name))
    }) as [number, number, number]
    const testMs = Number(attribute('time')) * 1000
    return { file: attribute('file'), passed: tests - failed - skipped, failed, skipped, testMs }
  })
}

export function ledgerTable(suites: SuiteReport[]): string {
  const rows = suites.map((suite) => [
    suite.name,
    String(suite.passed + suite.failed),
    String(suite.failed),
    String(suite.skipped),
    seconds(suite.testMs),
    suite.note ?? '',
  ])
  const table = [['suite', 'tests', 'failed', 'skipped', 'time', ''], ...rows]
  const widths = [0, 1, 2, 3, 4, 5].map((column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  )
  return table
    .map((row) =>
      row
        .map((cell, column) => {
          const width = widths[column] ?? 0
          return column === 0 || column === 5 ? cell.padEnd(width) : cell.padStart(width)
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
