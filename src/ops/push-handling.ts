// What people do with pushes: to some by their ids, in one transaction, each under its lock.

import { isUnread } from '../core/delivery.ts'
import { refuse } from '../core/error.ts'
import { step } from '../core/mail.ts'
import { handlePush, keepUnread } from '../core/push.ts'
import type { Locked, Tx } from '../core/store.ts'
import { mustBePush } from '../core/thread.ts'
import { list, required, self } from './field.ts'
import { type Context, commit } from './operation.ts'
import { personLooking, type Viewer } from './push-view.ts'
import { pushesSeenBy, sees } from './visible-thread.ts'

const MOST = 500

export const HANDLING_FIELDS = {
  agent: self('who does it', { default: 'user' }),
  entries: required(list('a push', { max: MOST, positional: true })),
}

export type Handled = {
  /** Those that are not as they were. */
  changed: string[]
  /** How many in the inbox are unread now. */
  unread: number
  next_event_id: number
}

export type Act = 'read' | 'unread' | 'trash' | 'restore' | 'delete'

type HandlingInput = {
  agent?: string | undefined
  entries: string[]
  idempotency_key?: string | undefined
}

export function checkEntries({ entries }: { entries?: string[] | undefined }): void {
  if ((entries ?? []).length === 0) throw refuse('invalid_input', 'say which: name an entry')
}

export async function handle(context: Context, act: Act, input: HandlingInput): Promise<Handled> {
  const viewer = personLooking(context, input.agent)
  const { name: person } = viewer
  const call = { op: `push ${act}`, agent: person, input }
  const done = await commit(context, call, async (tx) => {
    const locks = await tx.lockAll(input.entries)
    const changed: string[] = []
    for (const entryId of input.entries.toSorted()) {
      const lock = locks.find(({ state }) => state.thread.thread_id === entryId)
      if (await handleOne(tx, entryId, lock, { act, viewer })) changed.push(entryId)
    }
    return { changed }
  })
  const { store } = context
  const only = await pushesSeenBy(store, viewer.by)
  return { ...done, unread: await store.unreadPushes(person, only) }
}

async function handleOne(
  tx: Tx,
  entryId: string,
  lock: Locked | undefined,
  { act, viewer: { name: person, by } }: { act: Act; viewer: Viewer },
): Promise<boolean> {
  const thread = lock?.state.thread
  if (thread?.kind !== 'push' || !(await sees(tx, by, thread))) {
    throw refuse('not_found', `there is no push ${entryId}; see 'inbox push history'`, {
      entry_id: entryId,
    })
  }
  const { state, now } = lock as Locked
  mustBePush(state.thread)
  const all = await tx.deliveriesOf({ thread_id: entryId })
  const own = all.filter(({ recipient }) => recipient === person)
  if (act === 'read') {
    const left = own.filter(isUnread)
    const which = { recipient: person, messages: left.map(({ message_id }) => message_id) }
    if (left.length === 0) return false
    tx.record(state, step(state.thread, { type: 'delivery_read', by: 'mark' }, which, now))
    return true
  }
  if (act === 'unread') {
    // The last that was said to this person: that is what there is to come back to.
    const last = own.at(-1)
    if (last === undefined || isUnread(last)) return false
    const which = { recipient: person, messages: [last.message_id] }
    tx.record(state, keepUnread(state, which, now))
    return true
  }
  const recipients = [...new Set(all.map(({ recipient }) => recipient))]
  const event = handlePush(state, { act, by: person, recipients }, now)
  if (event !== null) tx.record(state, event)
  return event !== null
}
