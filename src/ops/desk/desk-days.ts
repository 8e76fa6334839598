import { BACK_ABOVE, type DeskTime } from '../../core/desk/desk-reads.ts'
import { epochMs, type Instant, toInstant } from '../../core/time.ts'
import { aList, aNumber, aRecord, aText, CURSOR } from '../kit/answer.ts'
import { byDefault, flag, int } from '../kit/field.ts'
import { type Context, OPERATORS, query } from '../kit/operation.ts'
import { turnsFor } from '../kit/pieces.ts'
import { personLooking } from '../pushes/push-view.ts'
import { DESK_FILTERS, scopeOf } from './desk-list.ts'
import type { DeskScope } from './desk-page.ts'

export type DeskDay = {
  /** YYYY-MM-DD, in the time zone of whoever looks. */
  day: string
  count: number
  unread: number
  /** The cursor with which a list begins at its first thread. */
  before: number
}

export type DayCounts = { days: DeskDay[]; total: number; unread: number; next_event_id: number }

/** A list has at most so many rows on one page, so every place is one page away. */
const MOST_IN_PIECE = 500
/** How many threads are read at once, before others have their turn. */
const READ_AT_ONCE = 5000
/** The farthest that a time zone is from UTC. */
const FARTHEST_MINUTES = 14 * 60

export const deskDays = query({
  name: 'desk days',
  example: 'desk days',
  summary: 'Count the threads on a person’s desk by day, newest first.',
  about:
    'With the filters of desk list, whose length this is. A day with more than 500 threads comes in several parts of at most 500, so that each is one page of the list. Threads that are back from a snooze stand at the top, and count as of today.',
  fields: {
    ...DESK_FILTERS,
    snoozed: flag('only what is snoozed or put away'),
    utc_offset_minutes: byDefault(
      int('when a day begins: how far local time is ahead of UTC', {
        ...{ min: -FARTHEST_MINUTES, max: FARTHEST_MINUTES },
      }),
      0,
    ),
  },
  set: 'mailbox',
  callers: OPERATORS,
  refusals: ['invalid_input', 'forbidden'],
  async run(context, input): Promise<DayCounts> {
    const { store } = context
    const { name: person } = personLooking(context, input.agent)
    const [next_event_id, now] = await Promise.all([store.lastEventId(), store.now()])
    const dayOf = daysAt(input.utc_offset_minutes)
    const days: DeskDay[] = []
    await eachTime(context, scopeOf(person, input), ({ event_id, at, isUnread }) => {
      const day = dayOf(event_id > BACK_ABOVE ? now : at)
      let last = days.at(-1)
      if (last?.day !== day || last.count === MOST_IN_PIECE) {
        last = { day, count: 0, unread: 0, before: event_id + 1 }
        days.push(last)
      }
      last.count += 1
      if (isUnread) last.unread += 1
    })
    return {
      days,
      total: days.reduce((sum, { count }) => sum + count, 0),
      unread: days.reduce((sum, { unread }) => sum + unread, 0),
      next_event_id,
    }
  },
  answer: {
    days: aList(
      aRecord<DeskDay>('day on a desk', 'a day, or a part of one', {
        day: aText('as YYYY-MM-DD'),
        count: aNumber('how many threads'),
        unread: aNumber('how many of them have something unread'),
        before: aNumber('the cursor with which desk list begins there'),
      }),
      'newest first',
    ),
    total: aNumber('how many threads there are'),
    unread: aNumber('how many of them have something unread'),
    next_event_id: CURSOR,
  },
  lines: async (answer) => (await import('./drawing.ts')).drawDays(answer),
})

async function eachTime(
  context: Context,
  scope: DeskScope,
  take: (time: DeskTime) => void,
): Promise<void> {
  const turn = turnsFor(context)
  for (let before: number | undefined; ; ) {
    await turn()
    const found = await context.store.deskTimes({ ...scope, before, limit: READ_AT_ONCE })
    for (const time of found) take(time)
    if (found.length < READ_AT_ONCE) return
    before = found.at(-1)?.event_id
  }
}

/** The day of a moment. Moments of one minute are of one day, and most are of the same hour. */
function daysAt(offsetMinutes: number): (at: Instant) => string {
  const known = new Map<string, string>()
  const letters = offsetMinutes % 60 === 0 ? 'YYYY-MM-DDTHH'.length : 'YYYY-MM-DDTHH:MM'.length
  return (at) => {
    const key = at.slice(0, letters)
    const have = known.get(key)
    if (have !== undefined) return have
    const day = toInstant(epochMs(at) + offsetMinutes * 60_000).slice(0, 'YYYY-MM-DD'.length)
    known.set(key, day)
    return day
  }
}
