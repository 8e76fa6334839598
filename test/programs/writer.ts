// Sends as fast as it can and says each thread it was told is kept. With a number it stops by itself
// after so many milliseconds; without, somebody must stop it.

import { openClient } from './client.ts'
import { readyThenGo, say } from './lines.ts'

export type Sent = { event_id: number; thread: string }

const [address = '', agent = '', ms = 'Infinity', pauseMs = '0'] = process.argv.slice(2)
const client = await openClient(address, { agent })
await readyThenGo()
const end = performance.now() + Number(ms)
while (performance.now() < end) {
  const { thread, next_event_id } = await client.send({ to: 'worker', subject: 'x'.repeat(200) })
  say({ event_id: next_event_id, thread: thread.thread_id } satisfies Sent)
  if (pauseMs !== '0') await new Promise((resolve) => setTimeout(resolve, Number(pauseMs)))
}
await client.close()
process.exit(0)
