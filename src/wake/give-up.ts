// Gives up on an agent of a workflow that cannot be started, or fails again and again: its mentions bounce, and the
// channel says so. Its other mail stays, for whoever looks at it.

import { tellUnreached } from '../core/channels/channel.ts'
import { INSTANCES } from '../core/channels/instance-record.ts'
import type { MakeId } from '../core/id.ts'
import { step } from '../core/mail/mail.ts'
import type { Store } from '../core/store.ts'

type GivenUp = {
  instance: string
  /** The agent's id. */
  agent: string
  reason: string
  /** Only mentions up to this event, the last that it was tried with. */
  upto?: number | undefined
}

/** Returns how many mentions bounced. */
export async function giveUpOn(store: Store, makeId: MakeId, want: GivenUp): Promise<number> {
  const { agent: recipient, reason, upto = Number.MAX_SAFE_INTEGER } = want
  const messageId = makeId('message')
  const { value } = await store.write(async (tx) => {
    const instance = await tx.rowOf(INSTANCES, want.instance)
    const locked = instance?.thread_id ? await tx.lock(instance.thread_id) : null
    if (locked === null || locked.state.thread.status !== 'open') return 0
    const { thread } = locked.state
    const left = await tx.unreadIn(recipient, [thread.thread_id])
    const messages = left.flatMap((one) => (one.event_id <= upto ? [one.message_id] : []))
    if (messages.length === 0) return 0
    const { now } = locked
    const move = { type: 'delivery_bounce', reason } as const
    const state = tx.record(locked.state, step(thread, move, { recipient, messages }, now))
    const told = { recipients: [recipient], messages: messages.length, reason }
    tx.record(state, tellUnreached(state, told, { now, messageId, artifactIds: [] }))
    return messages.length
  })
  return value
}
