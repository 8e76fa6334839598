import { BACK_ABOVE, type DeskTime } from '../../core/desk/desk-reads.ts'
import { epochMs, type Instant, toInstant } from '../../core/time.ts'
import {
  type AnswerOf,
  type AnswerRecord,
  aList,
  aNumber,
  aRecord,
  aText,
  CURSOR,
  orNull,
} from '../kit/answer.ts'
import { byDefault, flag, int } from '../kit/field.ts'
import { type Context, OPERATORS, query } from '../kit/operation.ts'
import { turnsFor } from '../kit/pieces.ts'
import { personLooking } from '../pushes/push-view.ts'
import { DESK_FILTERS, scopeOf } from './desk-list.ts'
import type { DeskScope } from './desk-page.ts'

const DESK_DAY = aRecord('day on a desk', 'a day, or a part of one', {
  day: aText('as YYYY-MM-DD'),
  count: aNumber('how many threads'),
  unread: aNumber('how many of them have something unread'),
  before: aNumber('the cursor that makes desk list begin there'),
})

export type DeskDay = AnswerRecord<typeof DESK_DAY>

const DAY_COUNTS = {
  days: aList(DESK_DAY, 'newest first'),
  total: aNumber('how many threads were counted'),
  unread: aNumber('how many of them have something unread'),
  next_before: orNull(aNumber('the cursor for the next part: pass it as before')),
  next_event_id: CURSOR,
}

export type DayCounts = AnswerOf<typeof DAY_COUNTS>

/** The largest page of desk list, so that each part of a day fits on one page. */
const MOST_IN_PIECE = 500
/** How many threads are read at once before other callers get their turn. */
const READ_AT_ONCE = 5000
/** The default limit, so that a call costs the same on every desk. */
const COUNTED = 1000
/** The largest offset of any time zone from UTC. */
const FARTHEST_MINUTES = 14 * 60

export const deskDays = query({
  name: 'desk days',
  example: 'desk days',
  summary: 'Count the threads on a person’s desk by day, newest first.',
  about:
    'Takes the same filters as desk list, and shows how long that list is. A day with more than 500 threads comes in several parts of at most 500, so that each is one page of the list. Threads that are back from a snooze are at the top and count for today. A command counts the whole desk; other callers get the newest 1000 threads and continue with before and next_before.',
  fields: {
    ...DESK_FILTERS,
    snoozed: flag('only snoozed or put-away threads'),
    utc_offset_minutes: byDefault(
      int('how far local time is ahead of UTC, which decides when a day begins', {
        min: -FARTHEST_MINUTES,
        max: FARTHEST_MINUTES,
      }),
      0,
    ),
    before: int('only threads after this place in the list: next_before of the part before'),
    after: int('only threads before this place in the list'),
    limit: int('how many threads to count at most', { min: 1, max: READ_AT_ONCE }),
  },
  set: 'mailbox',
  callers: OPERATORS,
  refusals: ['invalid_input', 'forbidden'],
  async run(context, input): Promise<DayCounts> {
    const { store, door } = context
    const { name: person } = personLooking(context, input.agent)
    // A command has the process to itself, so it counts the whole desk in one call.
    const most = input.limit ?? (door === 'cli' ? Number.POSITIVE_INFINITY : COUNTED)
    const part = { ...scopeOf(person, input), before: input.before, after: input.after }
    const [next_event_id, now] = await Promise.all([store.lastEventId(), store.now()])
    const dayOf = daysAt(input.utc_offset_minutes)
    const days: DeskDay[] = []
    const next_before = await eachTime(context, part, most, ({ event_id, at, isUnread }) => {
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
      next_before,
      next_event_id,
    }
  },
  answer: DAY_COUNTS,
  lines: async (answer, page) => (await import('./drawing.ts')).drawDays(answer, page),
})

/** Passes up to `most` threads to `take`, newest first. Returns where to continue, or null at the end of the desk. */
async function eachTime(
  context: Context,
  part: DeskScope & { before: number | undefined; after: number | undefined },
  most: number,
  take: (time: DeskTime) => void,
): Promise<number | null> {
  const turn = turnsFor(context)
  let { before } = part
  for (let left = most; ; ) {
    await turn()
    // Read one more than will be counted, to see whether the desk continues.
    const limit = Math.min(READ_AT_ONCE, left + 1)
    const found = await context.store.deskTimes({ ...part, before, limit })
    const counted = found.slice(0, left)
    for (const time of counted) take(time)
    if (found.length < limit) return null
    before = counted.at(-1)?.event_id ?? before
    if (counted.length < found.length) return before ?? null
    left -= counted.length
  }
}

/** Returns the day of a time. Caches by hour, or by minute if the offset isn't in whole hours. */
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
