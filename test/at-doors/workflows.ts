// Proofs at the doors for workflows: running them, and what their agents use.

import type { OperationName } from '../../src/ops/catalogue.ts'
import { type AtDoors, ONLY_WORDS, type OtherTest, STARTS } from './proof.ts'

const running = (title: string): OtherTest => ({
  file: 'test/behaviours/workflows/workflow-run.test.ts',
  title,
  why: STARTS,
})
const starting = (title: string): OtherTest => ({
  file: 'test/behaviours/workflows/workflow-start.test.ts',
  title,
  why: STARTS,
})

export const WORKFLOWS_AT_DOORS = {
  'workflow context send': {
    success: 'channel/send',
    refusal: 'channel/strangers',
    retry: 'channel/retry',
  },
  'workflow context read': {
    success: 'channel/read',
    refusal: 'channel/strangers',
    empty: 'channel/read',
  },
  'workflow context peek': { success: 'channel/peek', refusal: 'channel/strangers' },
  'workflow context inbox': {
    success: 'channel/inbox',
    refusal: 'channel/strangers',
    empty: 'channel/inbox',
  },
  'workflow context inbox-peek': {
    success: 'channel/peek',
    refusal: 'channel/strangers',
    empty: 'channel/peek',
  },
  'workflow context ack': {
    success: 'channel/ack',
    refusal: 'channel/strangers',
    retry: 'channel/retry',
  },
  'workflow context team': { success: 'channel/team', refusal: 'channel/strangers' },
  'workflow context no-action': { success: 'channel/no-action', refusal: 'channel/strangers' },
  'workflow context doc read': { success: 'document/read', refusal: 'document/strangers' },
  'workflow context doc write': {
    success: 'document/write',
    refusal: 'document/changed',
    retry: 'document/retry',
  },
  'workflow context doc append': {
    success: 'document/append',
    refusal: 'document/bad-path',
    retry: 'document/retry',
  },
  'workflow context doc list': { success: 'document/list', refusal: 'document/strangers' },
  'workflow context doc create': {
    success: 'document/create',
    refusal: 'document/create',
    retry: 'document/retry',
  },
  'workflow context doc delete': {
    success: 'document/delete',
    refusal: 'document/delete',
    retry: 'document/retry',
  },
  'workflow context doc history': {
    success: 'document/history',
    refusal: 'document/strangers',
  },
  'workflow channels': {
    success: 'channel-view/list',
    refusal: 'channel-view/refused',
    empty: 'channel-view/none',
  },
  'workflow channel': { success: 'channel-view/glance', refusal: 'channel-view/refused' },
  'workflow entries': {
    success: 'channel-view/entries',
    refusal: 'channel-view/refused',
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
} satisfies Partial<Record<OperationName, AtDoors>>
