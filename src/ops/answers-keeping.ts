// What the operations that keep a store answer: its log, its wakes, the programs of agents, who comes in.

import { CURSOR, MORE, THREAD, TOKEN, WAKE, WORKSPACE } from './answer-records.ts'
import { type Answers, any, flag, list, maybe, number, orNull, record, text } from './kit/answer.ts'

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
  client: text('which program'),
  dry_run: flag('whether nothing was written'),
  files: list(CHANGE, 'each file'),
  note: text('what is left to do by hand, or empty'),
}

export const KEEPING = {
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
  'wake run': {
    started: number('how many were started'),
    lost: number('how many were lost'),
    failed: number('how many could not be'),
    held: number('how many commands were not allowed'),
    next_event_id: CURSOR,
  },
  'wake allow': {
    store: text('where it is'),
    commands: list(
      record('command', 'what wakes one agent', {
        agent: text('whom'),
        command: any('the program and its words'),
        cwd: orNull(text('where it runs')),
        allowed: flag('whether it may be started here'),
      }),
      'every command of the store',
    ),
    shown: text('names exactly these commands: give it back to allow them'),
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
} satisfies Partial<Answers>
