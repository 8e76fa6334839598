// What every operation answers. Beside its own, an answer may hold what everybody is told: TOLD.

import {
  type Answers,
  any,
  flag,
  type Holds,
  type HoldsOf,
  list,
  maybe,
  number,
  orNull,
  record,
  text,
  type Value,
} from './answer.ts'
import {
  AGENT,
  CURSOR,
  DOCUMENT,
  DOCUMENT_HOLDS,
  ENTRY,
  EVENT,
  FETCHED,
  GRANT,
  HELD,
  INBOX_MAIL,
  INTERRUPTED,
  LEASE,
  LOGGED_MAIL,
  MAIL,
  MESSAGE,
  RECEIPT,
  SENT_MAIL,
  THREAD,
  TOKEN,
  WAKE,
  WORKSPACE,
} from './answer-records.ts'
import type { Handled } from './push-handling.ts'
import type { Stop, Told } from './stop.ts'

export const TOLD: HoldsOf<Told> = {
  stop: maybe(
    record<Stop>('stop', 'somebody tells you to stop: again with every answer until you read it', {
      id: text('the message, to mark as read'),
      from: text('who says so'),
      subject: text('what is said'),
      thread_id: text('its thread'),
    }),
  ),
  warning: maybe(text('what went wrong beside it')),
}

const SAID = { thread: THREAD, message: MESSAGE, next_event_id: CURSOR }
const MORE = flag<boolean>('whether there is more')
const WOKE = flag<boolean>('whether it came before the time was over')

const INBOX = {
  messages: list(INBOX_MAIL, 'oldest first'),
  unread: number('how much of it is unread'),
  next_event_id: CURSOR,
  has_more: MORE,
}

const HANDLED: HoldsOf<Handled> = {
  changed: list(text('an id'), 'those that are not as they were'),
  unread: number('how many are unread now'),
  next_event_id: CURSOR,
}

const MOVED = {
  agent: AGENT,
  taken: number("how much it took from its role's queue"),
  bounced: number('how much came back to its senders'),
  next_event_id: CURSOR,
}

const PUSHED = {
  entry_id: text<string>('its id'),
  ts: number('when, in milliseconds since 1970'),
  workspace_id: text<string>('where it came from, or empty'),
  next_event_id: CURSOR,
}

const RESUME = {
  entry_id: text<string>('the push'),
  state: text<'known' | 'unknown'>('known or unknown'),
  why: text<string>('in words'),
  backend: orNull(text<'claude' | 'codex' | 'cursor' | 'gemini' | 'opencode'>('the program')),
  folder: orNull(text<string>('where to run it')),
  argv: orNull(list(text<string>('a word'), 'the program and its words')),
  shell: orNull(text<string>('the same for a shell, to be copied')),
  next_event_id: CURSOR,
}

const CHANGE = record<{
  file: string
  did: 'made' | 'changed' | 'unchanged' | 'removed'
  text?: string
}>('file', 'what was done to it', {
  file: text('which'),
  did: text('made, changed, unchanged or removed'),
  text: maybe(text('in a dry run: what it would hold')),
})
const INSTALLED = {
  client: text<'claude' | 'codex' | 'cursor' | 'gemini' | 'opencode'>('which program'),
  dry_run: flag<boolean>('whether nothing was written'),
  files: list(CHANGE, 'each file'),
  note: text<string>('what is left to do by hand, or empty'),
}

