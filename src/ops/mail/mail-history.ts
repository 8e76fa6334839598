import { parseAddress } from '../../core/agents/address.ts'
import { refuse } from '../../core/error.ts'
import { isWhole } from '../../core/page-bytes.ts'
import { field, sentence } from '../../core/sentence.ts'
import type { Reads, Store } from '../../core/store.ts'
import type { HistoryFilter, HistoryItem } from '../../core/threads/log-reads.ts'
import { KIND_WORDS, kindsShownAs } from '../../core/vocabulary.ts'
import { seesEverything } from '../inbox/inbox.ts'
import { MAIL_HOLDS, type MailMessage, viewMail } from '../inbox/mail-view.ts'
import { withoutAgentSessions } from '../inbox/without-session.ts'
import { aList, aNumber, aRecord, CURSOR, EVENT_ID, MORE, orNull } from '../kit/answer.ts'
import { mustBeAboveFloor, parseSince, parseTime } from '../kit/cursor.ts'
import { address, byDefault, choices, id, int, self, text } from '../kit/field.ts'
import { ANYONE, query } from '../kit/operation.ts'
import { makePage } from '../kit/page.ts'
import { TEXTS } from '../kit/tool.ts'

export type History = {
  messages: (MailMessage & { event_id: number })[]
  has_more: boolean
  /** The cursor for `before` on the next page; null at the beginning of the log. */
  next_before: number | null
  next_event_id: number
}

const LOGGED_MAIL = aRecord<MailMessage & { event_id: number }>('past mail', 'a message', {
  ...MAIL_HOLDS,
  event_id: EVENT_ID,
})

/**
 * How often one page may look further back. Then it answers with what it found, and the cursor says where
 * to go on.
 */
const MOST_LOOKS = 25

export const mailHistory = query({
  name: 'mail history',
  summary: 'List messages, newest first. Changes nothing.',
  about:
    'Lists all messages, of work and of mail, without bookkeeping. People and the orchestrator see every message; an agent sees what it sent or got. An empty list is an answer: exit 0. A search goes back over a bounded part of the log: while has_more is true, go on with --before and next_before, even where a page is empty.',
  fields: {
    agent: self('the agent or person who looks'),
    type: choices(KIND_WORDS, 'only these types or kinds', { leftOut: 'all' }),
    with: address('only messages that this agent or person sent or got'),
    thread: id('only this thread'),
    since: text('not before this event or time', { max: 40 }),
    until: text('not after this time', { max: 40 }),
    text: text(
      'only messages with this in the subject or body; the case of a to z does not matter',
    ),
    before: int('continue before this event', { min: 1 }),
    limit: byDefault(int('how many to list at most', { min: 1, max: 500 }), 50),
  },
  set: 'mailbox',
  callers: ANYONE,
  refusals: ['invalid_input', 'cursor_expired'],
  check(input) {
    parseSince(input.since, field('since'))
    if (input.until !== undefined) parseTime(input.until, field('until'))
    if (input.with !== undefined) partyOf(input.with)
  },
  async run({ store, caller }, input): Promise<History> {
    const { after, since, isCursor } = parseSince(input.since, field('since'))
    const until = input.until === undefined ? undefined : parseTime(input.until, field('until'))
    const { limit } = input
    const next_event_id = await store.lastEventId()
    const filter = {
      after: after === 0 ? undefined : after,
      since,
      until,
      threadId: input.thread,
      kinds: input.type === undefined ? undefined : kindsShownAs(input.type),
      party: input.with === undefined ? undefined : partyOf(input.with),
      reader: await readerFor(store, input.agent),
      text: input.text,
    }
    const start = input.before ?? next_event_id + 1
    const { items, next_before } = await search(store, { ...filter, before: start }, limit)
    if (isCursor) await mustBeAboveFloor(store, after)
    const open = await withoutAgentSessions(store, caller.principal, items)
    return {
      messages: open.map((item) => ({ ...viewMail(item), event_id: item.event_id })),
      has_more: next_before !== null,
      next_before,
      next_event_id,
    }
  },
  answer: {
    messages: aList(LOGGED_MAIL, 'newest first'),
    has_more: MORE,
    next_before: orNull(aNumber('the cursor for the next page: give it as before')),
    next_event_id: CURSOR,
  },
  lines: async (answer, page) => (await import('./drawing.ts')).drawHistory(answer, page),
  tool: {
    name: 'message_history',
    does: 'Look up what was said earlier, newest first. Changes nothing.',
    args: {
      with: { about: 'an agent or user' },
      type: { shape: TEXTS },
      threadId: { field: 'thread' },
      text: { about: 'words to find' },
      since: { orNumber: true },
      before: { about: 'next_before of the page before' },
      limit: {},
    },
  },
})

/** Goes down the log page by page until it has enough, or nothing is left, or it took too long. */
async function search(
  store: Store,
  filter: Omit<HistoryFilter, 'limit'>,
  limit: number,
): Promise<{ items: HistoryItem[]; next_before: number | null }> {
  const page = makePage<HistoryItem>(limit)
  const { items } = page
  let { before } = filter
  for (let looks = 0; looks < MOST_LOOKS; ) {
    const count = page.want()
    const found = await store.history({ ...filter, before, limit: count })
    if (!page.add(found.items)) return { items, next_before: items.at(-1)?.event_id ?? null }
    const last = isWhole(found.items, count) ? undefined : items.at(-1)
    if (last !== undefined) {
      before = last.event_id
      continue
    }
    if (found.bottom <= Math.max(1, filter.after ?? 0)) return { items, next_before: null }
    before = found.bottom
    looks += 1
  }
  return { items, next_before: before }
}

/** The reader whose mail is searched; nobody in particular on a store that anybody may open. */
async function readerFor(store: Reads, agent: string | undefined): Promise<string | undefined> {
  if (agent === undefined || (await seesEverything(store, agent))) return undefined
  return agent
}

/** The name as it stands in messages and deliveries. */
function partyOf(text: string): string {
  const parsed = parseAddress(text)
  switch (parsed.to) {
    case 'agent':
      return parsed.agent_id
    case 'person':
      return parsed.person_id
    case 'orchestrator':
    case 'role':
    case 'broadcast':
      return text
    default:
      throw refuse(
        'invalid_input',
        sentence`${field('with')} ${text} means several; name one agent or person`,
      )
  }
}
