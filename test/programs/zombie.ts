// A worker that sleeps past its leases and then writes as if it still held them. It prints every accepted write, with
// the token it held, and every write that came too late.

import { openClient } from './client.ts'
import { orders, readyThenGo, say } from './lines.ts'

export type Accepted = { event_id: number; token?: string }
/** A write that was refused because its lease, once granted, had been lost. */
export type Late = { late: true }

// `byName`: identifies itself by name instead of by token.
const [address = '', agent = '', how = 'byToken'] = process.argv.slice(2)
const client = await openClient(address, { agent })
await readyThenGo()
let stopping = false
void (async () => {
  for await (const _ of orders()) stopping = true
})()

while (!stopping) {
  const thread = await pickThread()
  await attempt(async () => {
    const { lease } = await client.claim({ thread, lease_seconds: leaseSeconds() })
    if (lease !== null)
      await attempt(
        () => work(thread, lease.lease_token),
        () => say({ late: true } satisfies Late),
      )
  })
  if (chance(0.1)) await attempt(() => client.sweep({ limit: 2 }))
}
await client.close()
process.exit(0)

async function work(thread: string, token: string): Promise<void> {
  const under = how === 'byToken' ? { thread, lease_token: token } : { thread }
  const accepted = ({ next_event_id: event_id }: { next_event_id: number }) =>
    say({ event_id, ...(how === 'byToken' ? { token } : {}) } satisfies Accepted)
  for (let steps = Math.ceil(Math.random() * 4); steps > 0; steps--) {
    await pause(Math.random() * (chance(0.3) ? 100 : 8))
    if (chance(0.4)) accepted(await client.renew({ ...under, lease_seconds: leaseSeconds() }))
    else accepted(await client.update({ ...under, status: 'in_progress', summary: 'on it' }))
  }
  if (chance(0.2)) accepted(await client.done({ ...under, summary: 'done' }))
}

/** Picks one of a few threads, so that the workers collide. Creates a new one once too many are finished. */
async function pickThread(): Promise<string> {
  const { threads } = await client.list({
    status: ['pending', 'claimed', 'in_progress', 'blocked'],
    limit: 5,
  })
  const picked = threads[Math.floor(Math.random() * threads.length)]
  if (picked !== undefined && threads.length >= 5) return picked.thread_id
  const { thread } = await client.send({ to: agent, subject: 'work' })
  return thread.thread_id
}

async function attempt(act: () => Promise<unknown>, onNo = () => {}): Promise<void> {
  try {
    await act()
  } catch (error) {
    const { code } = error as { code?: string }
    // The refusals a zombie should get: another worker's lease, a lost lease, or a finished thread.
    if (code !== 'lease_conflict' && code !== 'invalid_state') throw error
    onNo()
    await pause(Math.random() * 10)
  }
}

/** 25, 100 or 400 ms, as the store's clock runs fast. On a busy machine only longer leases leave time to write. */
function leaseSeconds(): number {
  return 4 ** Math.floor(Math.random() * 3)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function chance(probability: number): boolean {
  return Math.random() < probability
}