export const ANSWERS: Answers = {
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
  sweep: {
    threads: list(THREAD, 'those whose lease has lapsed'),
    expired: list(
      record('expired', 'mail whose time has passed', {
        message_id: text('which'),
        recipient: text('for whom'),
      }),
      'mail whose time has passed',
    ),
    bounced: number('how much came back from agents that are off'),
    next_event_id: CURSOR,
  },
  doctor: {
    healthy: flag('whether nothing is broken'),
    findings: list(
      record('finding', 'one thing that was looked at', {
        check: text('what'),
        ok: flag('whether it is as it should be'),
        detail: text('what was found'),
        warning: maybe(flag('worth doing something about, but nothing is broken')),
        remedy: maybe(text('what to do')),
      }),
      'all that was looked at',
    ),
    next_event_id: CURSOR,
  },
  backup: { file: text('the copy'), next_event_id: CURSOR },
  export: { events: number('how many were written'), next_event_id: CURSOR },
  import: {
    events: number('how many are new'),
    rejected: list(
      record('rejected', 'a line that could not be used', {
        line: number('which'),
        why: text('why'),
      }),
      'the first thousand lines that could not be used',
    ),
    rejected_lines: number('how many there were'),
    set_aside_in: orNull(text('where they are kept')),
    next_event_id: CURSOR,
    messages: maybe(
      record('brought in', 'of a mailbox or of entries', {
        added: number('new here'),
        known: number('here before'),
      }),
    ),
  },
  prune: {
    dry_run: flag('whether nothing was removed'),
    threads: list(THREAD, 'those that went'),
    removed: any('how many of each kind went'),
    mail: record('mail that stays', 'what stays', {
      messages: number('how much'),
      unread: number('and how much of it is unread'),
    }),
    notes: list(text('a note'), 'where a limit could not be kept, and why'),
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
  'wake run': {
    started: number('how many were started'),
    lost: number('how many were lost'),
    failed: number('how many could not be'),
    held: number('how many were not approved'),
    next_event_id: CURSOR,
  },
  'wake approve': {
    store: text('where it is'),
    commands: list(
      record('command', 'what wakes one agent', {
        agent: text('whom'),
        command: any('the program and its words'),
        cwd: orNull(text('where it runs')),
        approved: flag('whether it may be started here'),
      }),
      'every command of the store',
    ),
    shown: text('names exactly these commands: give it back to approve them'),
  },
  'wake explain': {
    agent: text('of whom'),
    wakes: flag('whether a broker would start it now'),
    broker: flag('whether one runs'),
    why: text('why, or why not'),
    again: orNull(text('when that may change by itself')),
    cause: orNull(text('mail or timer')),
    waking: number('unread mail that wakes it'),
    types: any('the mail that wakes it'),
    next_timer: orNull(text('when its timer is due')),
    budget_left: number('how many starts it has left in this hour'),
    wakes_before: list(WAKE, 'its last starts'),
  },
  'wake log': { wakes: list(WAKE, 'the latest first'), has_more: MORE },
  serve: { requests: number('how many were answered'), next_event_id: CURSOR },
  install: INSTALLED,
  uninstall: INSTALLED,
  hook: {
    output: any('what the program wants to hear'),
    shown: number('how many messages were shown whole'),
    warning: maybe(text('why there is no mail')),
  },
  mcp: {
    agent: text('in whose name'),
    sets: list(text('a set'), 'the tools that were offered'),
  },
  'person add': { person: text('user:NAME'), next_event_id: CURSOR },
  'sign-in': {
    person: text('who signs in'),
    code: orNull(text('good once and for a minute; null for a retry')),
    link: orNull(text('the same as a link, with --server')),
    expires_at: text('until when'),
    next_event_id: CURSOR,
    warning: maybe(text('that nothing answers there')),
  },
  'workspace add': {
    workspace: WORKSPACE,
    added: flag('whether it was not there before'),
    next_event_id: CURSOR,
  },
  'workspace list': { workspaces: list(WORKSPACE, 'by label'), next_event_id: CURSOR },
  'workspace rename': { workspace: WORKSPACE, next_event_id: CURSOR },
  'workspace remove': {
    workspace: WORKSPACE,
    revoked: number('how many tokens ended with it'),
    next_event_id: CURSOR,
  },
  'token issue': {
    token: orNull(text('what to show at the door; null for a retry')),
    issued: TOKEN,
    next_event_id: CURSOR,
  },
  'token list': { tokens: list(TOKEN, 'newest first'), has_more: MORE, next_event_id: CURSOR },
  'token revoke': { revoked: TOKEN, next_event_id: CURSOR },
}

/** Every record of every answer, once, in the order in which answers come upon them. */
export function everyRecord(): Map<string, Holds> {
  const found = new Map<string, Holds>()
  const visit = ({ of, record }: Value): void => {
    if (of !== undefined) visit(of)
    if (record === undefined || found.has(record.name)) return
    found.set(record.name, record.holds)
    for (const value of Object.values(record.holds)) visit(value)
  }
  for (const holds of [...Object.values(ANSWERS), TOLD]) {
    for (const value of Object.values(holds as Holds)) visit(value)
  }
  return found
}
