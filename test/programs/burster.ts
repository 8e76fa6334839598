// Commits in bursts: sends a thread before each gap (in microseconds), then cancels the thread that is being watched.

import { openClient } from './client.ts'
import { orders, say } from './lines.ts'

export type Burst = { thread: string; gapsUs: number[] }

const [address = ''] = process.argv.slice(2)
const client = await openClient(address, { agent: 'lead' })
const nap = new Int32Array(new SharedArrayBuffer(4))
say({ ready: true })
for await (const { thread, gapsUs } of orders<Burst>()) {
  for (const gapUs of gapsUs) {
    await client.send({ to: 'worker', subject: 'noise' })
    Atomics.wait(nap, 0, 0, gapUs / 1000)
  }
  await client.cancel({ thread })
  say({ cancelled: thread })
}
