// What the operations of pushes answer.

import {
  CURSOR,
  DOCUMENT,
  DOCUMENT_HOLDS,
  ENTRY,
  INTERRUPTED,
  MAIL,
  MORE,
  WOKE,
} from './answer-records.ts'
import {
  type Answers,
  flag,
  type HoldsOf,
  list,
  maybe,
  number,
  orNull,
  text,
} from './kit/answer.ts'
import type { Handled } from './pushes/push-handling.ts'

const HANDLED: HoldsOf<Handled> = {
  changed: list(text('an id'), 'those that are not as they were'),
  kept_replies: maybe(
    number('after a deletion: replies that nobody was shown, which stay as mail'),
  ),
  unread: number('how many are unread now'),
  next_event_id: CURSOR,
}

const PUSHED = {
  entry_id: text('its id'),
  ts: number('when, in milliseconds since 1970'),
  workspace_id: text('where it came from, or empty'),
  next_event_id: CURSOR,
}

const RESUME = {
  entry_id: text('the push'),
  state: text('known or unknown'),
  why: text('in words'),
  backend: orNull(text('the program')),
  folder: orNull(text('where to run it')),
  argv: orNull(list(text('a word'), 'the program and its words')),
  shell: orNull(text('the same for a shell, to be copied')),
  next_event_id: CURSOR,
}

export const PUSHES = {
  push: PUSHED,
  notify: { ...PUSHED, deprecated: text('what to use instead') },
  open: { ...RESUME, opened: flag('whether a terminal was started') },
  'push history': {
    entries: list(ENTRY, 'newest first'),
    has_more: MORE,
    next_before: orNull(text('where to go on: give it as before')),
    unread: number('how many in the inbox are unread'),
    next_event_id: CURSOR,
  },
  'push show': {
    entry: ENTRY,
    documents: list(DOCUMENT, 'as they are now; for people'),
    replies: list(MAIL, 'what was said after it, oldest first'),
    has_more: MORE,
    next_after: orNull(number('where to go on: give it as after')),
    next_event_id: CURSOR,
  },
  'push read': HANDLED,
  'push unread': HANDLED,
  'push trash': HANDLED,
  'push restore': HANDLED,
  'push delete': HANDLED,
  'push reply': {
    entry_id: text('the push'),
    message_id: text('the answer'),
    to: orNull(text('whom it was sent to')),
    reachable: flag('whether that one will hear it soon'),
    wakes: flag('whether it will be started'),
    why: text('why, or why not'),
    next_event_id: CURSOR,
  },
  'push file': {
    ...DOCUMENT_HOLDS,
    content: orNull(text('what it holds')),
    encoding: orNull(text('utf-8 or base64')),
    next_event_id: CURSOR,
  },
  'push watch': { ...DOCUMENT_HOLDS, woke: WOKE, interrupted: INTERRUPTED, next_event_id: CURSOR },
  'push resume': RESUME,
} satisfies Partial<Answers>
