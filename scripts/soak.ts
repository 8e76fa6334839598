// Runs the races and crashes of the test suites for longer: overnight, for a release, or after a change to the store.
// `npm run soak -- 5` makes it five times as long. Prints a line of figures for each, and fails if any of them lost,
// duplicated or accepted something it shouldn't have.

import { withMutant } from '../test/faults/guards/mutant.ts'
import { hearBursts, WITHOUT_BACKSTOP } from '../test/faults/noticing.ts'
import { killAtRandom } from '../test/faults/random-kills.ts'
import { type RunWalk, walkRun } from '../test/faults/workflow-walks.ts'
import { withLonelyStore } from '../test/races/own-store.ts'
import { followWriters, writeTogether } from '../test/races/writers.ts'
import { nightOfZombies } from '../test/races/zombies.ts'
import { startPostgres } from '../test/tools/postgres.ts'
import { runStep, seconds } from './run-step.ts'

const ENGINES = ['sqlite', 'postgres'] as const
type Engine = (typeof ENGINES)[number]
type Outcome = { figures: string; problems: string[] }
type Trial = { name: string; run(engine: Engine, times: number): Promise<Outcome> }

const TRIALS: Trial[] = [
  {
    name: 'kills',
    async run(engine, times) {
      const killed = await killAtRandom(engine, { kills: 300 * times })
      return {
        figures: `${killed.kills} kills, ${killed.acknowledged} acknowledged, ${killed.lost.length} lost, ${killed.stored - killed.acknowledged} kept without an answer`,
        problems: [
          ...killed.lost.map((kept) => `lost: ${JSON.stringify(kept)}`),
          ...killed.contradictions,
          ...killed.findings,
        ],
      }
    },
  },
  {
    name: 'runs',
    async run(engine, times) {
      const walks = 12 * times
      const first = Math.floor(Math.random() * 1_000_000)
      const walked: RunWalk[] = []
      for (let seed = first; seed < first + walks; seed++) walked.push(await walkRun(engine, seed))
      const sum = (of: 'turns' | 'mentions' | 'resumes') =>
        walked.reduce((all, walk) => all + walk[of], 0)
      return {
        figures: `${walks} runs from seed ${first}: ${sum('resumes')} resumed, ${sum('turns')} turns, ${sum('mentions')} mentions`,
        problems: walked.flatMap(({ seed, problems }) => problems.map((one) => `${seed}: ${one}`)),
      }
    },
  },
  {
    name: 'zombies',
    async run(engine, times) {
      const night = await nightOfZombies(engine, { late: 1000 * times })
      return {
        figures: `${night.accepted} writes accepted, ${night.late} came too late and were refused, ${night.stale.length} stale ones accepted`,
        problems: [...night.stale, ...night.findings],
      }
    },
  },
  {
    name: 'two writers',
    async run(engine, times) {
      const written = await writeTogether(engine, { writers: 2, each: 2000 * times })
      const isSame = Bun.deepEquals(written.told, written.logged)
      return {
        figures: `${written.shares.join(' and ')} writes told as kept, ${written.logged.length} in the log`,
        problems: [...written.problems, ...(isSame ? [] : ['the log is not what was told'])],
      }
    },
  },
  {
    name: 'a reader',
    async run(engine, times) {
      const { shown, logged } = await followWriters(engine, { writers: 16, each: 200 * times })
      const isSame = Bun.deepEquals(shown, logged)
      return {
        figures: `${logged.length} events of 16 writers, ${shown.length} shown`,
        problems: isSame ? [] : ['what was shown is not the log'],
      }
    },
  },
  {
    name: 'bursts',
    async run(engine, times) {
      const bursts = 500 * times
      const woken = await withMutant(WITHOUT_BACKSTOP, (source) =>
        withLonelyStore(engine, (store) => hearBursts(store, source, { bursts })),
      ).catch((error: Error) => error)
      return {
        figures: `${bursts} bursts of commits`,
        problems: woken instanceof Error ? [woken.message] : [],
      }
    },
  },
]

async function main(times: number): Promise<number> {
  const postgres = await startPostgres()
  process.env.MAILROOM_TEST_PG = postgres.url
  let failed = 0
  const report = (what: string, startedAt: number, { figures, problems }: Outcome) => {
    failed += problems.length > 0 ? 1 : 0
    const verdict = problems.length > 0 ? 'FAIL' : 'ok  '
    console.log(
      `${verdict}  ${what.padEnd(22)} ${figures} (${seconds(performance.now() - startedAt)})`,
    )
    for (const problem of problems.slice(0, 10)) console.log(`      ${problem}`)
  }
  try {
    for (const { name, run } of TRIALS) {
      for (const engine of ENGINES) {
        const startedAt = performance.now()
        report(`${engine}: ${name}`, startedAt, await run(engine, times))
      }
    }
    const startedAt = performance.now()
    report('random walks', startedAt, await walk(400 * times))
    const resumedAt = performance.now()
    report('readers that resume', resumedAt, await resume(10 * times))
  } finally {
    await postgres.stop()
  }
  console.log(failed === 0 ? 'nothing was lost' : `${failed} trials failed`)
  return failed === 0 ? 0 : 1
}

async function walk(walks: number): Promise<Outcome> {
  const { ok, output } = await runStep({
    name: 'walks',
    cmd: [
      process.execPath,
      'test',
      '--timeout=3600000',
      './test/contract/walk.test.ts',
      './test/contract/mail-walk.test.ts',
    ],
    env: { MAILROOM_WALKS: String(walks) },
  })
  return { figures: `${walks} walks`, problems: ok ? [] : [output.trim()] }
}

/** Readers of the event stream leave and return while others write: on SQLite, and with two servers on PostgreSQL. */
async function resume(more: number): Promise<Outcome> {
  const { ok, output } = await runStep({
    name: 'resumes',
    cmd: [
      process.execPath,
      'test',
      '--timeout=3600000',
      '-t',
      'comes back (a thousand|all the)',
      './test/server/events.test.ts',
      './test/server/postgres.test.ts',
    ],
    env: { MAILROOM_RESUMES: String(more) },
  })
  const ran = Number(/(\d+) pass/.exec(output)?.[1] ?? 0)
  const figures = `${ran} tests, each ${more} times a thousand times back`
  return { figures, problems: ok && ran === 2 ? [] : [output.trim()] }
}

process.exitCode = await main(Number(process.argv[2] ?? 1))
