// The time from the return of the commit in process A to the return of wait-reply in process B, on both engines; and
// the cost of a process that waits without being woken.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from '../scripts/build.ts'
import { connect } from '../src/index.ts'
import { type Postgres, startPostgres } from '../test/tools/postgres.ts'
import { startChild } from './child.ts'
import { cpuShare } from './cpu.ts'
import { percentile } from './numbers.ts'
import { DISKS, type Disk, diskEnv, inFolder } from './place.ts'
import type { Figure, Report } from './report.ts'
import type { WaiterTask } from './wake-waiter.ts'
import type { WriterTask } from './wake-writer.ts'

const ROOT = join(import.meta.dirname, '..')
const WARM_UP = 10
const ENGINES = ['SQLite', 'PostgreSQL'] as const
type Engine = (typeof ENGINES)[number]

const SCENES = {
  spaced: { burst: 1, gapMs: [6, 18], agent: 'worker' },
  'spaced, only watching': { burst: 1, gapMs: [6, 18] },
  'bursts of 5': { burst: 5, gapMs: [30, 60], agent: 'worker' },
} as const
/** Milliseconds, by percentile. PostgreSQL adds a round trip. */
const BARS = { SQLite: { 0.5: 1, 0.99: 5 }, PostgreSQL: { 0.5: 1.3, 0.99: 5 } } as const

type Scene = keyof typeof SCENES

export async function benchWake(options: {
  samples?: number | undefined
  seconds?: number | undefined
}): Promise<Report> {
  const { samples = 400, seconds = 20 } = options
  await build({ force: false })
  const late = new Map<string, number[]>()
  const idle: Figure[] = []
  for (const disk of DISKS) {
    for (const engine of ENGINES) {
      await withStore(engine, disk, async (db) => {
        for (const scene of Object.keys(SCENES) as Scene[]) {
          late.set(`${disk} ${engine} ${scene}`, await measure({ db, disk, scene, samples }))
        }
        if (disk === 'fast') idle.push(...(await measureIdle(engine, db, seconds)))
      })
    }
  }
  const of = (disk: Disk, engine: Engine, scene: Scene) =>
    late.get(`${disk} ${engine} ${scene}`) as number[]
  const figures = ENGINES.flatMap((engine) =>
    (Object.keys(SCENES) as Scene[]).flatMap((scene) =>
      ([0.5, 0.99] as const).map((share): Figure => {
        const bar = { at: '<=', value: BARS[engine][share] } as const
        return {
          name: `${engine}, ${scene}: p${share * 100}`,
          value: percentile(of('fast', engine, scene), share),
          slowDisk: percentile(of('slow', engine, scene), share),
          unit: 'ms',
          // In a burst the waiter is mostly busy with the previous reply, not blocked.
          ...(scene === 'spaced' ? { bar } : {}),
          over: 'the moment the commit returned in the writing process',
        }
      }),
    ),
  )
  const notes = [
    `${samples} samples each after ${WARM_UP} of warm-up; gaps of 6 to 18 ms, or bursts of 5`,
    'a waiter that the reply is for commits its read mark after it has returned',
  ]
  return { figures: [...figures, ...idle], notes }
}

async function withStore(engine: Engine, disk: Disk, work: (db: string) => Promise<void>) {
  if (engine === 'SQLite') return inFolder((folder) => work(join(folder, 'store.db')))
  const server: Postgres = await startPostgres({ durable: true, env: diskEnv(disk) })
  try {
    await work(server.url)
  } finally {
    await server.stop()
  }
}

async function measure(run: {
  db: string
  disk: Disk
  scene: Scene
  samples: number
}): Promise<number[]> {
  const { burst, gapMs, ...who } = SCENES[run.scene]
  const { thread, after } = await blockedThread(run.db)
  const replies = run.samples + WARM_UP
  const waiterTask: WaiterTask = { db: run.db, thread, after, replies, ...who }
  const writerTask: WriterTask = { db: run.db, thread, replies, burst, gapMs: [...gapMs] }
  const waiter = startChild(join(ROOT, 'bench/wake-waiter.ts'), waiterTask, diskEnv(run.disk))
  try {
    await waiter.hear()
    const writer = startChild(join(ROOT, 'bench/wake-writer.ts'), writerTask, diskEnv(run.disk))
    try {
      const [committed, got] = await Promise.all([writer.hear<number[]>(), waiter.hear<number[]>()])
      return got.map((at, i) => at - (committed[i] as number)).slice(WARM_UP)
    } finally {
      await writer.end()
    }
  } finally {
    await waiter.end()
  }
}

async function blockedThread(db: string): Promise<{ thread: string; after: number }> {
  const inbox = await connect(db, { agent: 'worker' })
  const { thread } = await inbox.send({ from: 'lead', to: 'worker', subject: 'ask me something' })
  await inbox.claim({ thread: thread.thread_id })
  const { next_event_id } = await inbox.update({
    thread: thread.thread_id,
    status: 'blocked',
    summary: 'which one?',
  })
  await inbox.close()
  return { thread: thread.thread_id, after: next_event_id }
}

/** Measures the built program while it's blocked in wait-reply and no reply is coming. */
async function measureIdle(engine: Engine, db: string, seconds: number): Promise<Figure[]> {
  if (process.platform !== 'linux') return []
  const { thread } = await blockedThread(db)
  const command = ['wait-reply', '--db', db, '--agent', 'worker', '--thread', thread]
  const child = Bun.spawn([join(ROOT, 'dist/inbox'), ...command, '--timeout-seconds', '0'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    // Startup takes a second or two; only the waiting is measured.
    await Bun.sleep(2000)
    const share = await cpuShare(child.pid, seconds)
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
    const memory = (field: string) =>
      Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024
    return [
      {
        name: `${engine}, idle waiter`,
        value: share,
        unit: '%',
        bar: { at: '<=', value: 0.2 },
        over: `one core, over ${seconds} s`,
      },
      {
        name: `${engine}, RSS of a waiting process`,
        value: memory('VmRSS'),
        unit: 'MB',
        bar: { at: '<=', value: 36 },
        over: `of it ${memory('RssAnon').toFixed(1)} MB its own, the rest pages of the program file`,
      },
    ]
  } finally {
    child.kill('SIGTERM')
    await child.exited
  }
}
