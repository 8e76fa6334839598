// The three systems that do claim -> done on one server, each through its public interface and one job at a time: fetch
// one, finish it, fetch the next. The peers aren't dependencies; they are installed in .cache on demand.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '../src/index.ts'
import { fillStore } from './fill.ts'

/** Pinned, so that figures can be compared; pg-boss 12 and graphile-worker 0.18. */
const VERSIONS = { 'pg-boss': '12.35.0', 'graphile-worker': '0.18.0' }
const FOLDER = join(import.meta.dirname, '..', '.cache', 'peers')

export type PeerName = 'mailroom' | keyof typeof VERSIONS

export type Peer = {
  /** Adds this many jobs to the queue. */
  fill(jobs: number): Promise<void>
  /** Works with this many clients until `jobs` are done; calls `onDone` after each. */
  work(clients: number, jobs: number, onDone: () => void): Promise<void>
}

export function installPeers(): void {
  const wanted = Object.entries(VERSIONS).map(([name, version]) => `${name}@${version}`)
  if (Object.keys(VERSIONS).every((name) => existsSync(join(FOLDER, 'node_modules', name)))) return
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, 'package.json'), '{ "private": true }\n')
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--save-exact']
  const { success, stderr } = Bun.spawnSync(['npm', 'install', ...flags, ...wanted], {
    cwd: FOLDER,
    stdout: 'ignore',
    stderr: 'pipe',
  })
  if (!success) throw new Error(`npm could not install ${wanted.join(' and ')}:\n${stderr}`)
}

export const PEERS: Record<PeerName, (url: string, direct: string) => Peer> = {
  mailroom: ours,
  'pg-boss': pgBoss,
  'graphile-worker': graphileWorker,
}

// `url` can go through a slow connection; the queue is filled directly.
function ours(url: string, direct: string): Peer {
  const agent = 'worker-0'
  return {
    fill: (jobs) => fillStore(direct, { threads: jobs, onlyPending: true, workers: 1 }),
    async work(clients, jobs, onDone) {
      const inbox = await connect(url, { agent, connections: clients })
      let left = jobs
      const client = async () => {
        while (left > 0) {
          left -= 1
          const { thread } = await inbox.claim({})
          if (thread === null) throw new Error('nothing left')
          await inbox.done({ thread: thread.thread_id, summary: 'done' })
          onDone()
        }
      }
      await Promise.all(Array.from({ length: clients }, client))
      await inbox.close()
    },
  }
}

type Boss = {
  on(event: 'error', listener: (error: Error) => void): void
  start(): Promise<unknown>
  stop(options: { graceful: boolean }): Promise<void>
  createQueue(name: string): Promise<void>
  insert(name: string, jobs: { data: object }[]): Promise<unknown>
  fetch(name: string): Promise<{ id: string }[]>
  complete(name: string, id: string): Promise<unknown>
}

function pgBoss(url: string, direct: string): Peer {
  const queue = 'work'
  const open = async (connectionString: string, max: number): Promise<Boss> => {
    const path = join(FOLDER, 'node_modules/pg-boss/dist/index.js')
    const { PgBoss } = (await import(path)) as { PgBoss: new (options: object) => Boss }
    const boss = new PgBoss({ connectionString, max, supervise: false, schedule: false })
    boss.on('error', (error) => console.error(`pg-boss: ${error.message}`))
    await boss.start()
    return boss
  }
  return {
    async fill(jobs) {
      const boss = await open(direct, 2)
      await boss.createQueue(queue)
      for (let i = 0; i < jobs; i += 1000) {
        const batch = Array.from({ length: Math.min(1000, jobs - i) }, (_, at) => ({
          data: { part: i + at, subject: 'Work on a part' },
        }))
        await boss.insert(queue, batch)
      }
      await boss.stop({ graceful: false })
    },
    async work(clients, jobs, onDone) {
      const boss = await open(url, clients)
      let left = jobs
      const client = async () => {
        while (left > 0) {
          left -= 1
          const [job] = await boss.fetch(queue)
          if (job === undefined) throw new Error('nothing left')
          await boss.complete(queue, job.id)
          onDone()
        }
      }
      await Promise.all(Array.from({ length: clients }, client))
      await boss.stop({ graceful: false })
    },
  }
}

type Graphile = {
  run(options: object): Promise<{ stop(): Promise<void>; promise: Promise<void> }>
  makeWorkerUtils(options: object): Promise<{
    migrate(): Promise<void>
    addJobs(jobs: { identifier: string; payload: object }[]): Promise<unknown>
    release(): Promise<void>
  }>
  Logger: new (factory: () => () => void) => object
}

function graphileWorker(url: string, direct: string): Peer {
  const load = async (): Promise<Graphile> => {
    const path = join(FOLDER, 'node_modules/graphile-worker/dist/index.js')
    const module = (await import(path)) as Graphile & { default?: Graphile }
    return module.default ?? module
  }
  return {
    async fill(jobs) {
      const { makeWorkerUtils, Logger } = await load()
      const logger = new Logger(() => () => {})
      const worker = await makeWorkerUtils({ connectionString: direct, logger })
      await worker.migrate()
      for (let i = 0; i < jobs; i += 1000) {
        const batch = Array.from({ length: Math.min(1000, jobs - i) }, (_, at) => ({
          identifier: 'work',
          payload: { part: i + at, subject: 'Work on a part' },
        }))
        await worker.addJobs(batch)
      }
      await worker.release()
    },
    // Graphile Worker has no call that takes a single job. Its own runner fetches, runs and finishes one per client.
    async work(clients, jobs, onDone) {
      const { run, Logger } = await load()
      const over = Promise.withResolvers<void>()
      let done = 0
      const runner = await run({
        connectionString: url,
        concurrency: clients,
        maxPoolSize: clients + 1,
        noHandleSignals: true,
        pollInterval: 1000,
        logger: new Logger(() => () => {}),
        taskList: {
          work: async () => {
            onDone()
            if (++done >= jobs) over.resolve()
          },
        },
      })
      await over.promise
      await runner.stop()
    },
  }
}
