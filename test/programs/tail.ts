// Follows the log with a cursor, as any waiter does, and prints the event ids it was shown, in order.

import { openClient } from './client.ts'
import { say } from './lines.ts'

export type Shown = { ids: number[] }

const [address = ''] = process.argv.slice(2)
// Connects as an operator, without an agent, so it sees all activity.
const client = await openClient(address, {})
let cursor = await client.store.lastEventId()
say({ ids: [] } satisfies Shown)
for (;;) {
  const seen = await client.watch({ after_event: cursor, timeout_seconds: 0 })
  cursor = seen.next_event_id
  say({ ids: seen.events.map(({ event_id }) => event_id) } satisfies Shown)
}
