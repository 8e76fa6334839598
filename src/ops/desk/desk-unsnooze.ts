import { isAsleep, unsnooze } from '../../core/desk/snooze-record.ts'
import { step } from '../../core/mail/mail.ts'
import type { Tx } from '../../core/store.ts'
import { mutation } from '../kit/operation.ts'
import { DESK_FIELDS, DESK_HANDLING, handleDesk, type ThreadOnDesk } from './desk-handling.ts'

export const deskUnsnooze = mutation({
  name: 'desk unsnooze',
  example: 'desk unsnooze --thread 3f2a9c1e',
  summary: 'Put snoozed threads back where they were on the desk.',
  about: 'A thread that was read when it was snoozed becomes read again.',
  fields: DESK_FIELDS,
  ...DESK_HANDLING,
  run: (context, input) =>
    handleDesk(context, 'desk unsnooze', input, (tx, threads) =>
      threads.filter((one) => bringBack(tx, one)).map(({ thread_id }) => thread_id),
    ),
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
