// The records that answers are made of.

import type { EventView } from '../core/event.ts'
import type { Token } from '../core/identity/token.ts'
import type { Workspace } from '../core/identity/workspace.ts'
import type { Origin } from '../core/pushes/push.ts'
import type { Thread } from '../core/threads/thread.ts'
import type { AgentView } from './agents/agent-view.ts'
import type { TokenView } from './identity/token-view.ts'
import type { DocView } from './inbox/doc-view.ts'
import type { InboxMessage, MailMessage, Receipt } from './inbox/mail-view.ts'
import type { ArtifactView, LeaseGrant, LeaseView, MessageView } from './inbox/view.ts'
import { any, flag, type HoldsOf, list, maybe, number, orNull, record, text } from './kit/answer.ts'
import type { DocumentNow } from './pushes/push-document.ts'
import type { EntryView } from './pushes/push-view.ts'
import type { WakeView } from './waking/wake-log.ts'

export const CURSOR = number(
  'where the log stood: what comes later is after it (--after-event, --since)',
)
export const INTERRUPTED = maybe(flag('the wait was ended by a signal'))

const THREAD_HOLDS: HoldsOf<Thread> = {
  thread_id: text('its id'),
  run_id: text('the run it belongs to, or empty'),
  task_id: text('the task it belongs to, or empty'),
  subject: text('what it is about'),
  created_by: text('who made it'),
  assigned_to: text('whose it is to do, or role:NAME'),
  status: text('pending, claimed, in_progress, blocked, done, failed, cancelled; open or deleted'),
  priority: text('low, normal or high'),
  latest_message_id: text('its last message'),
  message_count: number('how many it has'),
  created_at: text('when it was made'),
  updated_at: text('when it last changed'),
  kind: text('work, mail or push'),
}

export const THREAD = record<Thread>('thread', 'the thread', THREAD_HOLDS)

const LEASE_HOLDS: HoldsOf<Omit<LeaseView, 'live'>> = {
  agent: text('who holds it'),
  generation: number('how often the thread was claimed'),
  expires_at: text('when it lapses unless it is renewed'),
}

export const GRANT = record<LeaseGrant>('own lease', 'your lease', {
  ...LEASE_HOLDS,
  lease_token: text('proves which lease is meant; pass it with every write'),
})

const LIVE = flag('whether it still holds')
export const LEASE = record<LeaseView>('lease', 'who holds it, without the token', {
  ...LEASE_HOLDS,
  live: LIVE,
})

export const FETCHED = record<Thread & { claimable: boolean; lease: LeaseView | null }>(
  'fetched thread',
  'a thread, and whether it can be claimed',
  {
    ...THREAD_HOLDS,
    claimable: flag('whether a claim would succeed now'),
    lease: orNull(LEASE),
  },
)

export const HELD = record<LeaseView & { thread: Thread }>('held thread', 'a lease', {
  ...LEASE_HOLDS,
  live: LIVE,
  thread: THREAD,
})

const ARTIFACT = record<ArtifactView>('artifact', 'a file it points at', {
  artifact_id: text('its id'),
  path: text('where it is'),
  kind: text('what it is, in a word'),
  metadata_json: any('what else was said of it'),
  created_at: text('when'),
})

export const MESSAGE = record<MessageView>('message', 'the message', {
  message_id: text('its id'),
  thread_id: text('its thread'),
  seq: number('its place in the thread, from 1'),
  from_agent: text('who wrote it'),
  to_agent: text('whom it is for'),
  kind: text('task, progress, question, answer, result, control or event'),
  summary: text('it in one line'),
  body: text('the rest of it'),
  payload_json: any('data for programs'),
  created_at: text('when it was written'),
  in_reply_to: maybe(text('the message it answers')),
  issue_id: maybe(text('the issue it is about')),
  agent_id: maybe(text('the agent it is about')),
  imported_by: maybe(text('who brought it in, of what came from a file')),
  artifacts: list(ARTIFACT, 'files it points at'),
})

