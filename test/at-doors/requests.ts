// Proofs at the doors for requests, agent runs and policies.

import type { OperationName } from '../../src/ops/catalogue.ts'
import { type AtDoors, FOR_PEOPLE, ONLY_WORDS, type OtherTest, STARTS } from './proof.ts'

const TYPED: OtherTest = {
  file: 'test/behaviours/requests/request.test.ts',
  title: 'request/types',
  why: 'the list is the same in every store and never empty',
}

export const REQUESTS_AT_DOORS = {
  'agent runs': { success: 'agent-run/listed', refusal: 'words/limits', empty: 'agent-run/sight' },
  'agent end-run': {
    success: 'agent-run/ended',
    refusal: 'agent-run/ended',
    retry: 'agent-run/key',
  },
  'agent policy': {
    success: 'policy/require',
    refusal: 'policy/bad-input',
    retry: 'policy/key',
  },
  'agent policies': {
    success: 'policy/require',
    refusal: ONLY_WORDS,
    empty: 'policy/people',
    http: { refusal: FOR_PEOPLE },
  },
  'request create': {
    success: 'request/created',
    refusal: 'request/bad-input',
    retry: 'request/key',
  },
  'request ask': {
    success: 'request/ask',
    refusal: 'request/ask-bad',
    empty: 'request/ask-timeout',
    retry: 'request/ask',
  },
  'request review': {
    success: 'agent-run/paused',
    refusal: 'agent-run/bad-input',
    retry: 'agent-run/key',
  },
  'request backfill': { success: 'agent-run/backfill', refusal: 'words/limits' },
  'request list': { success: 'request/list', refusal: 'words/limits' },
  'request types': { success: 'request/types', refusal: ONLY_WORDS, empty: TYPED },
  'request get': { success: 'request/changes', refusal: 'request/visible' },
  'request wait': {
    success: 'request/wait',
    refusal: 'request/visible',
    empty: 'request/wait-timeout',
  },
  'request effect': {
    success: 'request/effect-set',
    refusal: 'request/effect-refused',
    retry: 'request/effect-set',
  },
  'request effects': {
    success: 'request/effect-set',
    refusal: ONLY_WORDS,
    empty: 'request/effect-set',
    http: { refusal: FOR_PEOPLE },
  },
  'request retry': {
    success: 'request/effect-retry',
    refusal: 'request/effect-retry',
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
    success: 'request/verify',
    refusal: 'request/verify-no',
    retry: 'request/use',
  },
  approve: { success: 'request/approve', refusal: 'request/stale', retry: 'request/key' },
  reject: { success: 'request/reject', refusal: 'request/stale', retry: 'request/key' },
  'request-revision': {
    success: 'request/revise',
    refusal: 'request/stale',
    retry: 'request/key',
  },
  'undo-decision': {
    success: 'request/undo',
    refusal: 'request/held',
    retry: 'request/hold-key',
  },
  'request decide': {
    success: 'request/bulk',
    refusal: 'request/bulk-refused',
    retry: 'request/bulk-key',
  },
  resubmit: { success: 'request/revise', refusal: 'request/decided', retry: 'request/key' },
  'cancel-request': { success: 'request/cancel', refusal: 'request/decided', retry: 'request/key' },
  'request link': {
    success: 'request/link',
    refusal: 'request/link-refused',
    retry: 'request/key',
  },
  'request unlink': {
    success: 'request/link',
    refusal: 'request/link-refused',
    retry: 'request/key',
  },
  comment: { success: 'request/comment', refusal: 'request/visible', retry: 'request/key' },
} satisfies Partial<Record<OperationName, AtDoors>>
