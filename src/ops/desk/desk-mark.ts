import { isOver, unsnooze } from '../../core/desk/snooze-record.ts'
import { isUnread } from '../../core/inbox/delivery.ts'
import { step } from '../../core/mail/mail.ts'
import type { Tx } from '../../core/store.ts'
import { markMessages } from '../inbox/mark-messages.ts'
import { choice, required } from '../kit/field.ts'
import { type Context, mutation } from '../kit/operation.ts'
import {
  DESK_FIELDS,
  DESK_HANDLING,
  handleDesk,
  latestRead,
  type ThreadOnDesk,
  UPTO,
} from './desk-handling.ts'

export const deskMark = mutation({
  name: 'desk mark',
  example: 'desk mark --thread 3f2a9c1e --as read',
  summary: 'Mark threads on a desk as read, or as unread again.',
  about:
    'Applies to threads of every kind: pushes, mail, requests, questions, work. Read marks everything in a thread; unread keeps its latest message unread until it is read again. Senders still see that it was read. Each person has their own marks.',
  fields: {
    ...DESK_FIELDS,
    as: required(choice(['read', 'unread'], 'how to mark them')),
    upto: UPTO,
  },
  ...DESK_HANDLING,
  run: (context, input) =>
    handleDesk(context, 'desk mark', input, (tx, threads) => {
      const seen = threads.filter(({ last }) => last.event_id <= (input.upto ?? last.event_id))
      return input.as === 'read' ? read(context, tx, seen) : keepUnread(tx, seen)
    }),
  lines: async (answer) => (await import('./drawing.ts')).drawChanged(answer, 'marked'),
})

async function read(context: Context, tx: Tx, threads: readonly ThreadOnDesk[]): Promise<string[]> {
  const person = threads[0]?.last.recipient ?? ''
  const unread = threads.flatMap(({ own }) => own.filter(isUnread))
  const marked = await markMessages(context, tx, person, unread)
  const changed = new Set(marked.map(({ thread_id }) => thread_id))
  for (const thread of threads) {
    // A thread read while snoozed has nothing unread when it comes back, but it's still at the top.
    if (thread.isBack) changed.add(thread.thread_id)
    endSnooze(tx, thread)
  }
  return threads.map(({ thread_id }) => thread_id).filter((id) => changed.has(id))
}

function keepUnread(tx: Tx, threads: readonly ThreadOnDesk[]): string[] {
  return threads.flatMap((thread) => {
    const { thread_id, own, state, now } = thread
    const keep = own.some(isUnread) ? undefined : latestRead(own)
    if (keep === undefined) return []
    const which = { recipient: keep.recipient, messages: [keep.message_id] }
    if (!thread.isBack) endSnooze(tx, thread)
    tx.record(state, step(state.thread, { type: 'delivery_unread' }, which, now))
    return [thread_id]
  })
}

/** After a snooze has ended, the first mark removes it, so that a later mark doesn't bring the thread back again. */
function endSnooze(tx: Tx, { snoozed, last, now }: ThreadOnDesk): void {
  if (isOver(snoozed, last.seq, now)) tx.recordStoreEvent(unsnooze(snoozed, now))
}
