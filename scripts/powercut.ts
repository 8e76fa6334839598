// Cuts the power under a store while processes write to it, several times, and counts acknowledged writes that are
// lost. The setting we ship must lose none. The next weaker one is the control and must lose some, or the trials prove
// nothing. `npm run powercut -- 20` makes 20 trials each.

import { withMutant } from '../test/faults/guards/mutant.ts'
import { cutPower } from '../test/faults/power-cut.ts'
import { buildShim } from '../test/tools/shim.ts'

const CONTROL = {
  file: 'store/sqlite/open.ts',
  guard: 'pragma synchronous = full',
  without: 'pragma synchronous = normal',
}

type Row = {
  setting: string
  acknowledged: number
  lost: number
  withLoss: number
  findings: string[]
}

async function main(trials: number): Promise<number> {
  try {
    buildShim('powercut')
  } catch (error) {
    // Without a compiler or Linux, report what wasn't tried.
    console.error((error as Error).message)
    return 1
  }
  const full = await run('FULL, as shipped', trials)
  const normal = await withMutant(CONTROL, (source) => run('NORMAL, the control', trials, source))
  for (const row of [full, normal]) {
    console.log(
      `${row.setting.padEnd(20)} ${trials} cuts, ${row.acknowledged} acknowledged, ${row.lost} lost in ${row.withLoss} of the cuts`,
    )
  }
  for (const finding of full.findings) console.log(`after a cut with FULL: ${finding}`)
  if (normal.lost === 0) console.log('the control lost nothing, so these trials prove nothing')
  return full.lost === 0 && full.findings.length === 0 && normal.lost > 0 ? 0 : 1
}

async function run(setting: string, trials: number, source?: string): Promise<Row> {
  const row: Row = { setting, acknowledged: 0, lost: 0, withLoss: 0, findings: [] }
  for (let trial = 0; trial < trials; trial++) {
    // The power is cut at a different point each time; a checkpoint happens only after about a thousand pages.
    const each = 10 + Math.floor(Math.random() * 200)
    const cut = await cutPower({ each, writers: 1 + (trial % 4), ...(source ? { source } : {}) })
    row.acknowledged += cut.acknowledged
    row.lost += cut.lost
    row.withLoss += cut.lost > 0 ? 1 : 0
    row.findings.push(...cut.findings)
  }
  return row
}

process.exitCode = await main(Number(process.argv[2] ?? 12))
