// Waits when the process has only one file descriptor left: enough to touch the bell but not to watch it.

import { closeSync, openSync } from 'node:fs'
import { openClient } from './client.ts'
import { say } from './lines.ts'

const [address = ''] = process.argv.slice(2)
const client = await openClient(address, {})
const after_event = await client.store.lastEventId()
// Loads all modules while descriptors are left: the first wait returns immediately, the second sleeps.
await client.watch({ after_event: 0, timeout_seconds: 1 })
await client.watch({ after_event, timeout_seconds: 1 })
const descriptors: number[] = []
try {
  for (;;) descriptors.push(openSync('/dev/null', 'r'))
} catch {
  // No descriptors left.
}
closeSync(descriptors.pop() ?? -1)
const waiting = client.watch({ after_event, timeout_seconds: 0 })
// The wait's first check runs without yielding to the event loop, so by now the wait is asleep.
setImmediate(() => setImmediate(() => say({ asleep: true })))
say({ woke: (await waiting).woke })
process.exit(0)
