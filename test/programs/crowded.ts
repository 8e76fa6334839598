// Waits when the process has only one file descriptor left: enough to touch the bell, too few to watch it.

import { closeSync, openSync } from 'node:fs'
import { openClient } from './client.ts'
import { say } from './lines.ts'

const [address = ''] = process.argv.slice(2)
const client = await openClient(address, {})
const after_event = await client.store.lastEventId()
// Loads everything now, because there is no descriptor for it later: one wait returns at once, the other sleeps.
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
// Everything up to the first look runs without a turn of the event loop, so now it sleeps.
setImmediate(() => setImmediate(() => say({ asleep: true })))
say({ woke: (await waiting).woke })
process.exit(0)
