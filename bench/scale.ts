// Compares the same calls on a store of 10,000 threads and on one of 1,000,000: the median for the large one divided by
// the median for the small one, on both engines. Also checks every query's plan, which must use an index.

import { join } from 'node:path'
import { startPostgres } from '../test/tools/postgres.ts'
import { runChild } from './child.ts'
import { fillStore } from './fill.ts'
import { median } from './numbers.ts'
import { diskEnv, inFolder } from './place.ts'
import { type PlansReport, postgresPlans, sqlitePlans } from './plans.ts'
import type { Figure, Report } from './report.ts'
import type { SamplerTask, Samples } from './scale-sampler.ts'

const SMALL = 10_000
const ENGINES = ['SQLite', 'PostgreSQL'] as const
type Engine = (typeof ENGINES)[number]

type Options = { threads?: number | undefined; samples?: number | undefined }
type Found = { fast: Samples; slow: Samples; plans: PlansReport; fillSeconds: number }

export async function benchScale({ threads = 1_000_000, samples = 300 }: Options): Promise<Report> {
  const figures: Figure[] = []
  const notes = [
    `medians of ${samples} calls on each store, in turn; the large one has ${threads} threads`,
  ]
  const failures: string[] = []
  for (const engine of ENGINES) {
    const { fast, slow, plans, fillSeconds } = await measure(engine, threads, samples)
    for (const [name, times] of Object.entries(fast)) {
      figures.push({
        name: `${engine}, ${name}`,
        value: ratio(times),
        ...(slow[name] === undefined ? {} : { slowDisk: ratio(slow[name]) }),
        unit: 'x',
        bar: { at: '<=', value: 1.5 },
        over: `the same at ${SMALL} threads, ${median(times[0] ?? []).toFixed(2)} ms`,
      })
    }
    notes.push(
      `${engine}: filled in ${fillSeconds.toFixed(0)} s; ${plans.plans.length} plans looked at`,
    )
    failures.push(...plans.faults.map((fault) => `${engine}: ${fault}`))
  }
  return { figures, notes, failures }
}

function ratio([small = [], large = []]: number[][]): number {
  return median(large) / median(small)
}

async function measure(engine: Engine, threads: number, samples: number): Promise<Found> {
  const sampler = join(import.meta.dirname, 'scale-sampler.ts')
  if (engine === 'SQLite') {
    return inFolder(async (folder) => {
      const stores = [SMALL, threads].map((count) => ({
        db: join(folder, `${count}.db`),
        threads: count,
      }))
      const fillSeconds = await fillAll(stores)
      const task: SamplerTask = { stores, samples }
      const fast = await runChild<Samples>(sampler, task)
      // Only writes flush.
      const writes = { ...task, only: ['claim'] }
      const slow = await runChild<Samples>(sampler, writes, diskEnv('slow'))
      return { fast, slow, plans: sqlitePlans(stores[1]?.db ?? ''), fillSeconds }
    })
  }
  const server = await startPostgres({ durable: true, settings: { max_wal_size: '8GB' } })
  try {
    const stores = [SMALL, threads].map((count) => ({
      db: `${server.url}?schema=threads_${count}`,
      threads: count,
    }))
    const fillSeconds = await fillAll(stores)
    const fast = await runChild<Samples>(sampler, { stores, samples })
    return { fast, slow: {}, plans: await postgresPlans(stores[1]?.db ?? ''), fillSeconds }
  } finally {
    await server.stop()
  }
}

async function fillAll(stores: { db: string; threads: number }[]): Promise<number> {
  const startedAt = performance.now()
  for (const { db, threads } of stores) await fillStore(db, { threads })
  return (performance.now() - startedAt) / 1000
}
