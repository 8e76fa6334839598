// claim -> done cycles per second on PostgreSQL, compared with two job queues on the same server: locally, over a 10 ms
// connection, and on a disk with slow flushes. The report names the differences: the peers have no log in commit order,
// no messages, and no lease that keeps a lapsed worker from writing.

import { join } from 'node:path'
import { freshDatabase, startPostgres } from '../test/tools/postgres.ts'
import { runChild, startChild } from './child.ts'
import { median } from './numbers.ts'
import { diskEnv } from './place.ts'
import { installPeers, PEERS, type PeerName } from './postgres-peers.ts'
import type { WorkTask } from './postgres-worker.ts'
import type { Figure, Report } from './report.ts'

const SCENES = ['here', 'line of 10 ms', 'slow disk'] as const
type Scene = (typeof SCENES)[number]
const CLIENTS = [1, 8, 32]
const ROUND_TRIP_MS = 10

type Options = {
  rounds?: number | undefined
  jobs?: number | undefined
  backlog?: number | undefined
}

export async function benchPostgres(options: Options): Promise<Report> {
  const { rounds = 3, jobs = 1500, backlog = 5000 } = options
  installPeers()
  const rates = new Map<string, number[]>()
  for (const scene of SCENES) {
    await withServer(scene, async (url, direct) => {
      for (let round = 0; round < rounds; round++) {
        for (const clients of CLIENTS) {
          for (const peer of Object.keys(PEERS) as PeerName[]) {
            const count = Math.ceil(jobs * shareFor(scene, clients))
            const run = { peer, clients, backlog, jobs: count }
            const key = `${scene} ${clients} ${peer}`
            rates.set(key, [...(rates.get(key) ?? []), await measure(run, url, direct)])
          }
        }
      }
    })
  }
  const rate = (scene: Scene, clients: number, peer: PeerName) =>
    median(rates.get(`${scene} ${clients} ${peer}`) ?? [])
  const figures = (['pg-boss', 'graphile-worker'] as const).flatMap((peer) =>
    CLIENTS.flatMap((clients) =>
      (['here', 'line of 10 ms'] as const).map((scene): Figure => {
        const ratio = (at: Scene) => rate(at, clients, 'mailroom') / rate(at, clients, peer)
        return {
          name: `${clients} clients, ${scene}`,
          value: ratio(scene),
          ...(scene === 'here' ? { slowDisk: ratio('slow disk') } : {}),
          unit: 'x',
          over: `${peer}, ${rate(scene, clients, peer).toFixed(0)} cycles/s`,
        }
      }),
    ),
  )
  const notes = SCENES.flatMap((scene) =>
    CLIENTS.map((clients) => {
      const each = (Object.keys(PEERS) as PeerName[]).map(
        (peer) => `${peer} ${rate(scene, clients, peer).toFixed(0)}`,
      )
      return `${scene}, ${clients} clients, cycles/s: ${each.join(', ')}`
    }),
  )
  return {
    figures,
    notes: [`medians of ${rounds} rounds, taken in turn; ${backlog} jobs in each queue`, ...notes],
  }
}

/** Measures in a separate database, so that no run is affected by what another one left behind. */
async function measure(
  run: Omit<WorkTask, 'url' | 'direct'>,
  url: string,
  direct: string,
): Promise<number> {
  const database = await freshDatabase(direct)
  const over = new URL(url)
  over.pathname = new URL(database.url).pathname
  const task: WorkTask = { ...run, url: over.href, direct: database.url }
  try {
    return await runChild<number>(join(import.meta.dirname, 'postgres-worker.ts'), task)
  } finally {
    await database.drop()
  }
}

/** Fewer jobs if each takes longer, so that every measurement takes a few seconds. */
function shareFor(scene: Scene, clients: number): number {
  if (scene === 'here') return 1
  return Math.min(1, clients / 16)
}

async function withServer(
  scene: Scene,
  work: (url: string, direct: string) => Promise<void>,
): Promise<void> {
  const env = diskEnv(scene === 'slow disk' ? 'slow' : 'fast')
  const server = await startPostgres({ durable: true, env })
  const line =
    scene === 'line of 10 ms'
      ? startChild(join(import.meta.dirname, 'postgres-line.ts'), {
          url: server.url,
          delayMs: ROUND_TRIP_MS / 2,
        })
      : undefined
  try {
    await work(line ? await line.hear<string>() : server.url, server.url)
  } finally {
    await line?.end()
    await server.stop()
  }
}