const MAIL_HOLDS: HoldsOf<MailMessage> = {
  id: text("the message's id"),
  type: text('task-assigned, task-done, question, answer, cancel, status, custom, …'),
  from: text('agent:NAME, orchestrator, user, user:NAME or system'),
  to: text('the address as it was written'),
  subject: text('it in one line'),
  body: text('the message'),
  metadata: any('data that came with it'),
  issue_id: maybe(text('the issue it is about')),
  agent_id: maybe(text('the agent it is about')),
  in_reply_to: maybe(text('the message it answers')),
  thread_id: text('its thread'),
  created_at: text('when it was written'),
  imported_by: maybe(text('who brought it in, of what came from a file')),
}

export const MAIL = record<MailMessage>('mail', 'the message', MAIL_HOLDS)

const DOC = record<DocView>('pointer', 'a document it points at', {
  path: text('where it is in its workspace'),
  sha256: maybe(text('what it was when it was pushed')),
})

const PLACE = number('its place in the log')
export const LOGGED_MAIL = record<MailMessage & { event_id: number }>('past mail', 'a message', {
  ...MAIL_HOLDS,
  event_id: PLACE,
})

export const INBOX_MAIL = record<InboxMessage>('unread mail', 'a message in the inbox', {
  ...MAIL_HOLDS,
  read: flag('whether it was read'),
  state: text('queued, presented, read, acted, bounced or expired'),
  event_id: PLACE,
  entry: maybe(
    record<NonNullable<InboxMessage['entry']>>('pushed', 'of a push: what it points at', {
      entry_id: text("the push's id"),
      form: text('push or notification'),
      workspace_label: text('what its workspace is called, or empty'),
      docs: list(DOC, 'its documents'),
    }),
  ),
})

export const RECEIPT = record<Receipt>('receipt', 'how far it has come for one recipient', {
  recipient: text('for whom'),
  state: text('queued, presented, read, acted, bounced or expired'),
  queued_at: text('when it was put into the inbox'),
  presented_at: orNull(text('when its text went out')),
  presented_by: orNull(text('by which door')),
  read_at: orNull(text('when it was read')),
  read_by: orNull(text('by what that is known')),
  acted_at: orNull(text('when it was acted on')),
  acted_by: orNull(text('by what that is known')),
  ended_at: orNull(text('when it bounced or expired')),
  reason: orNull(text('why')),
  expires_at: orNull(text('until when it can be read')),
})

export const SENT_MAIL = record<MailMessage & { receipts: Receipt[] }>('sent mail', 'a message', {
  ...MAIL_HOLDS,
  receipts: list(RECEIPT, 'one for each recipient'),
})

export const EVENT = record<EventView>('event', 'what happened', {
  event_id: PLACE,
  run_id: text('the run, or empty'),
  task_id: text('the task, or empty'),
  thread_id: text('the thread, or empty'),
  event_type: text('what it was'),
  agent: text('who did it'),
  status: text('how it left the thread'),
  message_id: orNull(text('the message it brought')),
  summary: text('it in one line'),
  created_at: text('when'),
})

export const AGENT = record<AgentView>('agent', 'the agent', {
  agent_id: text('its name'),
  role: text('its role, or empty'),
  instance: text('the instance of a workflow it belongs to, or empty'),
  parent_agent_id: orNull(text('who started it')),
  paired_person: orNull(text('the person it works with')),
  source: text('where it came from'),
  declared_status: orNull(text('what was said of it: running, idle, dormant or off')),
  declared_at: orNull(text('when')),
  may_write_to_user: flag('whether it may write to people'),
  wake: any('how it is woken: command, cwd, types, every_seconds, cron, quiet, …'),
  registered_at: text('since when it is known'),
  updated_at: text('when that last changed'),
  status: text('running, idle, dormant or off, by evidence where there is some'),
  evidence: any('by what that is known, and when it was last seen, waits or holds a lease'),
  unread: number('how much mail it has not read'),
  said: any('its latest word on its progress, or null'),
})

