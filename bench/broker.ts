// Measures the cost of an idle wake broker, and how many starts a burst of mail to one sleeping agent causes.

import { join } from 'node:path'
import { build } from '../scripts/build.ts'
import { openMailroom } from '../src/bin/compose.ts'
import { post } from '../src/core/mail/mail.ts'
import { type Client, connect } from '../src/index.ts'
import { startPostgres } from '../test/tools/postgres.ts'
import { HOME } from '../test/worlds/home.ts'
import { cpuMs, cpuShare } from './cpu.ts'
import { inFolder } from './place.ts'
import type { Figure, Report } from './report.ts'

const PROGRAM = join(import.meta.dirname, '../dist/inbox')
const ENGINES = ['SQLite', 'PostgreSQL'] as const
type Engine = (typeof ENGINES)[number]

/** Agents that could be woken but have no reason to be. */
const SLEEPERS = 100
/** Sent in transactions of this size, a burst ends before a broker would treat it as a stream. */
const BATCH = 100
/** Long enough for the whole burst to be handed over, presented and finished. */
const LONGEST_MS = 120_000

export async function benchBroker(options: {
  seconds?: number | undefined
  mail?: number | undefined
}): Promise<Report> {
  const { seconds = 20, mail = 10_000 } = options
  await build({ force: false })
  const figures: Figure[] = []
  const failures: string[] = []
  for (const engine of ENGINES) {
    await withStore(engine, async (db) => {
      const user = await connect(db, { agent: 'user' })
      await settle(user)
      const broker = Bun.spawn([PROGRAM, 'wake', 'run', '--db', db], {
        // The home folder holds the list of allowed commands.
        env: { ...process.env, HOME },
        stdio: ['ignore', 'ignore', 'ignore'],
      })
      try {
        figures.push(...(await measureIdle(engine, broker.pid, seconds)))
        const burst = await measureBurst(engine, { db, user, pid: broker.pid, mail })
        figures.push(...burst.figures)
        if (burst.unread > 0) failures.push(`${engine}: ${burst.unread} were never presented`)
        if (burst.starts !== 1) failures.push(`${engine}: ${burst.starts} starts for one burst`)
      } finally {
        broker.kill('SIGTERM')
        await broker.exited
        await user.close()
      }
    })
  }
  const notes = [
    `${SLEEPERS} agents that could be woken; one of them has a timer that is not due`,
    `the burst: ${mail} messages, ${BATCH} in a transaction; the agent is cat`,
  ]
  return { figures, notes, failures }
}

async function withStore(engine: Engine, work: (db: string) => Promise<void>) {
  if (engine === 'SQLite') return inFolder((folder) => work(join(folder, 'store.db')))
  const server = await startPostgres({ durable: true })
  try {
    await work(server.url)
  } finally {
    await server.stop()
  }
}

async function settle(user: Client): Promise<void> {
  for (let i = 0; i < SLEEPERS; i++) {
    const timer = i === 1 ? { wake_every_seconds: 86_400 } : {}
    await user.agentRegister({ agent: `agent-${i}`, wake_command: '["cat"]', ...timer })
  }
}

async function measureIdle(engine: Engine, pid: number, seconds: number): Promise<Figure[]> {
  if (process.platform !== 'linux') return []
  // Startup takes a second or two; only the waiting is measured.
  await Bun.sleep(6000)
  const value = await cpuShare(pid, seconds)
  return [
    {
      name: `${engine}, idle broker`,
      value,
      unit: '%',
      bar: { at: '<=', value: 0.2 },
      over: `one core, over ${seconds} s`,
    },
  ]
}

type Burst = { db: string; user: Client; pid: number; mail: number }

async function measureBurst(engine: Engine, { db, user, pid, mail }: Burst) {
  const before = process.platform === 'linux' ? cpuMs(pid) : 0
  const startedAt = performance.now()
  await sendAll(db, mail)
  const sentAt = performance.now()
  const cost = process.platform === 'linux' ? cpuMs(pid) - before : 0
  const ended = await untilDone(user)
  const { wakes } = await user.wakeLog({ limit: 1000 })
  const { unread } = await stillQueued(user)
  const figures: Figure[] = [
    {
      name: `${engine}, starts for a burst`,
      value: wakes.length,
      unit: 'x',
      bar: { at: '<=', value: 1 },
      over: `${mail} messages in ${Math.round(sentAt - startedAt)} ms`,
    },
    {
      name: `${engine}, from the last message to the end of the turn`,
      value: ended - sentAt,
      unit: 'ms',
      over: 'all of them handed over and presented',
    },
    {
      name: `${engine}, broker during the burst`,
      value: (cost / (sentAt - startedAt)) * 100,
      unit: '%',
      over: 'one core',
    },
  ]
  return { figures, starts: wakes.length, unread }
}

async function sendAll(db: string, mail: number): Promise<void> {
  const { store, makeId, close } = await openMailroom(db)
  for (let sent = 0; sent < mail; sent += BATCH) {
    await store.write(async (tx) => {
      const now = await tx.now()
      for (let i = 0; i < Math.min(BATCH, mail - sent); i++) {
        const words = { summary: 'what now?', body: 'what now?', payload_json: '{}', artifacts: [] }
        const moment = { now, messageId: makeId('message'), artifactIds: [] }
        const to = { address: 'agent-0', recipients: ['agent-0'] }
        const what = { kind: 'question', words, expires_at: null } as const
        const thread_id = makeId('thread')
        tx.record(null, post({ from: 'user', thread_id, ...to, ...what }, moment))
      }
      return {}
    })
  }
  await close()
}

async function untilDone(user: Client): Promise<number> {
  const giveUp = performance.now() + LONGEST_MS
  for (;;) {
    const { wakes } = await user.wakeLog({ limit: 1 })
    const { waking, wakes: isNext } = await user.wakeExplain({ agent: 'agent-0' })
    if (wakes[0]?.state === 'ended' && waking === 0 && !isNext) return performance.now()
    if (performance.now() > giveUp) throw new Error(`not done: ${JSON.stringify(wakes)}`)
    await Bun.sleep(20)
  }
}

/** The last message is enough, because messages are presented in order. */
async function stillQueued(user: Client): Promise<{ unread: number }> {
  const { messages } = await user.mailPeek({ to: 'agent-0', limit: 500, all: true })
  return { unread: messages.filter(({ state }) => state === 'queued').length }
}
