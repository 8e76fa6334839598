import { field } from '../../core/error.ts'
import type { HistoryFilter, HistoryItem } from '../../core/threads/log-reads.ts'
import { KIND_WORDS, kindsShownAs } from '../../core/vocabulary.ts'
import { MAIL_HOLDS, type MailMessage, viewMail } from '../inbox/mail-view.ts'
import { hideAgentSessions } from '../inbox/without-session.ts'
import {
  type AnswerOf,
  aFlag,
  aList,
  aNumber,
  aRow,
  CURSOR,
  EVENT_ID,
  MORE,
  orNull,
} from '../kit/answer.ts'
import { mustBeAboveFloor, parseSince } from '../kit/cursor.ts'
import { byDefault, choices, id, int } from '../kit/field.ts'
import { ANYONE, type Context, query } from '../kit/operation.ts'
import { searchDown } from '../kit/page.ts'
import { TEXTS } from '../kit/tool.ts'
import { checkFilter, FILTER_FIELDS, filterFor, MOST_LOOKS } from './history-filter.ts'

const LOGGED_MAIL = aRow<MailMessage & { event_id: number }>('past mail', 'a message', {
  ...MAIL_HOLDS,
  event_id: EVENT_ID,
})

const HISTORY = {
  messages: aList(LOGGED_MAIL, 'newest first'),
  has_more: MORE,
  cut: aFlag('whether the search hit the limit of one call before the page was full'),
  next_before: orNull(aNumber('the cursor for the next page: pass it as before')),
  next_event_id: CURSOR,
}

export type History = AnswerOf<typeof HISTORY>

export const mailHistory = query({
  name: 'mail history',
  example: 'mail history --limit 10',
  summary: 'List messages, newest first. Changes nothing.',
  about:
    'Lists all messages, in work and mail, except bookkeeping. People and the orchestrator see every message; an agent sees what it sent or received. An empty list is not an error: exit 0. One call looks at a limited part of the log and sets cut if it stopped there; a command keeps going. While has_more is true, continue with --before and next_before, even if a page is empty.',
  fields: {
    ...FILTER_FIELDS,
    type: choices(KIND_WORDS, 'only these types or kinds', { leftOut: 'all' }),
    message: id('only this message'),
    before: int('continue before this event', { min: 1 }),
    limit: byDefault(int('how many to list at most', { min: 1, max: 500 }), 50),
  },
  set: 'mailbox',
  callers: ANYONE,
  refusals: ['invalid_input', 'cursor_expired'],
  check: checkFilter,
  async run(context, input): Promise<History> {
    const { store, caller } = context
    const { after, isCursor } = parseSince(input.since, field('since'))
    const { limit } = input
    const next_event_id = await store.lastEventId()
    const filter = {
      ...(await filterFor(context, input)),
      kinds: input.type === undefined ? undefined : kindsShownAs(input.type),
      messageId: input.message,
    }
    const start = input.before ?? next_event_id + 1
    const found = await search(context, { ...filter, before: start }, limit)
    const { items, next_before, cut } = found
    if (isCursor) await mustBeAboveFloor(store, after)
    const open = await hideAgentSessions(store, caller.principal, items)
    return {
      messages: open.map((item) => ({ ...viewMail(item), event_id: item.event_id })),
      has_more: next_before !== null,
      cut,
      next_before,
      next_event_id,
    }
  },
  answer: HISTORY,
  lines: async (answer, page) => (await import('./drawing.ts')).drawHistory(answer, page),
  tool: {
    name: 'message_history',
    does: 'Look up what was said earlier, newest first. Changes nothing.',
    args: {
      with: { about: 'an agent or user' },
      type: { shape: TEXTS, about: 'only these' },
      threadId: { field: 'thread', about: 'one thread' },
      text: { about: 'text to find' },
      since: { orNumber: true, about: 'as in read_messages' },
      before: { about: 'nextBefore of the last page' },
      limit: { about: 'at most' },
    },
  },
})

function search(context: Context, filter: Omit<HistoryFilter, 'limit'>, limit: number) {
  return searchDown<HistoryItem, number>(context, limit, {
    from: filter.before,
    placeOf: ({ event_id }) => event_id,
    async look(before = filter.before, count) {
      const { items, bottom } = await context.store.history({ ...filter, before, limit: count })
      return { items, bottom: bottom <= Math.max(1, filter.after ?? 0) ? null : bottom }
    },
    mostLooks: MOST_LOOKS,
  })
}
