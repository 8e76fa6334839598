// The sentences that prove an operation at the doors: one where it succeeds, one where it is refused, one where its
// answer is empty, and one where it is repeated with its key. All other sentences are proved through the library only,
// unless they are marked as being about a door (test/entry.ts).
//
// When such a sentence is proved at a door, its proof must make that call there (world.ts). A test that doesn't prove
// a sentence is named by its file and title, and must name the operation as its door does.
// test/contract/matrix.test.ts fails if an operation lacks one of them at a door that offers it.
//
// Two subjects have their tables in the folder at-doors.

import type { OperationName } from '../src/ops/catalogue.ts'
import { type AtDoors, FOR_PEOPLE, ONLY_WORDS, type OtherTest, STARTS } from './at-doors/proof.ts'
import { REQUESTS_AT_DOORS } from './at-doors/requests.ts'
import { WORKFLOWS_AT_DOORS } from './at-doors/workflows.ts'

const streamed = (file: string, title: string): OtherTest => ({
  file,
  title,
  why: 'the connection carries a file in pieces, not an answer',
})
const byTool = (title: string): OtherTest => ({
  file: 'test/mcp/pushes.test.ts',
  title,
  why: 'an agent pushes from its workspace’s address, which the sentences do not have',
})
const installing = (title: string): OtherTest => ({
  file: 'test/program/install.test.ts',
  title,
  why: 'it edits the files of other programs',
})
const allowing = (title: string): OtherTest => ({
  file: 'test/program/allow.test.ts',
  title,
  why: STARTS,
})

const LASTS = 'it runs until it is ended, and the test talks to it while it runs'

const OPENED: OtherTest = {
  file: 'test/behaviours/pushes/push-reply.test.ts',
  title: 'open/terminal',
  why: STARTS,
}
const INSTALLED = installing('install %s and uninstall it leave a folder as it was')
const TALKED: OtherTest = {
  file: 'test/mcp/visits.test.ts',
  title: 'inbox mcp needs an agent’s name, and refuses to start without one',
  why: LASTS,
}

