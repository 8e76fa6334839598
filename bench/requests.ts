// Compares a queue of 100,000 requests with one of 1,000: list with counts, filter, and search without matches. Also
// measures the time from a decision in one process to the return of a blocked `request wait` in another.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from '../scripts/build.ts'
import { type Client, connect } from '../src/index.ts'
import { startPostgres } from '../test/tools/postgres.ts'
import { startChild } from './child.ts'
import { sharedMs } from './clock.ts'
import { percentile } from './numbers.ts'
import { inFolder } from './place.ts'
import type { Figure, Report } from './report.ts'
import type { AwaitTask } from './requests-waiter.ts'

const ROOT = join(import.meta.dirname, '..')
const SMALL = 1000
const WARM_UP = 10
const ENGINES = ['SQLite', 'PostgreSQL'] as const
type Engine = (typeof ENGINES)[number]

type Options = { requests?: number | undefined; samples?: number | undefined }

const LOOKS: Record<string, Parameters<Client['requestList']>[0]> = {
  'list with counts': {},
  'list of both tabs': { tab: 'all' },
  'filter by type': { type: 'type_3' },
  'what one agent asked': { agent: 'asker_2', tab: 'all' },
  'filter by entity': { tab: 'all', entity_type: 'service', entity_id: 'entity_7' },
  'search that finds nothing': { title: 'zzz' },
  'search that finds some': { title: 'number 9' },
  'list, what runs out first': { soonest_first: true },
  'search, what runs out first': { title: 'zzz', soonest_first: true },
}

export async function benchRequests({
  requests = 100_000,
  samples = 200,
}: Options): Promise<Report> {
  await build({ force: false })
  const figures: Figure[] = []
  for (const engine of ENGINES) {
    await withStores(engine, async (dbs) => {
      await fill(dbs[0], SMALL)
      await fill(dbs[1], requests)
      const times = await sampleLooks(dbs, samples)
      for (const [name, [small, large]] of Object.entries(times)) {
        const [p50, few] = [percentile(large, 0.5), percentile(small, 0.5)]
        const over = `the same among ${SMALL}, ${few.toFixed(2)} ms`
        figures.push(
          {
            name: `${engine}, ${name}: p50`,
            value: p50,
            unit: 'ms',
            over: 'the call',
            bar: { at: '<=', value: 10 },
          },
          {
            name: `${engine}, ${name}`,
            value: p50 / few,
            unit: 'x',
            over,
            bar: { at: '<=', value: 2 },
          },
        )
      }
      const late = await sampleWaits(dbs[1], samples)
      figures.push({
        name: `${engine}, decide to request wait: p50`,
        value: percentile(late, 0.5),
        unit: 'ms',
        over: 'the call of approve in the other process',
        bar: { at: '<=', value: 3 },
      })
    })
  }
  return {
    figures,
    notes: [`${requests} requests, half of them resolved; ${samples} samples of each, in turn`],
  }
}

async function withStores(
  engine: Engine,
  work: (dbs: [string, string]) => Promise<void>,
): Promise<void> {
  if (engine === 'SQLite') {
    await inFolder((folder) => work([join(folder, 'small.db'), join(folder, 'large.db')]))
    return
  }
  const servers = [await startPostgres({ durable: true }), await startPostgres({ durable: true })]
  try {
    await work([servers[0]?.url ?? '', servers[1]?.url ?? ''])
  } finally {
    for (const server of servers) await server.stop()
  }
}

/** Imports the log of one request, from start to end, as many times as needed, each time with different names. */
async function fill(db: string, requests: number): Promise<void> {
  await inFolder(async (folder) => {
    const file = join(folder, 'log.ndjson')
    writeFileSync(file, manyTimes(await sampleLog(folder), requests))
    const child = Bun.spawn([join(ROOT, 'dist/inbox'), 'import', file, '--json', '--db', db], {
      stdout: 'pipe',
    })
    const [out, code] = await Promise.all([new Response(child.stdout).text(), child.exited])
    if (code !== 0 || JSON.parse(out).rejected_lines > 0) throw new Error(out)
  })
}

async function sampleLog(folder: string): Promise<string[]> {
  const db = join(folder, 'one.db')
  const inbox = await connect(db)
  const { request_id } = await inbox.requestCreate({
    agent: 'asker_1',
    type: 'type_1',
    title: 'Request number 1',
    payload: '{"limit":1}',
    entity_type: 'service',
    entity_id: 'entity_1',
  })
  await inbox.reject({ request: request_id, revision: 1, notes: 'No' })
  await inbox.close()
  const child = Bun.spawn([join(ROOT, 'dist/inbox'), 'export', '--db', db], { stdout: 'pipe' })
  return (await new Response(child.stdout).text()).trimEnd().split('\n')
}

function manyTimes([header, ...lines]: string[], requests: number): string {
  const out = [header as string]
  let eventId = 0
  for (let n = 0; n < requests; n++) {
    // Each batch of a thousand requests has the same timestamp, as it would after a burst.
    const at = new Date(Date.UTC(2026, 0, 1) + Math.floor(n / 1000) * 1000).toISOString()
    for (const line of lines) {
      const isFirst = line.includes('"agent_register"')
      if (isFirst ? n >= 4 : n % 2 === 1 && line.includes('"request_reject"')) continue
      eventId += 1
      out.push(renamed(line, n, at).replace(/"event_id":\d+/, `"event_id":${eventId}`))
    }
  }
  return `${out.join('\n')}\n`
}

function renamed(line: string, n: number, at: string): string {
  const digits = String(n).padStart(8, '0')
  return line
    .replace(/(msg|req)_[0-9a-z]{18}([0-9a-z]{8})/g, `$1_${digits}0123456789$2`)
    .replaceAll('asker_1', `asker_${n % 4}`)
    .replaceAll('type_1', `type_${n % 5}`)
    .replaceAll('entity_1', `entity_${n % 10}`)
    .replaceAll('number 1', `number ${n}`)
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, at)
}

type Pair = [small: number[], large: number[]]

async function sampleLooks(dbs: [string, string], samples: number): Promise<Record<string, Pair>> {
  const inboxes = [await connect(dbs[0]), await connect(dbs[1])]
  const times: Record<string, Pair> = {}
  for (const [name, input] of Object.entries(LOOKS)) {
    const pair: Pair = [[], []]
    for (let n = -WARM_UP; n < samples; n++) {
      for (const [at, inbox] of inboxes.entries()) {
        const begin = performance.now()
        await inbox.requestList(input)
        if (n >= 0) pair[at]?.push(performance.now() - begin)
      }
    }
    times[name] = pair
  }
  for (const inbox of inboxes) await inbox.close()
  return times
}

async function sampleWaits(db: string, samples: number): Promise<number[]> {
  const inbox = await connect(db)
  const requests: string[] = []
  for (let n = 0; n < samples + WARM_UP; n++) {
    const wish = { agent: 'asker_1', type: 'type_1', title: 'May I?' }
    requests.push((await inbox.requestCreate(wish)).request_id)
  }
  const task: AwaitTask = { db, requests }
  const waiter = startChild(join(ROOT, 'bench/requests-waiter.ts'), task)
  const late: number[] = []
  try {
    for (const request of requests) {
      await waiter.hear()
      // The waiter reports just before it calls; this gives it time to fall asleep.
      await Bun.sleep(10)
      const begin = sharedMs()
      await inbox.approve({ request, revision: 1 })
      late.push((await waiter.hear<number>()) - begin)
    }
  } finally {
    await waiter.end()
    await inbox.close()
  }
  return late.slice(WARM_UP)
}
