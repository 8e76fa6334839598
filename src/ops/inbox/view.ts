// Records as callers see them: the stored fields, with JSON columns parsed.

import type { EventView, LoggedEvent } from '../../core/event.ts'
import { readStored } from '../../core/shallow.ts'
import type { Lease } from '../../core/threads/lease.ts'
import type { Artifact, Message } from '../../core/threads/message.ts'
import type { Thread } from '../../core/threads/thread.ts'
import type { Instant } from '../../core/time.ts'
import { VOCABULARY, type WorkKind } from '../../core/vocabulary.ts'
import {
  type AnswerOf,
  type AnswerRecord,
  aFlag,
  aList,
  aNumber,
  anything,
  aRecord,
  aRow,
  aText,
  fieldsOf,
  maybe,
} from '../kit/answer.ts'

type ArtifactView = Omit<Artifact, 'metadata_json' | 'message_id'> & {
  metadata_json: unknown
}
type MailOnly = 'in_reply_to' | 'issue_id' | 'agent_id' | 'imported_by'
export type MessageView = Omit<
  Message,
  'kind' | 'payload_json' | 'artifacts' | 'hops' | MailOnly
> & {
  kind: WorkKind
  payload_json: unknown
  artifacts: ArtifactView[]
} & { [Field in MailOnly]?: string }

/** A message as the commands on threads show it: in their vocabulary, with mail's extra fields if it has them. */
export function viewMessage(message: Message): MessageView {
  const { in_reply_to, issue_id, agent_id, imported_by, hops: _, ...rest } = message
  return {
    ...rest,
    ...(in_reply_to === null ? {} : { in_reply_to }),
    ...(issue_id === null ? {} : { issue_id }),
    ...(agent_id === null ? {} : { agent_id }),
    ...(imported_by === null ? {} : { imported_by }),
    kind: VOCABULARY[message.kind].kind,
    payload_json: readStored(message.payload_json),
    artifacts: message.artifacts.map(({ message_id: _, ...artifact }) => ({
      ...artifact,
      metadata_json: readStored(artifact.metadata_json),
    })),
  }
}

export function grant(lease: Lease | null): LeaseGrant {
  if (lease === null) throw new Error('no lease to show')
  return {
    agent: lease.agent_id,
    lease_token: lease.lease_token,
    generation: lease.generation,
    expires_at: lease.expires_at,
  }
}

export function viewLease(lease: Lease | null, now: Instant): LeaseView | null {
  if (lease === null || lease.released_at !== null) return null
  return {
    agent: lease.agent_id,
    generation: lease.generation,
    claimed_at: lease.claimed_at,
    expires_at: lease.expires_at,
    live: now < lease.expires_at,
  }
}

export function viewEvent({ payload_json: _, source: __, ...event }: LoggedEvent): EventView {
  return event
}

export const THREAD_HOLDS = fieldsOf<Thread>({
  thread_id: aText('its id'),
  run_id: aText('the run it belongs to, or empty'),
  task_id: aText('the task it belongs to, or empty'),
  subject: aText('what it is about'),
  created_by: aText('who made it'),
  assigned_to: aText('the assignee, or role:NAME'),
  status: aText('pending, claimed, in_progress, blocked, done, failed, cancelled; open or deleted'),
  priority: aText('low, normal or high'),
  latest_message_id: aText('its last message'),
  message_count: aNumber('how many it has'),
  created_at: aText('when it was made'),
  updated_at: aText('when it last changed'),
  kind: aText('work, mail or push'),
})

export const THREAD = aRow<Thread>('thread', 'the thread', THREAD_HOLDS)

const GRANT_HOLDS = {
  agent: aText('the agent that holds it'),
  generation: aNumber('how often the thread was claimed'),
  expires_at: aText('when it lapses unless renewed'),
}

export const GRANT = aRecord('own lease', 'your lease', {
  ...GRANT_HOLDS,
  lease_token: aText('identifies the lease; pass it with every write'),
})

export type LeaseGrant = AnswerRecord<typeof GRANT>

export const LEASE_HOLDS = {
  ...GRANT_HOLDS,
  claimed_at: aText('when it was claimed'),
  live: aFlag('whether it is still live'),
}

export type LeaseView = AnswerOf<typeof LEASE_HOLDS>

export const LEASE = aRecord('lease', 'who holds it, without the token', LEASE_HOLDS)

const ARTIFACT = aRow<ArtifactView>('artifact', 'a file it points at', {
  artifact_id: aText('its id'),
  path: aText('its path'),
  kind: aText('the kind of file'),
  metadata_json: anything('data about it'),
  created_at: aText('when'),
})

export const MESSAGE = aRow<MessageView>('message', 'the message', {
  message_id: aText('its id'),
  thread_id: aText('its thread'),
  seq: aNumber('its place in the thread, from 1'),
  from_agent: aText('who wrote it'),
  to_agent: aText('who it is for'),
  kind: aText('task, progress, question, answer, result, control or event'),
  summary: aText('the message in one line'),
  body: aText('the full text'),
  payload_json: anything('data for programs'),
  created_at: aText('when it was written'),
  in_reply_to: maybe(aText('the message it answers')),
  issue_id: maybe(aText('the issue it is about')),
  agent_id: maybe(aText('the agent it is about')),
  imported_by: maybe(aText('who imported it, if it came from a file')),
  artifacts: aList(ARTIFACT, 'files it refers to'),
})

export function viewDoc({ path, metadata_json }: Pick<Artifact, 'path' | 'metadata_json'>) {
  const { sha256 } = readStored(metadata_json) as { sha256?: string }
  return { path, ...(sha256 === undefined ? {} : { sha256 }) }
}

export const DOC = aRecord('pointer', 'a document it points at', {
  path: aText('where it is in its workspace'),
  sha256: maybe(aText('its digest when it was pushed')),
})
