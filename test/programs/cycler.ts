// Works until it is killed: sends itself a thread, claims it, reports and finishes. It prints each acknowledged write.

import { openClient } from './client.ts'
import { say } from './lines.ts'

export type Kept = { event_id: number; op: string; thread: string }

const [address = '', agent = ''] = process.argv.slice(2)
const client = await openClient(address, { agent })
const kept = (op: string, thread: string, { next_event_id }: { next_event_id: number }) =>
  say({ event_id: next_event_id, op, thread } satisfies Kept)
for (;;) {
  const sent = await client.send({ to: agent, subject: 'work', body: 'x'.repeat(300) })
  const thread = sent.thread.thread_id
  kept('thread_send', thread, sent)
  kept('thread_claim', thread, await client.claim({ thread }))
  kept(
    'thread_update',
    thread,
    await client.update({ thread, status: 'in_progress', summary: 'on it' }),
  )
  kept('thread_done', thread, await client.done({ thread, summary: 'built' }))
}
