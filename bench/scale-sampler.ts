// Calls the library on a small and a large store in turn, so that disturbances of the machine affect both alike.

import { type Client, connect } from '../src/index.ts'
import { answer, nextMessage } from './child.ts'
import { LEADERS, threadIdOf, WORKERS } from './fill.ts'

export type SamplerTask = {
  stores: { db: string; threads: number }[]
  samples: number
  only?: string[]
}

/** Milliseconds for each call, one list per store. */
export type Samples = Record<string, number[][]>

type Probe = (inbox: Client, threads: number) => Promise<object>

const any = (count: number) => Math.floor(Math.random() * count)
const worker = () => `worker-${any(WORKERS)}`
const leader = () => `lead-${any(LEADERS)}`

const PROBES: Record<string, Probe> = {
  claim: (inbox) => inbox.claim({ agent: worker() }),
  fetch: (inbox) => inbox.fetch({ agent: worker() }),
  'fetch --unread': (inbox) => inbox.fetch({ agent: worker(), unread: true }),
  'fetch --status blocked': (inbox) => inbox.fetch({ agent: worker(), status: ['blocked'] }),
  'fetch --status done': (inbox) => inbox.fetch({ agent: worker(), status: ['done'] }),
  list: (inbox) => inbox.list({}),
  'list --status done': (inbox) => inbox.list({ status: ['done'] }),
  'list --agent': (inbox) => inbox.list({ agent: worker() }),
  'list --assigned-to --created-by': (inbox) =>
    inbox.list({ assigned_to: worker(), created_by: leader() }),
  'list --created-by --status pending': (inbox) =>
    inbox.list({ created_by: leader(), status: ['pending'] }),
  status: (inbox) => inbox.status({}),
  show: (inbox, threads) => inbox.show({ thread: threadIdOf(1 + any(threads)) }),
}

const { stores, samples, only } = await nextMessage<SamplerTask>()
const open: { inbox: Client; threads: number }[] = []
for (const { db, threads } of stores) open.push({ inbox: await connect(db), threads })
const found: Samples = {}
for (const [name, probe] of Object.entries(PROBES)) {
  if (only !== undefined && !only.includes(name)) continue
  const times = open.map((): number[] => [])
  // The first calls aren't counted: the caches are cold. A call that counts everything needs fewer samples.
  const count = name === 'status' ? Math.ceil(samples / 20) : samples
  for (let i = -Math.ceil(count / 10); i < count; i++) {
    for (const [at, { inbox, threads }] of open.entries()) {
      const startedAt = performance.now()
      await probe(inbox, threads)
      if (i >= 0) times[at]?.push(performance.now() - startedAt)
    }
  }
  found[name] = times
}
for (const { inbox } of open) await inbox.close()
answer(found)
