// The behaviours of Mailroom, as sentences. Each is proved in every world it names: a store (SQLite,
// PostgreSQL) behind a door (the library, the built program). A sentence without a test, a test without a
// sentence, or fewer tests run than there are here, fails the test command.
//
// Each subject has its sentences in a file *-behaviours.ts. Those that belong to no single subject are here.

import { AGENT_ENTRIES } from './agent-behaviours.ts'
import { AGENT_RUN_ENTRIES } from './agent-run-behaviours.ts'
import { BACKEND_ENTRIES } from './backend-behaviours.ts'
import { CHANNEL_ENTRIES } from './channel-behaviours.ts'
import { CHANNEL_VIEW_ENTRIES } from './channel-view-behaviours.ts'
import { CLIENT_ENTRIES } from './client-behaviours.ts'
import { CONTEXT_SERVER_ENTRIES } from './context-server-behaviours.ts'
import { DESK_ENTRIES } from './desk-behaviours.ts'
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
import { IDENTITY_ENTRIES } from './identity-behaviours.ts'
import { KEEPING_ENTRIES } from './keeping-behaviours.ts'
import { LOOK_ENTRIES } from './look-behaviours.ts'
import { MAIL_READ_ENTRIES } from './mail-read-behaviours.ts'
import { MAIL_SEND_ENTRIES } from './mail-send-behaviours.ts'
import { MAILBOX_ENTRIES } from './mailbox-behaviours.ts'
import { PUSH_ENTRIES } from './push-behaviours.ts'
import { REQUEST_ENTRIES } from './request-behaviours.ts'
import { RUNNER_ENTRIES } from './runner-behaviours.ts'
import { SETTINGS_ENTRIES } from './settings-behaviours.ts'
import { SHELL_ENTRIES } from './shell-behaviours.ts'
import { THREAD_ENTRIES } from './thread-behaviours.ts'
import { WAKING_ENTRIES } from './waking-behaviours.ts'
import { WORKFLOW_FILE_ENTRIES } from './workflow-file-behaviours.ts'
import { WORKFLOW_RUNNING_ENTRIES } from './workflow-running-behaviours.ts'

export type { Entry } from './entry.ts'

const ENTRIES = {
  'init/repeatable': everywhere('init says where the store is, and a second init changes nothing.'),
  'init/first-use': atDoors(
    FIRST_USE,
    'An operation that needs a store makes it where there is none; sign-in, and what connects agents, does not.',
  ),
  'init/announced': only(
    CLI,
    'the library says it through onCreate',
    'A store that is made is announced on stderr, once, with its place and without its password.',
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
    'The exit code tells success, nothing, conflict, bad words, not found and a bad store apart.',
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
    'serve --demo has a store of its own: one that was named is refused, and not touched.',
  ),

  ...THREAD_ENTRIES,
  ...LOOK_ENTRIES,

  'key/send': everywhere('send repeated under its key is the first answer and one thread.'),
  'key/append': everywhere('send into a thread repeated under its key is one message.'),
  'key/claim': everywhere('claim repeated under its key is the first lease.'),
  'key/renew': everywhere('renew repeated under its key is the first answer.'),
  'key/update': everywhere('update repeated under its key is one message.'),
  'key/reply': everywhere('reply repeated under its key is one message.'),
  'key/done': everywhere('done repeated under its key is the first answer.'),
  'key/fail': everywhere('fail repeated under its key is the first answer.'),
  'key/cancel': everywhere('cancel repeated under its key is the first answer.'),
  'key/sweep': everywhere('sweep repeated under its key is the first answer.'),
  'key/prune': everywhere('prune repeated under its key is the first answer.'),
  'key/mail': everywhere(
    'mail send and mail mark-read repeated under their key are the first answer.',
  ),
  'key/agents': everywhere(
    'agent register, agent status and person add repeated under their key are the first answer.',
  ),
  'key/other-request': everywhere('A key used for another request is refused and does nothing.'),
  'key/per-agent': atDoors(WHO_CALLS, 'Two agents may use the same key without meeting.'),
  'key/not-for-refusals': everywhere('A refusal is not kept: its key can be used again.'),
  'key/not-for-nothing': everywhere('Coming back empty-handed is not kept under a key.'),

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
