// Measures what HTTP adds to a durable send, and how many sends on a slow disk affect other callers.

import { join } from 'node:path'
import { runChild, startChild } from './child.ts'
import type { Crowded, CrowdTask } from './http-crowd.ts'
import type { SenderTask } from './http-sender.ts'
import { percentile } from './numbers.ts'
import { DISKS, type Disk, diskEnv, inFolder } from './place.ts'
import type { Report } from './report.ts'
import { serve } from './serving.ts'
import { timeOfStart } from './start.ts'

const PER_SECOND = 2000
/** More connections than a client opens by default. */
const MANY = { BUN_CONFIG_MAX_HTTP_REQUESTS: '8192' }

export async function benchHttp({
  rounds = 5,
  messages = 200,
  seconds = 5,
}: {
  rounds?: number | undefined
  messages?: number | undefined
  seconds?: number | undefined
}): Promise<Report> {
  const ratio = new Map<Disk, number>()
  for (const disk of DISKS) ratio.set(disk, await sends(disk, rounds, messages))
  const crowd = await crowded(seconds)
  const [start, floor] = await timeOfStart(rounds * 4)
  return {
    figures: [
      {
        name: 'a send over HTTP, p50',
        value: ratio.get('fast') as number,
        slowDisk: ratio.get('slow') as number,
        unit: 'x',
        bar: { at: '<=', value: 3 },
        over: "the library's send, p50",
      },
      {
        name: `a look beside ${PER_SECOND} sends a second, p99`,
        value: percentile(crowd.looks, 0.99),
        unit: 'ms',
        bar: { at: '<=', value: 50 },
        over: 'the call, on a disk with slow flushes',
      },
      {
        name: 'sends answered a second then',
        value: crowd.answered / seconds,
        unit: '/s',
        over: 'the seconds in which they were asked',
      },
      {
        name: 'from start to the first answer',
        value: start as number,
        unit: 'ms',
        bar: { at: '<=', value: 300 },
        over: `the start of the executable; inbox version takes ${(floor as number).toFixed(0)} ms`,
      },
    ],
    notes: [`${rounds} rounds of ${messages}; ${crowd.asked} sends asked, ${crowd.failed} failed`],
  }
}

async function sends(disk: Disk, rounds: number, messages: number): Promise<number> {
  const file = join(import.meta.dirname, 'http-sender.ts')
  return inFolder(async (folder) => {
    const library: number[] = []
    const http: number[] = []
    const served = join(folder, 'served.db')
    const server = await serve(served, diskEnv(disk))
    try {
      for (let round = 0; round < rounds; round++) {
        const byHand: SenderTask = { db: join(folder, 'library.db'), messages }
        const byHttp: SenderTask = { url: server.url, messages }
        library.push(...(await runChild<number[]>(file, byHand, diskEnv(disk))))
        http.push(...(await runChild<number[]>(file, byHttp)))
      }
    } finally {
      await server.stop()
    }
    return percentile(http, 0.5) / percentile(library, 0.5)
  })
}

async function crowded(seconds: number): Promise<Crowded> {
  return inFolder(async (folder) => {
    const server = await serve(join(folder, 'served.db'), diskEnv('slow'))
    const task: CrowdTask = { url: server.url, perSecond: PER_SECOND, seconds }
    const child = startChild(join(import.meta.dirname, 'http-crowd.ts'), task, MANY)
    try {
      return await child.hear<Crowded>()
    } finally {
      await child.end()
      await server.stop()
    }
  })
}
