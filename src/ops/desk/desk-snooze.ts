import { isAsleep, snooze } from '../../core/desk/snooze-record.ts'
import { field, refuse } from '../../core/error.ts'
import { isUnread } from '../../core/inbox/delivery.ts'
import { step } from '../../core/mail/mail.ts'
import type { Tx } from '../../core/store.ts'
import type { Instant } from '../../core/time.ts'
import { aText, orNull } from '../kit/answer.ts'
import { parseTime } from '../kit/cursor.ts'
import { text } from '../kit/field.ts'
import { mutation } from '../kit/operation.ts'
import {
  checkThreads,
  DESK_FIELDS,
  DESK_HANDLING,
  type DeskChange,
  handleDesk,
  latestRead,
  type ThreadOnDesk,
  UPTO,
} from './desk-handling.ts'

export const deskSnooze = mutation({
  name: 'desk snooze',
  example: 'desk snooze --thread 3f2a9c1e',
  summary: 'Take threads off a desk until a given time, or until someone writes in them.',
  about:
    'The time or a new message, whichever is first, brings a thread back. Without --until it is put away: only a new message brings it back. A thread that comes back at its time is unread and stays at the top until it is read. No one else notices.',
  fields: {
    ...DESK_FIELDS,
    until: text('when it comes back, as 2026-03-01T08:00:00Z', {
      max: 40,
      leftOut: 'put away: only a new message brings it back',
    }),
    upto: UPTO,
  },
  ...DESK_HANDLING,
  check(input) {
    checkThreads(input)
    if (input.until !== undefined) parseTime(input.until, field('until'))
  },
  async run(context, input): Promise<DeskChange & { until: Instant | null }> {
    const until = input.until === undefined ? null : parseTime(input.until, field('until'))
    const done = await handleDesk(context, 'desk snooze', input, (tx, threads) => {
      const changed = threads.filter((one) => {
        mustComeBackLater(until, one.now)
        const isNewer = one.last.event_id > (input.upto ?? one.last.event_id)
        return !isNewer && putToSleep(tx, one, until)
      })
      return changed.map(({ thread_id }) => thread_id)
    })
    return { ...done, until }
  },
  answer: {
    ...DESK_HANDLING.answer,
    until: orNull(aText('when they come back, if at a set time')),
  },
  lines: async (answer, page) => (await import('./drawing.ts')).drawSnoozed(answer, page),
})

function mustComeBackLater(until: Instant | null, now: Instant): void {
  if (until === null || until > now) return
  throw refuse.invalid_input`${field('until')} ${until} is over: by the store's clock it is ${now}; name a later time`
}

/** Returns whether anything changed. Marks the latest read message unread, so that the thread comes back unread. */
function putToSleep(tx: Tx, thread: ThreadOnDesk, until: Instant | null): boolean {
  const { own, last, snoozed, state, now, thread_id } = thread
  const { recipient: person, seq: upto } = last
  const isAlready = isAsleep(snoozed, upto, now)
  if (isAlready && snoozed.until === until) return false
  const isRead = !own.some(isUnread)
  const keep = until !== null && isRead ? latestRead(own) : undefined
  if (keep !== undefined) {
    const which = { recipient: person, messages: [keep.message_id] }
    tx.record(state, step(state.thread, { type: 'delivery_unread' }, which, now))
  }
  // Carry over the message that the previous snooze kept unread.
  const kept = keep?.message_id ?? (isAlready && !isRead ? snoozed.kept : '')
  tx.recordStoreEvent(snooze(snoozed, { person, thread_id, until, upto, kept }, now))
  return true
}
