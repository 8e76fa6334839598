// Sends as fast as it can, and prints each acknowledged thread, until it is stopped.

import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { openClient } from './client.ts'
import { orders, readyThenGo, say } from './lines.ts'

export type Sent = { event_id: number; thread: string }

const [address = '', agent = '', pauseMs = '0'] = process.argv.slice(2)
const client = await openClient(address, { agent })
await readyThenGo()
let stopping = false
void (async () => {
  for await (const _ of orders()) stopping = true
})()

while (!stopping) {
  const { thread, next_event_id } = await client.send({ to: 'worker', subject: 'x'.repeat(200) })
  say({ event_id: next_event_id, thread: thread.thread_id } satisfies Sent)
  // The order to stop can arrive only if the event loop gets a turn.
  await (pauseMs === '0' ? turn() : sleep(Number(pauseMs)))
}
await client.close()
process.exit(0)
