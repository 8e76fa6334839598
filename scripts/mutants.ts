// Compares what two extents of the behaviours suite notice. It is run by hand with `npm run mutants`, at low priority.
// Each mutant is a copy of the sources with one fault (scripts/mutants-list.ts). Sentences are proved by the rule first
// and, if none fails, also where only the full product proves them. A fault that only the full product notices is a
// loss, which decisions/0023-what-runs-where.md must name. Arguments choose mutants by part of their name.

import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { mutate } from '../test/faults/guards/mutant.ts'
import { startPostgres } from '../test/tools/postgres.ts'
import type { Extent } from '../test/worlds/extent.ts'
import { MUTANTS, type Mutant } from './mutants-list.ts'
import { ROOT, runStep, seconds, stopRunning } from './run-step.ts'
import { readJunit } from './suite-report.ts'

/** The files and folders that a run of the suite reads. */
const COPIED = [
  'src',
  'sql',
  'test',
  'scripts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]
/** Longer than any sentence takes, so that a mutant that makes a sentence wait forever is noticed. */
const PATIENCE_MS = 100_000

type Verdict = 'rule' | 'full' | 'nobody' | 'gone'

async function main(parts: string[]): Promise<number> {
  setPriority(10)
  const chosen = MUTANTS.filter(({ name }) => {
    return parts.length === 0 || parts.some((part) => name.includes(part))
  })
  const postgres = await startPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'mailroom-mutants-'))
  const verdicts: [Mutant, Verdict][] = []
  try {
    for (const mutant of chosen) {
      const startedAt = performance.now()
      const verdict = await judge(mutant, folder, postgres.url)
      verdicts.push([mutant, verdict])
      const took = seconds(performance.now() - startedAt).padStart(8)
      console.log(`${verdict.padEnd(6)} ${took}  ${mutant.name}`)
    }
  } finally {
    stopRunning()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  const count = (wanted: Verdict) => verdicts.filter(([, verdict]) => verdict === wanted).length
  console.log(
    `\n${verdicts.length} mutants: ${count('rule')} noticed by the rule, ${count('full')} more by the full product, ${count('nobody')} by nobody; ${count('gone')} have no place in the sources any more`,
  )
  return count('full') + count('gone') > 0 ? 1 : 0
}

async function judge(mutant: Mutant, folder: string, postgres: string): Promise<Verdict> {
  const home = join(folder, String(MUTANTS.indexOf(mutant)))
  for (const path of COPIED) {
    const from = join(ROOT, path)
    if (existsSync(from)) cpSync(from, join(home, path), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(home, 'node_modules'))
  try {
    mutate(join(home, 'src'), mutant)
  } catch (error) {
    console.log((error as Error).message)
    return 'gone'
  }
  const built = await runStep({
    name: 'build',
    cmd: [process.execPath, join(home, 'scripts/build.ts')],
  })
  if (!built.ok) throw new Error(`${mutant.name}: it cannot be built\n${built.output}`)
  try {
    if (await isNoticed(mutant, home, postgres, 'rule')) return 'rule'
    return (await isNoticed(mutant, home, postgres, 'rest')) ? 'full' : 'nobody'
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

async function isNoticed(
  { world, subjects, name }: Mutant,
  home: string,
  postgres: string,
  extent: Extent,
): Promise<boolean> {
  const junit = join(home, `${extent}.xml`)
  const paths = subjects?.map((subject) => `./test/behaviours/${subject}`)
  const { output } = await runStep({
    name,
    cwd: home,
    cmd: [
      process.execPath,
      'test',
      '--parallel=2',
      '--no-orphans',
      '--only-failures',
      '--bail=1',
      `--timeout=${PATIENCE_MS}`,
      '--reporter=junit',
      `--reporter-outfile=${junit}`,
      ...(world === undefined ? [] : ['-t', `\\[${world}\\]`]),
      ...(paths ?? ['./test/behaviours']),
    ],
    env: { CI: 'true', MAILROOM_TEST_PG: postgres, MAILROOM_TEST_EXTENT: extent },
  })
  const first = /\(fail\) (.*?)(?: \[[\d.]+m?s\])?$/m.exec(output)?.[1]
  if (first !== undefined) console.log(`       ${first}`)
  const counts = readJunit(junit)
  // Bun writes no report when it stops at the first failure.
  if (first === undefined && (counts === undefined || counts.passed === 0)) {
    throw new Error(`${name}: nothing ran\n${output}`)
  }
  return first !== undefined
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopRunning)
process.exitCode = await main(process.argv.slice(2))