export const AT_DOORS: Record<OperationName, AtDoors> = {
  ...REQUESTS_AT_DOORS,
  ...WORKFLOWS_AT_DOORS,

  init: { success: 'init/repeatable', refusal: ONLY_WORDS },

  send: { success: 'send/new-thread', refusal: 'send/append-unknown', retry: 'key/send' },
  fetch: { success: 'fetch/own-pending', refusal: 'fetch/bad-input', empty: 'fetch/empty' },
  claim: {
    success: 'claim/by-id',
    refusal: 'claim/conflict',
    empty: 'claim/next-nothing',
    retry: 'key/claim',
  },
  renew: { success: 'lease/renew', refusal: 'lease/renew-by-another', retry: 'key/renew' },
  update: { success: 'update/blocked', refusal: 'update/unknown', retry: 'key/update' },
  reply: { success: 'reply/answer', refusal: 'reply/unknown', retry: 'key/reply' },
  done: { success: 'done/result', refusal: 'done/anothers', retry: 'key/done' },
  fail: { success: 'fail/result', refusal: 'fail/refused', retry: 'key/fail' },
  cancel: { success: 'cancel/says-why', refusal: 'cancel/finished', retry: 'key/cancel' },
  list: { success: 'list/not-who-calls', refusal: 'list/bad-input', empty: 'stop/until-read' },
  show: { success: 'show/mark-read', refusal: 'show/unknown' },
  watch: { success: 'watch/agent', refusal: 'watch/beyond', empty: 'stop/waits' },
  'wait-reply': {
    success: 'wait-reply/early',
    refusal: 'wait-reply/unknown',
    empty: 'wait-reply/timeout',
  },
  status: { success: 'status/counts', refusal: 'words/limits' },
  sweep: { success: 'sweep/pending', refusal: 'words/limits', retry: 'key/sweep' },

  'mail send': {
    success: 'mail-send/defaults',
    refusal: 'mail-send/answer-work',
    empty: 'mail-send/wait-nobody',
    retry: 'key/mail',
  },
  'mail read': {
    success: 'mail-read/own',
    refusal: 'mail-read/bad-input',
    empty: 'mail-read/empty',
  },
  'mail peek': {
    success: 'mail-peek/same',
    refusal: 'mail-read/bad-input',
    empty: 'mail-peek/same',
  },
  'mail mark-read': {
    success: 'mark-read/some',
    refusal: 'mark-read/refused',
    retry: 'key/mail',
  },
  'mail history': {
    success: 'history/visible',
    refusal: 'history/bad-input',
    empty: 'history/visible',
  },
  'mail count': {
    success: 'count/types',
    refusal: 'count/bad-input',
    empty: 'count/types',
  },
  'mail receipts': {
    success: 'receipts/rights',
    refusal: 'receipts/rights',
    empty: 'receipts/nothing',
  },

  doctor: { success: 'doctor/healthy', refusal: ONLY_WORDS, http: { refusal: FOR_PEOPLE } },
  backup: { success: 'backup/exists', refusal: 'backup/exists' },
  prune: { success: 'prune/old', refusal: 'words/limits', retry: 'key/prune' },
  export: {
    success: 'export/after-event',
    refusal: 'retention/cursor',
    http: {
      success: streamed(
        'test/server/operations.test.ts',
        'is exported as lines, and refused by a store that has its own log',
      ),
      refusal: streamed(
        'test/server/operations.test.ts',
        'is refused before the first line if the cursor is past its end',
      ),
    },
  },
  import: {
    success: 'import/goes-on',
    refusal: 'import/bad-header',
    http: {
      success: streamed(
        'test/server/operations.test.ts',
        'of mail is imported as lines of a mailbox',
      ),
      refusal: streamed(
        'test/server/operations.test.ts',
        'is exported as lines, and refused by a store that has its own log',
      ),
    },
  },
  'mail export': {
    success: 'mailbox/shape',
    refusal: 'mailbox/formats',
    http: {
      success: streamed('test/server/nested.test.ts', 'is exported with the log and the mailbox'),
      refusal: streamed(
        'test/server/operations.test.ts',
        'a service cannot export or import mail or leases',
      ),
    },
  },

  'agent register': { success: 'agent/self', refusal: 'agent/self', retry: 'key/agents' },
  'agent list': { success: 'agent/others', refusal: 'agent/others', empty: 'agent/others' },
  'agent reach': { success: 'agent-reach/says', refusal: 'agent-reach/says' },
  'agent status': { success: 'agent/off', refusal: 'agent/names', retry: 'key/agents' },
  'person settings': { success: 'settings/set', refusal: 'settings/own' },
  'person set': { success: 'settings/set', refusal: 'settings/own', retry: 'settings/key' },
  'person add': { success: 'person/add', refusal: 'person/add', retry: 'key/agents' },

  push: {
    success: 'push/comments',
    refusal: 'push/nothing',
    retry: 'push/same-key',
    mcp: {
      success: byTool('inbox_push shows the person a comment'),
      refusal: byTool(
        'inbox_push refuses an empty comment and a missing document, and pushes nothing',
      ),
      retry: byTool(
        'inbox_push repeated under its key pushes once, and refuses a different comment',
      ),
    },
  },
  notify: {
    success: 'notify/deprecated',
    refusal: 'notify/deprecated',
    retry: 'push-handling/key',
    mcp: {
      success: byTool('notify_user shows the person a notification'),
      refusal: byTool('notify_user refuses an empty message and shows nothing'),
      retry: byTool('notify_user repeated under its key notifies once'),
    },
  },
  'push history': {
    success: 'push-history/agents',
    refusal: 'push-history/pages',
    empty: 'push-history/agents',
    mcp: {
      success: byTool('inbox_read lists the workspace’s pushes, newest first, in pages'),
      refusal: byTool('inbox_read refuses a limit of 0'),
      empty: byTool('inbox_read says so if the workspace has no pushes'),
    },
  },
  'push show': {
    success: 'push-show/presents',
    refusal: 'push-history/agents',
    mcp: {
      success: byTool('inbox_show shows a push with the person’s replies'),
      refusal: byTool('inbox_show does not find unknown pushes or those of another workspace'),
    },
  },
  'push read': {
    success: 'push-read/marks',
    refusal: 'push-handling/unknown',
    retry: 'push-handling/key',
  },
  'push unread': {
    success: 'push-handling/key',
    refusal: 'push-handling/unknown',
    retry: 'push-handling/key',
  },
  'push trash': {
    success: 'push-trash/restore',
    refusal: 'push-handling/unknown',
    retry: 'push-handling/key',
  },
  'push restore': {
    success: 'push-trash/restore',
    refusal: 'push-handling/unknown',
    retry: 'push-handling/key',
  },
  'push delete': {
    success: 'push-handling/key',
    refusal: 'push-handling/unknown',
    retry: 'push-handling/key',
  },
  'push reply': {
    success: 'push-reply/delivered',
    refusal: 'push-handling/unknown',
    retry: 'push-handling/key',
  },
  'push file': { success: 'push-file/text', refusal: 'push-file/absent' },
  'push watch': {
    success: 'push-watch/changes',
    refusal: 'push-watch/words',
    empty: 'push-watch/timeout',
  },
  'push resume': { success: 'push-resume/commands', refusal: 'push-resume/commands' },
  open: { success: OPENED, refusal: OPENED },

  desk: { success: 'desk/counts', refusal: 'desk/people' },
  'desk days': { success: 'desk-days/counts', refusal: 'desk/people', empty: 'desk/people' },
  'desk snooze': {
    success: 'desk-snooze/until',
    refusal: 'desk-snooze/refused',
    retry: 'desk-snooze/once',
  },
  'desk unsnooze': {
    success: 'desk-snooze/taken-back',
    refusal: 'desk-snooze/refused',
    retry: 'desk-snooze/once',
  },
  'desk mark': {
    success: 'desk-mark/every-kind',
    refusal: 'desk-snooze/refused',
    retry: 'desk-snooze/once',
  },
  'desk list': { success: 'desk/list', refusal: 'desk/people', empty: 'desk/people' },

  'wake explain': { success: 'wake/explain', refusal: 'wake/explain-unknown' },
  'wake log': { success: 'wake/log', refusal: 'words/limits', empty: 'wake/log' },
  'wake run': {
    success: allowing('a command set here is started, even after its folder has moved'),
    refusal: 'wake/bad-variables',
  },
  'wake exec': {
    success: {
      file: 'test/faults/broker.test.ts',
      title: 'of several supervisors of one wake, only one starts the agent',
      why: STARTS,
    },
    refusal: 'wake/internal',
  },
  'wake allow': {
    success: allowing('a command in a copied store is held until it has been seen and allowed'),
    refusal: allowing('commands that have changed since they were shown are not allowed'),
  },

  'sign-in': {
    success: 'sign-in/retry',
    refusal: 'sign-in/bad-input',
    retry: 'sign-in/retry',
    // A server doesn't tell unauthorized callers whom it knows.
    http: { refusal: FOR_PEOPLE },
  },
  'workspace add': {
    success: 'workspace/add',
    refusal: 'workspace/bad-input',
    retry: 'identity/key',
  },
  'workspace list': {
    success: 'workspace/remove',
    refusal: ONLY_WORDS,
    empty: 'workspace/remove',
    http: { refusal: FOR_PEOPLE },
  },
  'workspace rename': {
    success: 'workspace/rename',
    refusal: 'workspace/remove',
    retry: 'identity/key',
  },
  'workspace remove': {
    success: 'workspace/remove',
    refusal: 'workspace/remove',
    retry: 'identity/key',
  },
  'token issue': { success: 'token/scope', refusal: 'token/retry', retry: 'token/retry' },
  'token list': { success: 'token/list', refusal: 'words/limits', empty: 'token/revoke' },
  'token revoke': { success: 'token/revoke', refusal: 'token/revoke', retry: 'identity/key' },

  hook: { success: 'hook/start', refusal: 'hook/bad-input' },
  'tool-hook': { success: 'tool-hook/free', refusal: 'tool-hook/bad-input' },
  install: {
    success: INSTALLED,
    refusal: installing('a file that cannot be parsed is refused, and no file is changed'),
  },
  uninstall: { success: INSTALLED, refusal: INSTALLED },
  serve: {
    success: {
      file: 'test/docs/readme.test.ts',
      title: 'the server prints what the README shows, and its commands work',
      why: LASTS,
    },
    refusal: 'serve/others',
  },
  mcp: { success: TALKED, refusal: TALKED },
}
