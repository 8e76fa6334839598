// Claims the next thread for one agent until none is left, and prints each claim.

import { openClient } from './client.ts'
import { readyThenGo, say } from './lines.ts'

export type Claimed = { thread: string; generation: number }

const [address = '', agent = ''] = process.argv.slice(2)
const client = await openClient(address, { agent })
await readyThenGo()
for (;;) {
  const { thread, lease } = await client.claim({})
  if (thread === null || lease === null) break
  say({ thread: thread.thread_id, generation: lease.generation } satisfies Claimed)
}
await client.close()
process.exit(0)
