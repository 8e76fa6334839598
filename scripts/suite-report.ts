// Reads what a suite did from the JUnit file it left, and makes the ledger of all suites.
import { existsSync, readFileSync } from 'node:fs'
import { seconds } from './run-step.ts'

export type SuiteReport = {
  name: string
  passed: number
  failed: number
  skipped: number
  wallMs: number
  /** The suite with all its children, plus what the PostgreSQL server did meanwhile. */
  cpuMs: number
  /** Why it failed beyond single tests, or why it was left out. */
  note?: string
}

export type Counts = { passed: number; failed: number; skipped: number }

/** Undefined when there is no file or it says nothing: the suite never came to its end. */
export function readJunit(path: string): Counts | undefined {
  if (!existsSync(path)) return undefined
  const root = /<testsuites\b[^>]*>/.exec(readFileSync(path, 'utf8'))?.[0]
  const attribute = (name: string) => Number(new RegExp(` ${name}="(\\d+)"`).exec(root ?? '')?.[1])
  const [tests, failed, skipped] = ['tests', 'failures', 'skipped'].map(attribute)
  if (tests === undefined || failed === undefined || skipped === undefined) return undefined
  if (Number.isNaN(tests + failed + skipped)) return undefined
  return { passed: tests - failed - skipped, failed, skipped }
}

/** A suite that ran nothing, crashed, or ended badly without naming a test has failed once. */
export function judge(counts: Counts | undefined, ok: boolean): Counts & { note?: string } {
  if (!counts) return { passed: 0, failed: 1, skipped: 0, note: 'ended without a report' }
  if (counts.passed + counts.failed === 0) return { ...counts, failed: 1, note: 'ran no tests' }
  if (!ok && counts.failed === 0)
    return { ...counts, failed: 1, note: 'ended badly though no test failed' }
  return counts
}

export function ledgerTable(suites: SuiteReport[]): string {
  const rows = suites.map((suite) => [
    suite.name,
    String(suite.passed + suite.failed),
    String(suite.failed),
    String(suite.skipped),
    seconds(suite.wallMs),
    seconds(suite.cpuMs),
    suite.note ?? '',
  ])
  const table = [['suite', 'tests', 'failed', 'skipped', 'wall', 'cpu', ''], ...rows]
  const widths = [0, 1, 2, 3, 4, 5, 6].map((column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  )
  return table
    .map((row) =>
      row
        .map((cell, column) => {
          const width = widths[column] ?? 0
          return column === 0 || column === 6 ? cell.padEnd(width) : cell.padStart(width)
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
