// The behaviours of Mailroom, as sentences. Each is proved in every world it names: a store (SQLite, PostgreSQL) behind
// a door (the library, the built program). The test command fails if a sentence has no test, a test has no sentence, or
// fewer tests ran than there are here.
//
// The sentences of each subject are in a file *-behaviours.ts. Those that belong to no single subject are here.

import { AGENT_ENTRIES } from './behaviours/agents/agent-behaviours.ts'
import { SETTINGS_ENTRIES } from './behaviours/agents/settings-behaviours.ts'
import { CLIENT_ENTRIES } from './behaviours/clients/client-behaviours.ts'
import { DESK_ENTRIES } from './behaviours/desk/desk-behaviours.ts'
import { IDENTITY_ENTRIES } from './behaviours/identity/identity-behaviours.ts'
import { KEEPING_ENTRIES } from './behaviours/keeping/keeping-behaviours.ts'
import { MAILBOX_ENTRIES } from './behaviours/keeping/mailbox-behaviours.ts'
import { SHELL_ENTRIES } from './behaviours/kit/shell-behaviours.ts'
import { MAIL_READ_ENTRIES } from './behaviours/mail/mail-read-behaviours.ts'
import { MAIL_SEND_ENTRIES } from './behaviours/mail/mail-send-behaviours.ts'
import { PUSH_ENTRIES } from './behaviours/pushes/push-behaviours.ts'
import { AGENT_RUN_ENTRIES } from './behaviours/requests/agent-run-behaviours.ts'
import { REQUEST_ENTRIES } from './behaviours/requests/request-behaviours.ts'
import { LOOK_ENTRIES } from './behaviours/threads/look-behaviours.ts'
import { THREAD_ENTRIES } from './behaviours/threads/thread-behaviours.ts'
import { WAKING_ENTRIES } from './behaviours/waking/waking-behaviours.ts'
import { BACKEND_ENTRIES } from './behaviours/workflows/backend-behaviours.ts'
import { CHANNEL_ENTRIES } from './behaviours/workflows/channel-behaviours.ts'
import { CHANNEL_VIEW_ENTRIES } from './behaviours/workflows/channel-view-behaviours.ts'
import { CONTEXT_SERVER_ENTRIES } from './behaviours/workflows/context-server-behaviours.ts'
import { RUNNER_ENTRIES } from './behaviours/workflows/runner-behaviours.ts'
import { WORKFLOW_FILE_ENTRIES } from './behaviours/workflows/workflow-file-behaviours.ts'
import { WORKFLOW_RUNNING_ENTRIES } from './behaviours/workflows/workflow-running-behaviours.ts'
import {
  atDoors,
  CLI,
  type Entry,
  everywhere,
  FIRST_USE,
  only,
  SHELL_FORM,
  WHO_CALLS,
} from './entry.ts'

export type { Entry } from './entry.ts'

const ENTRIES = {
  'init/repeatable': everywhere('init says where the store is, and a second init changes nothing.'),
  'init/first-use': atDoors(
    FIRST_USE,
    'An operation that needs a store creates a missing one; sign-in and the operations that connect agents don’t.',
  ),
  'init/announced': only(
    CLI,
    'the library reports it through onCreate',
    'A new store is announced on stderr, once, with its place and without its password.',
  ),

  'json/success': only(
    CLI,
    SHELL_FORM,
    'With --json an answer is one object with ok, command and the result beside them.',
  ),
  'json/refusal': only(
    CLI,
    SHELL_FORM,
    'With --json a refusal goes to stdout as ok false and an error with code and message.',
  ),
  'json/without': only(
    CLI,
    SHELL_FORM,
    'Without --json results go to stdout as text, refusals to stderr as one line.',
  ),
  'json/exits': only(
    CLI,
    SHELL_FORM,
    'The exit code distinguishes success, nothing, conflict, bad input, not found and a bad store.',
  ),

  'words/unknown': everywhere(
    'Every operation refuses a field it does not have, and does nothing.',
  ),
  'words/limits': everywhere(
    'status, sweep, prune and the lists of wakes, tokens and requests refuse a limit out of bounds.',
  ),

  'serve/others': only(
    CLI,
    'only the shell serves',
    'serve at an address that other machines reach is refused, unless callers need tokens.',
  ),
  'serve/demo': only(
    CLI,
    'only the shell serves',
    'serve --demo uses a separate store: a named one is refused, and not touched.',
  ),

  ...THREAD_ENTRIES,
  ...LOOK_ENTRIES,

  'key/send': everywhere(
    'Repeating send with its key returns the first answer and creates one thread.',
  ),
  'key/append': everywhere('Repeating send into a thread with its key adds one message.'),
  'key/claim': everywhere('Repeating claim with its key returns the first lease.'),
  'key/renew': everywhere('Repeating renew with its key returns the first answer.'),
  'key/update': everywhere('Repeating update with its key adds one message.'),
  'key/reply': everywhere('Repeating reply with its key adds one message.'),
  'key/done': everywhere('Repeating done with its key returns the first answer.'),
  'key/fail': everywhere('Repeating fail with its key returns the first answer.'),
  'key/cancel': everywhere('Repeating cancel with its key returns the first answer.'),
  'key/sweep': everywhere('Repeating sweep with its key returns the first answer.'),
  'key/prune': everywhere('Repeating prune with its key returns the first answer.'),
  'key/mail': everywhere(
    'Repeating mail send or mail mark-read with its key returns the first answer.',
  ),
  'key/agents': everywhere(
    'Repeating agent register, agent status or person add with its key returns the first answer.',
  ),
  'key/other-request': everywhere('A key used for another request is refused and does nothing.'),
  'key/per-agent': atDoors(WHO_CALLS, 'Two agents may use the same key independently.'),
  'key/not-for-refusals': everywhere('A refusal is not stored: its key can be used again.'),
  'key/not-for-nothing': everywhere('An empty result is not stored under its key.'),

  ...KEEPING_ENTRIES,
  ...MAIL_READ_ENTRIES,
  ...MAIL_SEND_ENTRIES,
  ...WAKING_ENTRIES,
  ...AGENT_ENTRIES,
  ...MAILBOX_ENTRIES,
  ...CHANNEL_VIEW_ENTRIES,
  ...CLIENT_ENTRIES,
  ...PUSH_ENTRIES,
  ...REQUEST_ENTRIES,
  ...AGENT_RUN_ENTRIES,
  ...CHANNEL_ENTRIES,
  ...CONTEXT_SERVER_ENTRIES,
  ...DESK_ENTRIES,
  ...RUNNER_ENTRIES,
  ...SETTINGS_ENTRIES,
  ...IDENTITY_ENTRIES,
  ...SHELL_ENTRIES,
  ...BACKEND_ENTRIES,
  ...WORKFLOW_FILE_ENTRIES,
  ...WORKFLOW_RUNNING_ENTRIES,
} satisfies Record<string, Entry>

export type BehaviourId = keyof typeof ENTRIES

export const behaviours: Record<BehaviourId, Entry> = ENTRIES
