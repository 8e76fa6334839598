// What callers see of the records: the stored fields, with JSON columns as the values they hold.

import type { EventView, LoggedEvent } from '../../core/event.ts'
import { readStored } from '../../core/shallow.ts'
import type { Lease } from '../../core/threads/lease.ts'
import type { Artifact, Message } from '../../core/threads/message.ts'
import type { Instant } from '../../core/time.ts'
import { VOCABULARY, type WorkKind } from '../../core/vocabulary.ts'

export type ArtifactView = Omit<Artifact, 'metadata_json' | 'message_id'> & {
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

/** As the commands on threads show it: in their words, and what only mail has where it has it. */
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

/** The holder's own view: with the token that proves it. */
export type LeaseGrant = {
  agent: string
  lease_token: string
  generation: number
  expires_at: Instant
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

/** Anyone's view: who holds it and until when, without the token. */
export type LeaseView = Omit<LeaseGrant, 'lease_token'> & { live: boolean }

export function viewLease(lease: Lease | null, now: Instant): LeaseView | null {
  if (lease === null || lease.released_at !== null) return null
  return {
    agent: lease.agent_id,
    generation: lease.generation,
    expires_at: lease.expires_at,
    live: now < lease.expires_at,
  }
}

export function viewEvent({ payload_json: _, source: __, ...event }: LoggedEvent): EventView {
  return event
}
