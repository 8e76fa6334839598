// Which sentence stands for an operation at the doors: one where it succeeds, one where it refuses, one where
// there is nothing to answer with, and one where it is repeated under its key. All other sentences are proved
// through the library only, unless they are marked as a door's own (test/entry.ts).
//
// When such a sentence is proved at a door, the call it stands for must have been made there (world.ts). A test
// that is not a sentence's is named by its file and its title, and must name the operation as its door does.
// test/contract/matrix.test.ts fails when an operation lacks one at a door it is offered at.

import type { OperationName } from '../src/ops/catalogue.ts'
import type { BehaviourId } from './behaviours.ts'
import type { DoorName } from './entry.ts'
import type { Outcome } from './worlds/calls.ts'

/**
 * A test that proves it at this door and that no door of the sentences sees, and why. The title is as it stands in
 * the file; the title of a test by `behaves` is its sentence's id.
 */
export type OtherTest = { file: string; title: string; why: string }

export type Proof = BehaviourId | OtherTest
export type Proofs = Partial<Record<Outcome, Proof>>
/** The same at every door, but for what is named for one door. */
export type AtDoors = Proofs & Partial<Record<DoorName, Proofs>>

const LASTS = 'it runs until it is ended, and the test speaks with it meanwhile'
const STREAMS = 'what goes over the connection is a file, in pieces, and no answer'
const OF_WORKSPACE =
  'an agent pushes from the address of its workspace, which the sentences do not know'
const OTHER_FILES = 'it edits the files of other programs'
const STARTS = 'it starts programs, and the sentence about it looks at those'

const BY_CALLER = 'who may not call it is known by a name or a token that a server was shown'

/** The refusal of an operation that has none of its own: it takes any call whose words it knows. */
const ONLY_WORDS = 'words/unknown'

const FOR_PEOPLE: OtherTest = {
  file: 'test/server/operations.test.ts',
  title: 'what is for people is not for agents',
  why: BY_CALLER,
}

const streamed = (file: string, title: string): OtherTest => ({ file, title, why: STREAMS })
const byTool = (title: string): OtherTest => ({
  ...{ file: 'test/mcp/pushes.test.ts', title, why: OF_WORKSPACE },
})
const installing = (title: string): OtherTest => ({
  ...{ file: 'test/program/install.test.ts', title, why: OTHER_FILES },
})
const allowing = (title: string): OtherTest => ({
  ...{ file: 'test/program/allow.test.ts', title, why: STARTS },
})

const running = (title: string): OtherTest => ({
  ...{ file: 'test/behaviours/workflows/workflow-run.test.ts', title, why: STARTS },
})
const starting = (title: string): OtherTest => ({
  ...{ file: 'test/behaviours/workflows/workflow-start.test.ts', title, why: STARTS },
})

const OPENED: OtherTest = {
  file: 'test/behaviours/pushes/push-reply.test.ts',
  title: 'open/terminal',
  why: STARTS,
}
const INSTALLED = installing('install %s and uninstall it leave a folder as it was')
const TYPED: OtherTest = {
  file: 'test/behaviours/requests/request.test.ts',
  title: 'request/types',
  why: 'the list is the same in every store and never empty',
}
const TALKED: OtherTest = {
  file: 'test/mcp/visits.test.ts',
  title: 'in whose name is a question with an answer, or a refusal',
  why: LASTS,
}

