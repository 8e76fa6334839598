import { isAsleep, unsnooze } from '../../core/desk/snooze.ts'
import { step } from '../../core/mail/mail.ts'
import type { Tx } from '../../core/store.ts'
import { commit } from '../kit/commit.ts'
import { mutation, PEOPLE } from '../kit/operation.ts'
import { personLooking } from '../pushes/push-view.ts'
import {
  checkThreads,
  DESK_CHANGED,
  DESK_HANDLING,
  type DeskChange,
  lockDesk,
  type ThreadOnDesk,
} from './desk-handling.ts'

export const deskUnsnooze = mutation({
  name: 'desk unsnooze',
  example: 'desk unsnooze --thread 3f2a9c1e',
  summary: 'Put snoozed threads back where they were on the desk.',
  about: 'A thread that was read when it was snoozed becomes read again.',
  fields: DESK_HANDLING,
  set: 'mailbox',
  callers: PEOPLE,
  refusals: ['invalid_input', 'not_found', 'forbidden'],
  check: checkThreads,
  async run(context, input): Promise<DeskChange> {
    const viewer = personLooking(context, input.agent)
    const call = { op: 'desk unsnooze', agent: viewer.name, input }
    return commit(context, call, async (tx) => {
      const held = await lockDesk(tx, viewer, input.threads)
      const changed = held.filter((one) => bringBack(tx, one))
      return { changed: changed.map(({ thread_id }) => thread_id) }
    })
  },
  answer: DESK_CHANGED,
  lines: async (answer) => (await import('./drawing.ts')).drawChanged(answer, 'back on the desk'),
})

function bringBack(tx: Tx, { own, last, snoozed, state, now }: ThreadOnDesk): boolean {
  if (!isAsleep(snoozed, last.seq, now)) return false
  const kept = own.find(({ message_id }) => message_id === snoozed.kept)
  if (kept !== undefined && kept.unread_at !== null) {
    const which = { recipient: last.recipient, messages: [kept.message_id] }
    tx.record(state, step(state.thread, { type: 'delivery_read', by: 'mark' }, which, now))
  }
  tx.recordStoreEvent(unsnooze(snoozed, now))
  return true
}
