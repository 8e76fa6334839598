// A thousand that wait on one server: what each costs in memory, and how soon all are woken.

import { join } from 'node:path'
import { connect } from '../src/index.ts'
import { startChild } from './child.ts'
import { sharedMs } from './clock.ts'
import { inFolder } from './place.ts'
import type { Report } from './report.ts'
import { as, residentKb, type Serving, serve } from './serving.ts'
import type { Era, WaitersTask } from './waiters-client.ts'

const MANY = { BUN_CONFIG_MAX_HTTP_REQUESTS: '8192' }
const CLIENT = join(import.meta.dirname, 'waiters-client.ts')

export async function benchWaiters({
  waiters = 1000,
  events = 1000,
}: {
  waiters?: number | undefined
  events?: number | undefined
}): Promise<Report> {
  const calls = []
  for (const era of ['older', 'newer'] as const) {
    const { kb, ms } = await withServer((db, server) => blocked(db, server, era, waiters))
    calls.push(
      {
        name: `${waiters} blocked MCP calls of the ${era} era, each`,
        value: kb,
        unit: 'KB',
        bar: { at: '<=', value: 40 },
        over: 'the resident memory of the server, warmed up',
      } as const,
      {
        name: 'all of them woken by one broadcast',
        value: ms,
        unit: 'ms',
        bar: { at: '<=', value: 300 },
        over: 'the return of mail send',
      } as const,
    )
  }
  const sse = await withServer((db, server) => streamed(db, server, waiters, events))
  const lost = waiters - sse.whole
  return {
    figures: [
      ...calls,
      {
        name: `${waiters} event streams, each`,
        value: sse.kb,
        unit: 'KB',
        bar: { at: '<=', value: 10 },
        over: 'the resident memory of the server, warmed up',
      },
      {
        name: 'all of them have an event',
        value: sse.ms,
        unit: 'ms',
        bar: { at: '<=', value: 100 },
        over: 'the return of mail send',
      },
    ],
    notes: [`${events} events to each of ${waiters} streams: ${sse.whole} had all, in order`],
    failures: lost === 0 ? [] : [`${lost} of ${waiters} streams lost events`],
  }
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

/** A server that has been at work: what it has compiled by then is not what a waiter costs. */
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
  // A few first: what is made once for all is not what a waiter costs.
  for (const crowd of [Math.ceil(waiters / 10), waiters]) {
    const task: WaitersTask = { url: server.url, how: era, token: '', waiters: crowd, events: 0 }
    const before = residentKb(server.pid)
    const child = startChild(CLIENT, task, MANY)
    try {
      await child.hear()
      kb = (residentKb(server.pid) - before) / crowd
      await say()
      const start = sharedMs()
      const woken = await child.hear<number[]>()
      ms = Math.max(...woken) - start
    } finally {
      await child.end()
    }
    for (let i = 0; i < waiters; i++) await inbox.mailMarkRead({ agent: `w${i}`, all: true })
  }
  await inbox.close()
  return { kb, ms }
}

async function streamed(db: string, server: Serving, waiters: number, events: number) {
  const inbox = await connect(db, { agent: 'lead' })
  await inbox.agentRegister({ agent: 'reader' })
  const { secret } = await inbox.tokenIssue({ name: 'user' })
  let found = { kb: 0, ms: 0, whole: 0 }
  const rounds = [
    { crowd: Math.ceil(waiters / 10), count: 1 },
    { crowd: waiters, count: events },
  ]
  for (const { crowd, count } of rounds) {
    const task: WaitersTask = {
      url: server.url,
      how: 'sse',
      token: secret ?? '',
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
