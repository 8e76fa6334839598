// Requests ten thousand event streams from one server at the same time. The server accepts as many as its limit allows,
// refuses the others immediately, and keeps serving other callers.

import { join } from 'node:path'
import { connect } from '../src/index.ts'
import { startChild } from './child.ts'
import { sharedMs } from './clock.ts'
import type { Answered, CrowdTask } from './crowd-client.ts'
import { inFolder } from './place.ts'
import type { Report } from './report.ts'
import { as, residentKb, type Serving, serve } from './serving.ts'

const CLIENT = join(import.meta.dirname, 'crowd-client.ts')
const PROCESSES = 4
/** The server's total limit and its limit for one service, as in src/ops/kit/quota.ts. */
const MOST = 4000
const MOST_OF_ONE = 1000

export async function benchCrowd({
  streams = 10_000,
}: {
  streams?: number | undefined
}): Promise<Report> {
  return inFolder(async (folder) => {
    const db = join(folder, 'store.db')
    const server = await serve(db)
    try {
      return await measure(db, server, streams)
    } finally {
      await server.stop()
    }
  })
}

async function measure(db: string, server: Serving, streams: number): Promise<Report> {
  const inbox = await connect(db, { agent: 'lead' })
  await inbox.agentRegister({ agent: 'reader' })
  const tokens: string[] = []
  for (let i = 0; i < Math.ceil(streams / MOST_OF_ONE); i++) {
    tokens.push((await inbox.tokenIssue({ name: `watcher${i}`, service: true })).token ?? '')
  }
  const task: CrowdTask = {
    port: Number(new URL(server.url).port),
    tokens,
    streams: streams / PROCESSES,
  }
  const others = beside(server)
  const before = residentKb(server.pid)
  const crowd = Array.from({ length: PROCESSES }, () => startChild(CLIENT, task))
  const failures: string[] = []
  try {
    const answered = await Promise.all(crowd.map((child) => child.hear<Answered>()))
    const full = residentKb(server.pid)
    const count = (status: number) =>
      answered.reduce((sum, { statuses }) => sum + (statuses[status] ?? 0), 0)
    const [taken, refused] = [count(200), count(503)]
    if (taken !== Math.min(MOST, streams) || taken + refused !== streams) {
      failures.push(`${taken} taken and ${refused} refused of ${streams}`)
    }
    const heard = crowd.map((child) => {
      child.tell('listen')
      return child.hear<number>()
    })
    await inbox.mailSend({ to: 'reader', subject: 'One', body: 'Look up.' })
    const saidAt = sharedMs()
    const heardMs = Math.max(...(await Promise.all(heard))) - saidAt
    const looks = await others.stop()
    if (looks.failed > 0) failures.push(`${looks.failed} other requests failed`)
    for (const child of crowd) await child.end()
    await untilEmpty(server)
    const after = residentKb(server.pid)
    return {
      figures: [
        { name: 'streams taken', value: taken, unit: 'x', over: `${streams} asked for at once` },
        { name: 'refused with 503', value: refused, unit: 'x', over: 'the others' },
        {
          name: 'the slowest answer of all',
          value: Math.max(...answered.map(({ slowestMs }) => slowestMs)),
          unit: 'ms',
          over: 'from its connect',
        },
        {
          name: 'another caller’s look, p99',
          value: looks.p99,
          unit: 'ms',
          over: `${looks.count} looks meanwhile`,
        },
        {
          name: 'an event to all that were taken',
          value: heardMs,
          unit: 'ms',
          over: 'the return of mail send',
        },
        {
          name: 'memory of the server',
          value: (full - before) / 1024,
          unit: 'MB',
          over: 'more than before',
        },
        {
          name: 'the same when all have left',
          value: (after - before) / 1024,
          unit: 'MB',
          over: 'more than before',
        },
      ],
      notes: [
        `${PROCESSES} processes; a service has at most ${MOST_OF_ONE} streams, a server ${MOST}`,
      ],
      failures,
    }
  } finally {
    for (const child of crowd) await child.end()
    await others.stop()
    await inbox.close()
  }
}

/** Plays another caller that makes one call after another. */
function beside({ url }: Serving) {
  const ms: number[] = []
  let failed = 0
  let isOver = false
  const asking = (async () => {
    while (!isOver) {
      const startedAt = performance.now()
      const wish = { method: 'POST', headers: as('lead'), body: '{"limit":1}' }
      const { ok } = await fetch(`${url}/api/ops/list`, wish)
      if (!ok) failed += 1
      ms.push(performance.now() - startedAt)
    }
  })()
  return {
    async stop() {
      isOver = true
      await asking
      const sorted = ms.toSorted((a, b) => a - b)
      return { count: ms.length, failed, p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0 }
    },
  }
}

/** Waits until all streams are gone, and checks that new callers are served. */
async function untilEmpty({ url }: Serving): Promise<void> {
  for (;;) {
    const numbers = await (await fetch(`${url}/metrics`)).text()
    if (/^inbox_streams 0$/m.test(numbers)) break
    await Bun.sleep(50)
  }
  const ready = await fetch(`${url}/readyz`)
  const stream = await fetch(`${url}/api/events`, { headers: as('lead') })
  if (!ready.ok || !stream.ok) throw new Error(`afterwards: ${ready.status}, ${stream.status}`)
  await stream.body?.cancel()
}
