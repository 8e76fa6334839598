import { expect, test } from 'bun:test'
import type { EventType } from '../../core/event.ts'
import { TOOL_SETS, type ToolSet } from '../../core/principal.ts'
import { eventTypesFor, eventTypesHiddenFrom } from './event-types.ts'

/** The set whose tokens get each type of event; `none` means only tokens without limits get it. */
const SETS: Record<EventType, ToolSet | 'none'> = {
  thread_send: 'threads',
  thread_append: 'threads',
  thread_claim: 'threads',
  thread_renew: 'threads',
  thread_update: 'threads',
  thread_reply: 'threads',
  thread_done: 'threads',
  thread_fail: 'threads',
  thread_cancel: 'threads',
  thread_lapse: 'threads',
  thread_read: 'none',
  mail_send: 'mailbox',
  mail_append: 'mailbox',
  delivery_present: 'mailbox',
  delivery_read: 'mailbox',
  delivery_bounce: 'mailbox',
  delivery_expire: 'mailbox',
  delivery_take: 'mailbox',
  delivery_unread: 'mailbox',
  request_create: 'requests',
  request_resubmit: 'requests',
  request_approve: 'requests',
  request_reject: 'requests',
  request_revise: 'requests',
  request_cancel: 'requests',
  request_use: 'requests',
  request_hold: 'requests',
  request_undo: 'requests',
  request_remind: 'requests',
  request_escalate: 'requests',
  request_expire: 'requests',
  effect_queue: 'requests',
  effect_start: 'requests',
  effect_end: 'requests',
  effect_retry: 'requests',
  effect_set: 'none',
  effect_remove: 'none',
  request_comment: 'requests',
  request_link: 'requests',
  request_unlink: 'requests',
  channel_open: 'workflow',
  channel_say: 'workflow',
  channel_end: 'workflow',
  document_revise: 'workflow',
  document_forget: 'workflow',
  instance_start: 'none',
  instance_stop: 'none',
  instance_end: 'none',
  push_send: 'workspace',
  push_reply: 'workspace',
  push_trash: 'workspace',
  push_restore: 'workspace',
  push_delete: 'workspace',
  agent_register: 'none',
  agent_declare: 'none',
  person_add: 'none',
  person_set: 'none',
  person_views: 'none',
  requirement_add: 'none',
  requirement_remove: 'none',
  wake_start: 'none',
  wake_end: 'none',
  desk_snooze: 'none',
  desk_unsnooze: 'none',
  workspace_add: 'none',
  workspace_change: 'none',
  workspace_remove: 'none',
  token_issue: 'none',
  token_revoke: 'none',
  review_requested: 'none',
  review_backfilled: 'none',
  agent_run_resume: 'none',
  agent_run_cancel: 'none',
  agent_run_end: 'none',
}

test('a limited token gets only the events of its sets', () => {
  const all = Object.keys(SETS) as EventType[]
  const choices: ToolSet[][] = [[], ...TOOL_SETS.map((set) => [set]), ['mailbox', 'threads']]
  for (const sets of choices) {
    const expected = all.filter((type) => sets.some((set) => SETS[type] === set))
    expect(eventTypesFor({ sets })?.toSorted()).toEqual(expected.toSorted())
    expect([...expected, ...eventTypesHiddenFrom({ sets })].sort()).toEqual(all.toSorted())
  }
  expect(eventTypesFor({})).toBeUndefined()
  expect(eventTypesHiddenFrom({})).toEqual([])
})
