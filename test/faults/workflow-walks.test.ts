import { expect, test } from 'bun:test'
import { extentAsked } from '../worlds/extent.ts'
import { walkRun } from './workflow-walks.ts'

const { MAILROOM_WALK_SEED } = process.env
const SEEDS = MAILROOM_WALK_SEED === undefined ? [3, 5] : [Number(MAILROOM_WALK_SEED)]
/** One walk on PostgreSQL; with `npm run test:full`, all of them. */
const CASES = [
  ...SEEDS.map((seed) => ['sqlite', seed] as const),
  ...(extentAsked() === 'full' ? SEEDS : SEEDS.slice(0, 1)).map(
    (seed) => ['postgres', seed] as const,
  ),
]

test('random walks of whole runs with kills neither lose nor duplicate a mention', async () => {
  const walked = await Promise.all(CASES.map(([engine, seed]) => walkRun(engine, seed)))
  for (const walk of walked) expect(walk).toMatchObject({ problems: [] })
  // A walk in which nothing happens would pass any check.
  expect(walked.every(({ mentions, turns }) => mentions > 3 && turns > 3)).toBe(true)
  expect(walked.some(({ resumes }) => resumes > 0)).toBe(true)
}, 200_000)