export const AT_DOORS: Record<OperationName, AtDoors> = {
  init: { success: 'init/repeatable', refusal: ONLY_WORDS },

  send: { success: 'send/new-thread', refusal: 'send/append-unknown', retry: 'key/send' },
  fetch: { success: 'fetch/own-pending', refusal: 'fetch/bad-input', empty: 'fetch/empty' },
  claim: {
    ...{ success: 'claim/by-id', refusal: 'claim/conflict', empty: 'claim/next-nothing' },
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
    ...{ success: 'wait-reply/early', refusal: 'wait-reply/unknown', empty: 'wait-reply/timeout' },
  },
  status: { success: 'status/counts', refusal: 'words/limits' },
  sweep: { success: 'sweep/pending', refusal: 'words/limits', retry: 'key/sweep' },

  'mail send': {
    ...{ success: 'mail-send/defaults', refusal: 'mail-send/answer-work' },
    ...{ empty: 'mail-send/wait-nobody', retry: 'key/mail' },
  },
  'workflow context send': {
    ...{ success: 'channel/send', refusal: 'channel/strangers', retry: 'channel/retry' },
  },
  'workflow context read': {
    ...{ success: 'channel/read', refusal: 'channel/strangers', empty: 'channel/read' },
  },
  'workflow context peek': { success: 'channel/peek', refusal: 'channel/strangers' },
  'workflow context inbox': {
    ...{ success: 'channel/inbox', refusal: 'channel/strangers', empty: 'channel/inbox' },
  },
  'workflow context inbox-peek': {
    ...{ success: 'channel/peek', refusal: 'channel/strangers', empty: 'channel/peek' },
  },
  'workflow context ack': {
    ...{ success: 'channel/ack', refusal: 'channel/strangers', retry: 'channel/retry' },
  },
  'workflow context team': { success: 'channel/team', refusal: 'channel/strangers' },
  'workflow context no-action': { success: 'channel/no-action', refusal: 'channel/strangers' },
  'workflow context doc read': { success: 'document/read', refusal: 'document/strangers' },
  'workflow context doc write': {
    ...{ success: 'document/write', refusal: 'document/changed', retry: 'document/retry' },
  },
  'workflow context doc append': {
    ...{ success: 'document/append', refusal: 'document/bad-path', retry: 'document/retry' },
  },
  'workflow context doc list': { success: 'document/list', refusal: 'document/strangers' },
  'workflow context doc create': {
    ...{ success: 'document/create', refusal: 'document/create', retry: 'document/retry' },
  },
  'workflow context doc delete': {
    ...{ success: 'document/delete', refusal: 'document/delete', retry: 'document/retry' },
  },
  'workflow context doc history': {
    ...{ success: 'document/history', refusal: 'document/strangers' },
  },
  'mail read': {
    ...{ success: 'mail-read/own', refusal: 'mail-read/bad-input', empty: 'mail-read/empty' },
  },
  'mail peek': {
    ...{ success: 'mail-peek/same', refusal: 'mail-read/bad-input', empty: 'mail-peek/same' },
  },
  'mail mark-read': {
    ...{ success: 'mark-read/some', refusal: 'mark-read/refused', retry: 'key/mail' },
  },
  'mail history': {
    ...{ success: 'history/visible', refusal: 'history/bad-input', empty: 'history/visible' },
  },
  'mail count': {
    ...{ success: 'count/types', refusal: 'count/bad-input', empty: 'count/types' },
  },
  'mail receipts': {
    ...{ success: 'receipts/rights', refusal: 'receipts/rights', empty: 'receipts/nothing' },
  },

  doctor: { success: 'doctor/healthy', refusal: ONLY_WORDS, http: { refusal: FOR_PEOPLE } },
  backup: { success: 'backup/exists', refusal: 'backup/exists' },
  prune: { success: 'prune/old', refusal: 'words/limits', retry: 'key/prune' },
  export: {
    ...{ success: 'export/after-event', refusal: 'retention/cursor' },
    http: {
      success: streamed(
        'test/server/operations.test.ts',
        'goes out as lines, and not into a store that has its own',
      ),
      refusal: streamed(
        'test/server/operations.test.ts',
        'that cannot be gone on with is refused in words, before a line is written',
      ),
    },
  },
  import: {
    ...{ success: 'import/goes-on', refusal: 'import/bad-header' },
    http: {
      success: streamed('test/server/operations.test.ts', 'of mail comes in as lines of a mailbox'),
      refusal: streamed(
        'test/server/operations.test.ts',
        'goes out as lines, and not into a store that has its own',
      ),
    },
  },
  'mail export': {
    ...{ success: 'mailbox/shape', refusal: 'mailbox/formats' },
    http: {
      success: streamed('test/server/nested.test.ts', 'goes out with the log and the mailbox'),
      refusal: streamed(
        'test/server/operations.test.ts',
        'a service exports no mail and no leases, and imports none',
      ),
    },
  },

  'agent register': { success: 'agent/self', refusal: 'agent/self', retry: 'key/agents' },
  'agent list': { success: 'agent/others', refusal: 'agent/others', empty: 'agent/others' },
  'agent runs': { success: 'agent-run/listed', refusal: 'words/limits', empty: 'agent-run/sight' },
  'agent end-run': {
    success: 'agent-run/ended',
    refusal: 'agent-run/ended',
    retry: 'agent-run/key',
  },
  'agent status': { success: 'agent/off', refusal: 'agent/names', retry: 'key/agents' },
  'person settings': { success: 'settings/set', refusal: 'settings/own' },
  'person set': { success: 'settings/set', refusal: 'settings/own', retry: 'settings/key' },
  'person add': { success: 'person/add', refusal: 'person/add', retry: 'key/agents' },

  push: {
    ...{ success: 'push/comments', refusal: 'push/nothing', retry: 'push/same-key' },
    mcp: {
      success: byTool('inbox_push shows the person a comment'),
      refusal: byTool(
        'inbox_push without words, or of a document that is not there, is refused and pushes nothing',
      ),
      retry: byTool(
        'inbox_push repeated under its key is one push, and with other words is refused',
      ),
    },
  },
  notify: {
    ...{ success: 'notify/deprecated', refusal: 'notify/deprecated', retry: 'push-handling/key' },
    mcp: {
      success: byTool('notify_user shows the person a notification'),
      refusal: byTool('notify_user with an empty message is refused and shows nothing'),
      retry: byTool('notify_user repeated under its key is one notification'),
    },
  },
  'push history': {
    ...{ success: 'push-history/agents', refusal: 'push-history/pages' },
    empty: 'push-history/agents',
    mcp: {
      success: byTool('inbox_read lists what was pushed from here, newest first, a page at a time'),
      refusal: byTool('inbox_read of a page without a line is refused'),
      empty: byTool('inbox_read where nothing was pushed says so'),
    },
  },
  'push show': {
    ...{ success: 'push-show/presents', refusal: 'push-history/agents' },
    mcp: {
      success: byTool('inbox_show shows a push with what the person replied'),
      refusal: byTool('inbox_show of no push, and of another workspace’s, is not found'),
    },
  },
  'push read': {
    ...{ success: 'push-read/marks', refusal: 'push-handling/unknown', retry: 'push-handling/key' },
  },
  'push unread': {
    ...{ success: 'push-handling/key', refusal: 'push-handling/unknown' },
    retry: 'push-handling/key',
  },
  'push trash': {
    ...{ success: 'push-trash/restore', refusal: 'push-handling/unknown' },
    retry: 'push-handling/key',
  },
  'push restore': {
    ...{ success: 'push-trash/restore', refusal: 'push-handling/unknown' },
    retry: 'push-handling/key',
  },
  'push delete': {
    ...{ success: 'push-handling/key', refusal: 'push-handling/unknown' },
    retry: 'push-handling/key',
  },
  'push reply': {
    ...{ success: 'push-reply/delivered', refusal: 'push-handling/unknown' },
    retry: 'push-handling/key',
  },
  'agent reach': { success: 'agent-reach/says', refusal: 'agent-reach/says' },
  'agent policy': {
    ...{ success: 'policy/require', refusal: 'policy/bad-input', retry: 'policy/key' },
  },
  'agent policies': {
    ...{ success: 'policy/require', refusal: ONLY_WORDS, empty: 'policy/people' },
    http: { refusal: FOR_PEOPLE },
  },
  desk: { success: 'desk/counts', refusal: 'desk/people' },
  'desk days': { success: 'desk-days/counts', refusal: 'desk/people', empty: 'desk/people' },
  'desk snooze': {
    ...{ success: 'desk-snooze/until', refusal: 'desk-snooze/refused', retry: 'desk-snooze/once' },
  },
  'desk unsnooze': {
    ...{ success: 'desk-snooze/taken-back', refusal: 'desk-snooze/refused' },
    retry: 'desk-snooze/once',
  },
  'desk mark': {
    ...{
      success: 'desk-mark/every-kind',
      refusal: 'desk-snooze/refused',
      retry: 'desk-snooze/once',
    },
  },
  'desk list': { success: 'desk/list', refusal: 'desk/people', empty: 'desk/people' },
  'request create': {
    ...{ success: 'request/created', refusal: 'request/bad-input', retry: 'request/key' },
  },
  'request ask': {
    ...{ success: 'request/ask', refusal: 'request/ask-bad', empty: 'request/ask-timeout' },
    retry: 'request/ask',
  },
  'request review': {
    ...{ success: 'agent-run/paused', refusal: 'agent-run/bad-input', retry: 'agent-run/key' },
  },
  'request backfill': { success: 'agent-run/backfill', refusal: 'words/limits' },
  'request list': { success: 'request/list', refusal: 'words/limits' },
  'request types': { success: 'request/types', refusal: ONLY_WORDS, empty: TYPED },
  'request get': { success: 'request/changes', refusal: 'request/visible' },
  'request wait': {
    ...{ success: 'request/wait', refusal: 'request/visible', empty: 'request/wait-timeout' },
  },
  'request effect': {
    ...{ success: 'request/effect-set', refusal: 'request/effect-refused' },
    retry: 'request/effect-set',
  },
  'request effects': {
    ...{ success: 'request/effect-set', refusal: ONLY_WORDS, empty: 'request/effect-set' },
    http: { refusal: FOR_PEOPLE },
  },
  'request retry': {
    ...{ success: 'request/effect-retry', refusal: 'request/effect-retry' },
    retry: 'request/effect-retry',
  },
  'request exec': {
    success: {
      file: 'test/faults/effects.test.ts',
      title: 'twenty supervisors of one effect start one program',
      why: STARTS,
    },
    refusal: ONLY_WORDS,
  },
  'request verify': {
    ...{ success: 'request/verify', refusal: 'request/verify-no', retry: 'request/use' },
  },
  approve: { success: 'request/approve', refusal: 'request/stale', retry: 'request/key' },
  reject: { success: 'request/reject', refusal: 'request/stale', retry: 'request/key' },
  'request-revision': {
    ...{ success: 'request/revise', refusal: 'request/stale', retry: 'request/key' },
  },
  'undo-decision': {
    ...{ success: 'request/undo', refusal: 'request/held', retry: 'request/hold-key' },
  },
  'request decide': {
    ...{ success: 'request/bulk', refusal: 'request/bulk-refused', retry: 'request/bulk-key' },
  },
  resubmit: { success: 'request/revise', refusal: 'request/decided', retry: 'request/key' },
  'cancel-request': { success: 'request/cancel', refusal: 'request/decided', retry: 'request/key' },
  'request link': {
    ...{ success: 'request/link', refusal: 'request/link-refused', retry: 'request/key' },
  },
  'request unlink': {
    ...{ success: 'request/link', refusal: 'request/link-refused', retry: 'request/key' },
  },
  comment: { success: 'request/comment', refusal: 'request/visible', retry: 'request/key' },

  'push file': { success: 'push-file/text', refusal: 'push-file/absent' },
  'push watch': {
    ...{ success: 'push-watch/changes', refusal: 'push-watch/words' },
    empty: 'push-watch/timeout',
  },
  'push resume': { success: 'push-resume/commands', refusal: 'push-resume/commands' },
  open: { success: OPENED, refusal: OPENED },

  'wake explain': { success: 'wake/explain', refusal: 'wake/explain-unknown' },
  'wake log': { success: 'wake/log', refusal: 'words/limits', empty: 'wake/log' },
  'wake run': {
    success: allowing('a command that is set here is started, also after its folder has moved'),
    refusal: 'wake/bad-variables',
  },
  'wake exec': {
    success: {
      file: 'test/faults/broker.test.ts',
      title: 'two supervisors of one wake: one starts it',
      why: STARTS,
    },
    refusal: 'wake/internal',
  },
  'wake allow': {
    success: allowing('a command that came with a copy is held until it was seen and allowed'),
    refusal: allowing('commands that have changed since they were shown are not allowed'),
  },

  'sign-in': {
    ...{ success: 'sign-in/retry', refusal: 'sign-in/bad-input', retry: 'sign-in/retry' },
    // A server does not say whom it knows to one who may not ask.
    http: { refusal: FOR_PEOPLE },
  },
  'workspace add': {
    ...{ success: 'workspace/add', refusal: 'workspace/bad-input', retry: 'identity/key' },
  },
  'workspace list': {
    ...{ success: 'workspace/remove', refusal: ONLY_WORDS, empty: 'workspace/remove' },
    http: { refusal: FOR_PEOPLE },
  },
  'workspace rename': {
    ...{ success: 'workspace/rename', refusal: 'workspace/remove', retry: 'identity/key' },
  },
  'workspace remove': {
    ...{ success: 'workspace/remove', refusal: 'workspace/remove', retry: 'identity/key' },
  },
  'token issue': { success: 'token/scope', refusal: 'token/retry', retry: 'token/retry' },
  'token list': { success: 'token/list', refusal: 'words/limits', empty: 'token/revoke' },
  'token revoke': { success: 'token/revoke', refusal: 'token/revoke', retry: 'identity/key' },

  hook: { success: 'hook/start', refusal: 'hook/bad-input' },
  'tool-hook': { success: 'tool-hook/free', refusal: 'tool-hook/bad-input' },
  install: {
    success: INSTALLED,
    refusal: installing('what cannot be understood is refused, and every file is left alone'),
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

  'workflow channels': {
    ...{ success: 'channel-view/list', refusal: 'channel-view/refused' },
    empty: 'channel-view/none',
  },
  'workflow channel': { success: 'channel-view/glance', refusal: 'channel-view/refused' },
  'workflow entries': {
    ...{ success: 'channel-view/entries', refusal: 'channel-view/refused' },
    empty: 'channel-view/silent',
  },
  'workflow run': {
    success: running('workflow-run/idle'),
    refusal: running('workflow-run/refused'),
  },
  'workflow start': {
    success: starting('workflow-start/background'),
    refusal: running('workflow-run/refused'),
  },
  'workflow new': {
    success: starting('workflow-new/alone'),
    refusal: starting('workflow-new/refused'),
  },
  'workflow keep': {
    success: starting('workflow-start/background'),
    refusal: running('workflow-turn/internal'),
  },
  'workflow turn': {
    success: running('workflow-run/idle'),
    refusal: running('workflow-turn/internal'),
  },
  'workflow list': {
    success: 'workflow-list/running',
    refusal: ONLY_WORDS,
    empty: 'workflow-list/none',
  },
  'workflow send': {
    success: 'workflow-send/agent',
    refusal: 'workflow-send/only',
    retry: 'workflow-send/again',
  },
  'workflow peek': { success: 'workflow-peek/shows', refusal: 'workflow-peek/which' },
  'workflow stop': {
    success: 'workflow-stop/whole',
    refusal: 'workflow-stop/only',
    empty: 'workflow-stop/late',
    retry: 'workflow-stop/again',
  },
  'workflow check': { success: 'workflow-check/right', refusal: 'workflow-check/unreadable' },
}
