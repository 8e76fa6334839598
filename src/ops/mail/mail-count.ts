import { field } from '../../core/error.ts'
import { MAIL_TYPES, type MailType, type MessageKind, VOCABULARY } from '../../core/vocabulary.ts'
import {
  type AnswerOf,
  aFlag,
  aList,
  aNumber,
  aRecord,
  aText,
  CURSOR,
  orNull,
} from '../kit/answer.ts'
import { mustBeAboveFloor, parseSince } from '../kit/cursor.ts'
import { int } from '../kit/field.ts'
import { ANYONE, query } from '../kit/operation.ts'
import { limitLooks } from '../kit/page.ts'
import { nextPiece } from '../kit/pieces.ts'
import { checkFilter, FILTER_FIELDS, filterFor, MOST_LOOKS } from './history-filter.ts'

const TYPE_COUNT = aRecord('count of a type', 'how many of one type', {
  type: aText<MailType>('task-assigned, task-done, question, answer, cancel, status, custom, …'),
  count: aNumber('how many'),
})

const MAIL_COUNT = {
  counts: aList(TYPE_COUNT, 'the types that were found'),
  total: aNumber('how many in total'),
  cut: aFlag('whether the count hit the limit of one call'),
  next_before: orNull(aNumber('the cursor to count the rest: pass it as before')),
  next_event_id: CURSOR,
}

export type MailCount = AnswerOf<typeof MAIL_COUNT>

export const mailCount = query({
  name: 'mail count',
  example: 'mail count',
  summary: 'Count messages by type. Changes nothing.',
  about:
    'Counts what mail history would list, by type. One call looks at a limited part of the log and sets cut if it stopped there; count the rest with --before and next_before, and add the two. A command keeps going.',
  fields: { ...FILTER_FIELDS, before: int('count only messages before this event', { min: 1 }) },
  set: 'mailbox',
  callers: ANYONE,
  refusals: ['invalid_input', 'cursor_expired'],
  check: checkFilter,
  async run(context, input): Promise<MailCount> {
    const {
      store,
      caller: { principal },
    } = context
    const { after, isCursor } = parseSince(input.since, field('since'))
    const next_event_id = await store.lastEventId()
    const filter = await filterFor(context, input)
    const holder = principal && { store, principal }
    const found = new Map<MailType, number>()
    const add = (kind: MessageKind, count: number) => {
      const { type } = VOCABULARY[kind]
      found.set(type, (found.get(type) ?? 0) + count)
    }
    const most = limitLooks(context, MOST_LOOKS)
    let before: number | null = input.before ?? next_event_id + 1
    for (let looks = 0; looks < most && before !== null; looks += 1) {
      await nextPiece(holder)
      const piece = await store.countHistory({ ...filter, before })
      for (const { kind, count } of piece.counts) add(kind, count)
      before = piece.bottom <= Math.max(1, after) ? null : piece.bottom
    }
    if (isCursor) await mustBeAboveFloor(store, after)
    const counts = MAIL_TYPES.flatMap((type) => {
      const count = found.get(type)
      return count === undefined ? [] : [{ type, count }]
    })
    const total = counts.reduce((sum, { count }) => sum + count, 0)
    return { counts, total, cut: before !== null, next_before: before, next_event_id }
  },
  answer: MAIL_COUNT,
  lines: async (answer) => (await import('./drawing.ts')).drawCount(answer),
})
