// What the operations of work: threads and leases answer.

import {
  CURSOR,
  EVENT,
  FETCHED,
  GRANT,
  HELD,
  INTERRUPTED,
  LEASE,
  MESSAGE,
  MORE,
  THREAD,
  WOKE,
} from './answer-records.ts'
import { type Answers, any, list, number, orNull, record, text } from './kit/answer.ts'

const SAID = { thread: THREAD, message: MESSAGE, next_event_id: CURSOR }

export const WORK = {
  init: {
    db_path: text('where the store is'),
    engine: text('sqlite or postgres'),
    status: text('initialized'),
  },
  send: SAID,
  fetch: {
    threads: list(FETCHED, 'high priority first, then oldest'),
    has_more: MORE,
    next_event_id: CURSOR,
  },
  claim: {
    thread: orNull(THREAD),
    lease: orNull(GRANT),
    message: orNull(MESSAGE),
    next_event_id: CURSOR,
  },
  renew: { thread: THREAD, lease: GRANT, next_event_id: CURSOR },
  update: { ...SAID, lease: GRANT },
  reply: SAID,
  done: SAID,
  fail: SAID,
  cancel: SAID,
  list: {
    threads: list(THREAD, 'most recently active first'),
    has_more: MORE,
    next_before: orNull(text('where to go on: give it as before')),
    next_event_id: CURSOR,
  },
  show: {
    thread: THREAD,
    lease: orNull(LEASE),
    messages: list(MESSAGE, 'oldest first'),
    has_more: MORE,
    next_after: orNull(number('where to go on: give it as after')),
    next_event_id: CURSOR,
  },
  watch: {
    woke: WOKE,
    next_event_id: CURSOR,
    events: list(EVENT, 'what happened'),
    threads: list(THREAD, 'those it happened to, as they are now'),
    interrupted: INTERRUPTED,
  },
  'wait-reply': {
    woke: WOKE,
    next_event_id: CURSOR,
    message: orNull(MESSAGE),
    interrupted: INTERRUPTED,
  },
  status: {
    store: text('where it is'),
    now: text("the store's time"),
    counts: any('threads by status, messages and events'),
    oldest_pending: orNull(THREAD),
    blocked: list(
      record('question', 'a thread that waits for an answer', {
        thread: THREAD,
        question: text('what is asked'),
        asked_at: text('when'),
      }),
      'open questions',
    ),
    leases: list(HELD, 'next to lapse first'),
    next_event_id: CURSOR,
  },
} satisfies Partial<Answers>
