// Prints a bench's results: a table for people, then one JSON line for programs, including whether each bar was met. A
// missed bar never fails the command, because timings on a busy machine prove nothing.

export type Bar = { at: '<=' | '>='; value: number }

export type Figure = {
  name: string
  value: number
  /** The value with 5 ms added to every flush. Undefined if no disk is involved. */
  slowDisk?: number | undefined
  unit: 'x' | 'ms' | '%' | 'MB' | 'KB' | '/s' | 'tokens' | 'nodes'
  bar?: Bar
  /** What this figure was divided by or is compared with. */
  over: string
}

export type Report = {
  figures: Figure[]
  /** Conditions that a reader needs to judge the figures. */
  notes: string[]
  /** Checks that aren't about time; any failure fails the command. */
  failures?: string[]
}

export const SLOW_FLUSH_MS = 5

export function isMet({ value, bar }: Pick<Figure, 'value' | 'bar'>): boolean | undefined {
  if (bar === undefined) return undefined
  return bar.at === '<=' ? value <= bar.value : value >= bar.value
}

export function printReport(bench: string, report: Report): void {
  const rows = [
    ['', 'figure', `slow disk`, 'bar', '', 'over'],
    ...report.figures.map((figure) => [
      figure.name,
      written(figure.value, figure.unit),
      figure.slowDisk === undefined ? '' : written(figure.slowDisk, figure.unit),
      figure.bar === undefined ? '' : `${figure.bar.at} ${figure.bar.value}`,
      { true: 'met', false: 'MISSED', undefined: '' }[String(isMet(figure))] ?? '',
      figure.over,
    ]),
  ]
  const widths = [0, 1, 2, 3, 4, 5].map((at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  )
  for (const row of rows) {
    const cells = row.map((cell, at) => {
      const width = widths[at] ?? 0
      return at === 1 || at === 2 ? cell.padStart(width) : cell.padEnd(width)
    })
    console.log(cells.join('  ').trimEnd())
  }
  for (const note of report.notes) console.log(`- ${note}`)
  for (const failure of report.failures ?? []) console.log(`FAILED: ${failure}`)
  const figures = report.figures.map(({ name, value, slowDisk, unit, bar, over }) => ({
    name,
    value: round(value),
    ...(slowDisk === undefined ? {} : { slow_disk: round(slowDisk) }),
    unit,
    ...(bar === undefined ? {} : { bar: `${bar.at} ${bar.value}`, met: isMet({ value, bar }) }),
    over,
  }))
  console.log(
    JSON.stringify({ bench, figures, notes: report.notes, failures: report.failures ?? [] }),
  )
}

function written(value: number, unit: Figure['unit']): string {
  return unit === 'x' ? `${round(value)}x` : `${round(value)} ${unit}`
}

function round(value: number): number {
  return Number(value.toPrecision(3))
}
