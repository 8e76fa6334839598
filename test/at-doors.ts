// Which sentence stands for an operation at the doors: one where it succeeds, one where it refuses, one where
// there is nothing to answer with, and one where it is repeated under its key. All other sentences are proved
// through the library only, unless they are marked as a door's own (test/entry.ts).
//
// When such a sentence is proved at a door, the call it stands for must have been made there (world.ts).
// test/contract/matrix.test.ts fails when an operation lacks one at a door it is offered at.

import type { OperationName } from '../src/ops/catalogue.ts'
import type { BehaviourId } from './behaviours.ts'
import type { DoorName } from './entry.ts'
import type { Outcome } from './worlds/calls.ts'

/** A test outside the sentences that proves it at this door, and why no sentence does. */
export type OtherTest = { test: string; why: string }

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

const anywhere = (test: string, why: string, outcomes: Outcome[]): Proofs =>
  Object.fromEntries(outcomes.map((outcome) => [outcome, { test, why }]))

export const AT_DOORS: Record<OperationName, AtDoors> = {
  init: { success: 'init/repeatable', refusal: 'words/unknown' },

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
  status: { success: 'status/counts', refusal: 'words/unknown' },
  sweep: { success: 'sweep/pending', refusal: 'words/unknown', retry: 'key/sweep' },

  'mail send': {
    ...{ success: 'mail-send/defaults', refusal: 'mail-send/answer-work' },
    ...{ empty: 'mail-send/wait-nobody', retry: 'key/mail' },
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
  'mail receipts': {
    ...{ success: 'receipts/rights', refusal: 'receipts/rights', empty: 'receipts/nothing' },
  },

  doctor: { success: 'doctor/healthy', refusal: 'words/unknown' },
  backup: { success: 'backup/exists', refusal: 'backup/exists' },
  prune: { success: 'prune/old', refusal: 'words/unknown', retry: 'key/prune' },
  export: {
    ...{ success: 'export/after-event', refusal: 'words/unknown' },
    http: anywhere('test/server/operations.test.ts', STREAMS, ['success', 'refusal']),
  },
  import: {
    ...{ success: 'import/goes-on', refusal: 'import/bad-header' },
    http: anywhere('test/server/operations.test.ts', STREAMS, ['success', 'refusal']),
  },
  'mail export': {
    ...{ success: 'mailbox/shape', refusal: 'words/unknown' },
    http: anywhere('test/server/operations.test.ts', STREAMS, ['success', 'refusal']),
  },

  'agent register': { success: 'agent/self', refusal: 'agent/self', retry: 'key/agents' },
  'agent list': { success: 'agent/others', refusal: 'agent/others', empty: 'agent/others' },
  'agent status': { success: 'agent/off', refusal: 'agent/names', retry: 'key/agents' },
  'person add': { success: 'person/add', refusal: 'person/add', retry: 'key/agents' },

  push: {
    ...{ success: 'push/comments', refusal: 'push/nothing', retry: 'push/same-key' },
    mcp: anywhere('test/mcp/visits.test.ts', OF_WORKSPACE, ['success', 'refusal', 'retry']),
  },
  notify: {
    ...{ success: 'notify/deprecated', refusal: 'notify/deprecated', retry: 'push-handling/key' },
    mcp: anywhere('test/mcp/visits.test.ts', OF_WORKSPACE, ['success', 'refusal', 'retry']),
  },
  'push history': {
    ...{ success: 'push-history/agents', refusal: 'push-history/pages' },
    empty: 'push-history/agents',
    mcp: anywhere('test/mcp/visits.test.ts', OF_WORKSPACE, ['success', 'refusal', 'empty']),
  },
  'push show': {
    ...{ success: 'push-show/presents', refusal: 'push-history/agents' },
    mcp: anywhere('test/mcp/visits.test.ts', OF_WORKSPACE, ['success', 'refusal']),
  },
  'push read': {
    ...{ success: 'push-read/marks', refusal: 'push-handling/unknown', retry: 'push-handling/key' },
  },
  'push unread': {
    ...{ success: 'push-handling/key', refusal: 'words/unknown', retry: 'push-handling/key' },
  },
  'push trash': {
    ...{ success: 'push-trash/restore', refusal: 'push-handling/unknown' },
    retry: 'push-handling/key',
  },
  'push restore': {
    ...{ success: 'push-trash/restore', refusal: 'words/unknown', retry: 'push-handling/key' },
  },
  'push delete': {
    ...{ success: 'push-handling/key', refusal: 'push-handling/unknown' },
    retry: 'push-handling/key',
  },
  'push reply': {
    ...{ success: 'push-reply/delivered', refusal: 'push-handling/unknown' },
    retry: 'push-handling/key',
  },
  'push file': { success: 'push-file/text', refusal: 'push-file/absent' },
  'push watch': {
    ...{ success: 'push-watch/changes', refusal: 'words/unknown', empty: 'push-watch/timeout' },
  },
  'push resume': { success: 'push-resume/commands', refusal: 'push-resume/commands' },
  open: {
    ...anywhere('test/behaviours/pushes/push-reply.test.ts', STARTS, ['success']),
    refusal: 'words/unknown',
  },

  'wake explain': { success: 'wake/explain', refusal: 'wake/explain-unknown' },
  'wake log': { success: 'wake/log', refusal: 'words/unknown', empty: 'wake/log' },
  'wake run': {
    ...anywhere('test/behaviours/waking/wake.test.ts', STARTS, ['success']),
    refusal: 'words/unknown',
  },
  'wake exec': {
    ...anywhere('test/behaviours/waking/wake.test.ts', STARTS, ['success']),
    refusal: 'words/unknown',
  },
  'wake allow': {
    ...anywhere('test/program/allow.test.ts', STARTS, ['success']),
    refusal: 'words/unknown',
  },

  'sign-in': {
    ...{ success: 'sign-in/retry', refusal: 'sign-in/bad-input', retry: 'sign-in/retry' },
    // A server does not say whom it knows to one who may not ask.
    http: { refusal: 'words/unknown' },
  },
  'workspace add': {
    ...{ success: 'workspace/add', refusal: 'workspace/bad-input', retry: 'identity/key' },
  },
  'workspace list': {
    ...{ success: 'workspace/remove', refusal: 'words/unknown', empty: 'workspace/remove' },
  },
  'workspace rename': {
    ...{ success: 'workspace/rename', refusal: 'workspace/remove', retry: 'identity/key' },
  },
  'workspace remove': {
    ...{ success: 'workspace/remove', refusal: 'workspace/remove', retry: 'identity/key' },
  },
  'token issue': { success: 'token/scope', refusal: 'token/retry', retry: 'token/retry' },
  'token list': { success: 'token/list', refusal: 'words/unknown', empty: 'token/revoke' },
  'token revoke': { success: 'token/revoke', refusal: 'token/revoke', retry: 'identity/key' },

  hook: { success: 'hook/start', refusal: 'words/unknown' },
  install: {
    ...anywhere('test/program/install.test.ts', OTHER_FILES, ['success']),
    refusal: 'words/unknown',
  },
  uninstall: {
    ...anywhere('test/program/install.test.ts', OTHER_FILES, ['success']),
    refusal: 'words/unknown',
  },
  serve: {
    ...anywhere('test/server/operations.test.ts', LASTS, ['success']),
    refusal: 'words/unknown',
  },
  mcp: {
    ...anywhere('test/mcp/clients.test.ts', LASTS, ['success']),
    refusal: 'words/unknown',
  },
}
