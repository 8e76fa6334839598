// The story of a request, read from the log: its revisions, what was decided about each, and what was said.

import type { Json } from '../../core/requests/json.ts'
import type { RequestLogItem } from '../../core/requests/request-reads.ts'
import type { RequestStatus } from '../../core/requests/request-status.ts'
import type { Instant } from '../../core/time.ts'
import { payloadIn } from './payload.ts'

export type RevisionView = {
  revision: number
  title: string
  description: string
  consequence: string
  payload: Json
  payload_sha256: string
  by: string
  at: Instant
}

export type ActivityView = {
  event_id: number
  at: Instant
  actor: string
  action: string
  /** Null where the status stayed as it was. */
  from: RequestStatus | null
  to: RequestStatus | null
  revision: number
  /** The notes of a decision, or the words of a comment. */
  notes: string
}

type Story = { revisions: RevisionView[]; activity: ActivityView[] }

const LEADS_TO: Record<string, RequestStatus> = {
  request_create: 'pending',
  request_resubmit: 'pending',
  request_approve: 'approved',
  request_reject: 'rejected',
  request_revise: 'revision_requested',
  request_cancel: 'cancelled',
}

export function storyOf(log: readonly RequestLogItem[]): Story {
  const revisions: RevisionView[] = []
  const activity: ActivityView[] = []
  let status: RequestStatus | null = null
  for (const item of log) {
    const { event_id, event_type, agent: actor, created_at: at } = item
    const to = LEADS_TO[event_type] ?? null
    const isSubmission = event_type === 'request_create' || event_type === 'request_resubmit'
    if (isSubmission) revisions.push(revisionOf(item, revisions.length + 1))
    activity.push({
      event_id,
      at,
      actor,
      action: event_type.replace('request_', ''),
      from: to === null ? null : status,
      to,
      revision: revisions.length,
      notes: isSubmission ? '' : item.body,
    })
    status = to ?? status
  }
  return { revisions, activity }
}

function revisionOf(item: RequestLogItem, revision: number): RevisionView {
  const { summary: title, body: description, agent: by, created_at: at } = item
  const { payload_sha256 } = JSON.parse(item.facts_json) as { payload_sha256: string }
  return { revision, title, description, ...payloadIn(item.payload_json), payload_sha256, by, at }
}
