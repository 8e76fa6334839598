// A thousand waiters on one server: how much memory each costs, and how soon all are woken.

import { join } from 'node:path'
import { connect } from '../src/index.ts'
import { startChild } from './child.ts'
import { sharedMs } from './clock.ts'
import { median } from './numbers.ts'
import { inFolder } from './place.ts'
import type { Report } from './report.ts'
import { as, residentKb, type Serving, serve } from './serving.ts'
import type { Era, WaitersTask } from './waiters-client.ts'

const MANY = { BUN_CONFIG_MAX_HTTP_REQUESTS: '8192' }
/** Half of one caller's limit, because some streams of the previous round may still be open. */
const STREAMS_EACH = 500
const CLIENT = join(import.meta.dirname, 'waiters-client.ts')

export async function benchWaiters({
  waiters = 1000,
  events = 1000,
  rounds = 3,
}: {
  waiters?: number | undefined
  events?: number | undefined
  rounds?: number | undefined
}): Promise<Report> {
  const older: Cost[] = []
  const newer: Cost[] = []
  const streams: Streamed[] = []
  // Starts a new server each time, because a crowd would reuse the memory that the previous one freed.
  for (let round = 0; round < rounds; round++) {
    older.push(await withServer((db, server) => blocked(db, server, 'older', waiters)))
    newer.push(await withServer((db, server) => blocked(db, server, 'newer', waiters)))
    streams.push(await withServer((db, server) => streamed(db, server, waiters, events)))
  }
  const whole = Math.min(...streams.map((one) => one.whole))
  return {
    figures: [
      ...figures(`${waiters} blocked MCP calls of the older era`, CALLS, older),
      ...figures(`${waiters} blocked MCP calls of the newer era`, CALLS, newer),
      ...figures(`${waiters} event streams`, STREAMS, streams),
    ],
    notes: [
      `medians of ${rounds} servers; ${events} events to each of ${waiters} streams: ${whole} had all, in order`,
    ],
    failures: whole === waiters ? [] : [`${waiters - whole} of ${waiters} streams lost events`],
  }
}

type Cost = { kb: number; ms: number }
type Streamed = Cost & { whole: number }

const CALLS: Cost = { kb: 40, ms: 300 }
const STREAMS: Cost = { kb: 10, ms: 100 }

function figures(name: string, most: Cost, costs: readonly Cost[]): Report['figures'] {
  return [
    {
      name: `${name}, each`,
      value: median(costs.map(({ kb }) => kb)),
      unit: 'KB',
      bar: { at: '<=', value: most.kb },
      over: 'the resident memory of the server, warmed up',
    },
    {
      name: 'all of them woken by one message',
      value: median(costs.map(({ ms }) => ms)),
      unit: 'ms',
      bar: { at: '<=', value: most.ms },
      over: 'the return of mail send',
    },
  ]
}

async function withServer<T>(work: (db: string, server: Serving) => Promise<T>): Promise<T> {
  return inFolder(async (folder) => {
    const db = join(folder, 'store.db')
    const server = await serve(db)
    try {
      await warmUp(server)
      return await work(db, server)
    } finally {
      await server.stop()
    }
  })
}

/** Makes the server do some work first, so that what it compiles isn't counted as part of a waiter's cost. */
async function warmUp({ url }: Serving): Promise<void> {
  for (let i = 0; i < 1000; i++) {
    const wish = { method: 'POST', headers: as('lead'), body: '{"limit":1}' }
    await (await fetch(`${url}/api/ops/list`, wish)).text()
  }
}

async function blocked(db: string, server: Serving, era: Era, waiters: number) {
  const inbox = await connect(db, { agent: 'lead' })
  for (let i = 0; i < waiters; i++) await inbox.agentRegister({ agent: `w${i}` })
  const say = () => inbox.mailSend({ to: 'broadcast', subject: 'Everybody', body: 'Look up.' })
  let kb = 0
  let ms = 0
  // Starts with a smaller crowd, so that one-time allocations aren't counted as part of a waiter's cost.
  for (const crowd of [Math.ceil(waiters / 10), waiters]) {
    const task: WaitersTask = { url: server.url, how: era, tokens: [], waiters: crowd, events: 0 }
    const before = residentKb(server.pid)
    const child = startChild(CLIENT, task, MANY)
    try {
      const woken = child.hear<number[]>()
      await Promise.race([allWait(inbox, crowd), woken])
      kb = (residentKb(server.pid) - before) / crowd
      await say()
      const start = sharedMs()
      ms = Math.max(...(await woken)) - start
    } finally {
      await child.end()
    }
    for (let i = 0; i < waiters; i++) await inbox.mailMarkRead({ agent: `w${i}`, all: true })
  }
  await inbox.close()
  return { kb, ms }
}

/** Waits until the whole crowd is known to be waiting. A broadcast goes only to agents known to be there. */
async function allWait(inbox: Awaited<ReturnType<typeof connect>>, crowd: number): Promise<void> {
  let [waiting, after]: [number, string | undefined] = [0, undefined]
  for (;;) {
    const { agents, next_after } = await inbox.agentList({ limit: 1000, ...(after && { after }) })
    waiting += agents.filter(({ evidence }) => evidence.by === 'waiting').length
    if (waiting >= crowd) return
    after = next_after ?? undefined
    if (after !== undefined) continue
    waiting = 0
    await Bun.sleep(100)
  }
}

async function streamed(db: string, server: Serving, waiters: number, events: number) {
  const inbox = await connect(db, { agent: 'lead' })
  await inbox.agentRegister({ agent: 'reader' })
  const tokens: string[] = []
  for (let i = 0; i < waiters / STREAMS_EACH; i++) {
    const { token } = await inbox.tokenIssue({ name: `watcher${i}`, service: true })
    tokens.push(token ?? '')
  }
  let found = { kb: 0, ms: 0, whole: 0 }
  const rounds = [
    { crowd: Math.ceil(waiters / 10), count: 1 },
    { crowd: waiters, count: events },
  ]
  for (const { crowd, count } of rounds) {
    const task: WaitersTask = {
      url: server.url,
      how: 'sse',
      tokens,
      waiters: crowd,
      events: count,
    }
    const before = residentKb(server.pid)
    const child = startChild(CLIENT, task, MANY)
    try {
      await child.hear()
      const kb = (residentKb(server.pid) - before) / crowd
      const say = () => inbox.mailSend({ to: 'reader', subject: 'One', body: 'Look up.' })
      await say()
      const start = sharedMs()
      const ms = Math.max(...(await child.hear<number[]>())) - start
      for (let i = 1; i < count; i++) await say()
      found = { kb, ms, whole: await child.hear<number>() }
    } finally {
      await child.end()
    }
  }
  await inbox.close()
  return found
}