const ORIGIN = record<Origin>('origin', 'which session it came from, as far as known', {
  backend: maybe(text('the program')),
  session: maybe(text('its session; for people')),
  folder: maybe(text('its folder; for people')),
  wake: maybe(text('the wake in whose turn it was made')),
})

export const ENTRY = record<EntryView>('entry', 'a push', {
  entry_id: text('its id'),
  ts: number('when, in milliseconds since 1970'),
  created_at: text('when'),
  workspace_id: text('where it came from, or empty'),
  workspace_label: text('what that is called'),
  workspace: text('present, gone or none'),
  agent: text('who pushed it'),
  form: text('push or notification'),
  subject: text('it in one line'),
  docs: list(DOC, 'what it points at'),
  comments: text('what it says'),
  origin: ORIGIN,
  unread: flag('whether the reader has not read it'),
  trashed_at: orNull(text('when it was put away')),
  replies: number('how much was said after it'),
  imported_by: maybe(text('who brought it in, of what came from a file')),
})

export const DOCUMENT_HOLDS: HoldsOf<DocumentNow> = {
  path: text('where it is in its workspace'),
  state: text('there, missing, gone, special, too_large, outside or unreadable'),
  changed: orNull(flag('whether it is other than when it was pushed')),
  size: orNull(number('in bytes')),
  modified_at: orNull(text('when it last changed')),
  sha256: orNull(text('what it is now')),
  pushed_sha256: orNull(text('what it was when it was pushed')),
  kind: orNull(text('text, image or binary')),
  media_type: orNull(text('its type')),
  language: orNull(text('the language it is probably in')),
}

export const DOCUMENT = record<DocumentNow>('document', 'a document as it is now', DOCUMENT_HOLDS)

export const WAKE = record<WakeView>('wake', 'one start of an agent', {
  wake_id: text('its id'),
  agent_id: text('whom it started'),
  state: text('starting, running, ended, failed or lost'),
  cause: text('mail or timer'),
  upto_event: number('mail up to this event was handed over'),
  attempt: number('counts up over failures in a row'),
  hops: number("how many wakes lie between it and a person's words"),
  started_at: text('when it began'),
  expires_at: text('until when it is believed to live'),
  ended_at: orNull(text('when it ended')),
  exit_code: orNull(number('of its program')),
  reason: text('why it failed, or empty'),
  stderr: text('the last it wrote to standard error'),
})

const TOKEN_HOLDS: HoldsOf<Token> = {
  token_id: text('its public id'),
  kind: text('token, session or code'),
  principal_kind: text('agent, person or service'),
  principal_name: text('who it is for'),
  workspace_id: orNull(text('the one workspace it may push from')),
  sets: list(text('a set'), 'the sets it is for; empty: all'),
  label: text('where it is used'),
  issued_by: text('who made it'),
  issued_at: text('when'),
  expires_at: orNull(text('when it ends by itself')),
  revoked_at: orNull(text('when it was ended')),
}

export const TOKEN = record<TokenView>('token', 'what is known of it', {
  ...TOKEN_HOLDS,
  state: text('good, expired, revoked, or unusable: it came with the log of another store'),
  last_used_at: orNull(text('to within ten minutes')),
})

export const WORKSPACE = record<Workspace>('workspace', 'the workspace', {
  workspace_id: text('its id'),
  label: text('what it is called'),
  path: text('the folder'),
  default_agent: text('who pushes from it, unless another is named'),
  added_at: text('when it was added'),
  updated_at: text('when it last changed'),
  removed_at: orNull(text('when it was removed')),
})

export const MORE = flag('whether there is more')
export const WOKE = flag('whether it came before the time was over')
