// The time from the call to `mail send` in process A to the return of a blocked `mail read` in process B, on both
// engines. It includes the send's own commit.

import { join } from 'node:path'
import { connect } from '../src/index.ts'
import { startPostgres } from '../test/tools/postgres.ts'
import { startChild } from './child.ts'
import type { ReaderTask } from './deliver-reader.ts'
import type { SenderTask } from './deliver-sender.ts'
import { longThreadFigures } from './long-thread.ts'
import { percentile } from './numbers.ts'
import { DISKS, type Disk, diskEnv, inFolder } from './place.ts'
import type { Figure, Report } from './report.ts'

const WARM_UP = 10
const ENGINES = ['SQLite', 'PostgreSQL'] as const
type Engine = (typeof ENGINES)[number]
/** Milliseconds. On PostgreSQL, a send takes two round trips and a flush. */
const BARS = { SQLite: 2.5, PostgreSQL: 4 } as const

export async function benchDeliver({
  samples = 400,
}: {
  samples?: number | undefined
}): Promise<Report> {
  const late = new Map<string, number[]>()
  for (const disk of DISKS) {
    for (const engine of ENGINES) {
      await withStore(engine, disk, async (db) => {
        late.set(`${disk} ${engine}`, await measure(db, disk, samples))
      })
    }
  }
  const of = (disk: Disk, engine: Engine) => late.get(`${disk} ${engine}`) as number[]
  const figures = ENGINES.flatMap((engine) =>
    ([0.5, 0.99] as const).map(
      (share): Figure => ({
        name: `${engine}: p${share * 100}`,
        value: percentile(of('fast', engine), share),
        slowDisk: percentile(of('slow', engine), share),
        unit: 'ms',
        ...(share === 0.5 ? { bar: { at: '<=', value: BARS[engine] } as const } : {}),
        over: 'the moment before the call of mail send in the sending process',
      }),
    ),
  )
  return {
    figures: [...figures, ...(await longThreadFigures())],
    notes: [`${samples} samples each after ${WARM_UP} of warm-up; gaps of 6 to 18 ms`],
  }
}

async function withStore(engine: Engine, disk: Disk, work: (db: string) => Promise<void>) {
  if (engine === 'SQLite') return inFolder((folder) => work(join(folder, 'store.db')))
  const server = await startPostgres({ durable: true, env: diskEnv(disk) })
  try {
    await work(server.url)
  } finally {
    await server.stop()
  }
}

async function measure(db: string, disk: Disk, samples: number): Promise<number[]> {
  const inbox = await connect(db, { agent: 'reader' })
  await inbox.agentRegister({})
  await inbox.close()
  const messages = samples + WARM_UP
  const readerTask: ReaderTask = { db, agent: 'reader', messages }
  const senderTask: SenderTask = { db, to: 'reader', messages, gapMs: [6, 18] }
  const reader = startChild(
    join(import.meta.dirname, 'deliver-reader.ts'),
    readerTask,
    diskEnv(disk),
  )
  try {
    await reader.hear()
    const sender = startChild(
      join(import.meta.dirname, 'deliver-sender.ts'),
      senderTask,
      diskEnv(disk),
    )
    try {
      const [sent, got] = await Promise.all([sender.hear<number[]>(), reader.hear<number[]>()])
      return got.map((at, i) => at - (sent[i] as number)).slice(WARM_UP)
    } finally {
      await sender.end()
    }
  } finally {
    await reader.end()
  }
}
