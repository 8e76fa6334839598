// What the operations of mail and agents answer.

import {
  AGENT,
  CURSOR,
  INBOX_MAIL,
  INTERRUPTED,
  LOGGED_MAIL,
  MAIL,
  MORE,
  RECEIPT,
  SENT_MAIL,
} from './answer-records.ts'
import { type Answers, flag, list, maybe, number, orNull, record, text } from './kit/answer.ts'

const INBOX = {
  messages: list(INBOX_MAIL, 'oldest first'),
  unread: number('how much of it is unread'),
  next_event_id: CURSOR,
  has_more: MORE,
}

const MOVED = {
  agent: AGENT,
  taken: number("how much it took from its role's queue"),
  bounced: number('how much came back to its senders'),
  next_event_id: CURSOR,
}

export const MAILBOX = {
  'mail send': {
    message: orNull(MAIL),
    recipients: list(text('a name'), 'who gets it'),
    would: maybe(
      list(
        record('would get', 'one recipient, in a dry run', {
          recipient: text('who'),
          wakes: flag('whether it would be started'),
          why: text('why, or why not'),
        }),
        'in a dry run: who would be woken',
      ),
    ),
    uncommon: maybe(text('in a dry run: that such a message usually goes another way')),
    reached: maybe(flag('with --wait: whether everybody came so far')),
    lost: maybe(
      list(
        record('lost', 'one who never will', {
          recipient: text('who'),
          state: text('bounced or expired'),
          reason: orNull(text('why')),
        }),
        'with --wait: who never will',
      ),
    ),
    receipts: maybe(list(RECEIPT, 'with --wait: how far each has come')),
    interrupted: INTERRUPTED,
    next_event_id: CURSOR,
  },
  'mail read': { ...INBOX, interrupted: INTERRUPTED },
  'mail peek': INBOX,
  'mail mark-read': {
    marked: number('how many were unread until now'),
    unread: number('how many still are'),
    next_event_id: CURSOR,
  },
  'mail history': {
    messages: list(LOGGED_MAIL, 'newest first'),
    has_more: MORE,
    next_before: orNull(number('where to go on: give it as before')),
    next_event_id: CURSOR,
  },
  'mail receipts': {
    messages: list(SENT_MAIL, 'in the order they were sent'),
    has_more: MORE,
    next_before: orNull(text('where to go on: give it as before')),
    next_event_id: CURSOR,
  },
  'mail export': { messages: number('how many were written'), next_event_id: CURSOR },
  'agent register': MOVED,
  'agent list': {
    agents: list(AGENT, 'by name'),
    has_more: MORE,
    next_after: orNull(text('where to go on: give it as after')),
    next_event_id: CURSOR,
  },
  'agent status': MOVED,
} satisfies Partial<Answers>
