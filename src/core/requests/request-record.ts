// The record of a request: what its thread has beside messages. No fact holds words. The title, the description and the
// payload of a revision are a message, and so are the notes of a decision.

import {
  choice,
  FLAG,
  ID,
  INSTANT,
  listOf,
  nullOr,
  PERSON,
  RECIPIENT,
  text,
} from '../fact-shape.ts'
import type { ThreadRecord } from '../record.ts'
import type { Instant } from '../time.ts'
import { EXPIRY_EVENTS, type ExpiryFacts } from './expiry-events.ts'
import { HOLD_EVENTS, type HoldFacts } from './hold-events.ts'
import { LINK_EVENTS, type LinkFacts } from './link-events.ts'
import { DIGESTED } from './request-digest.ts'
import { admit, mustFollow } from './request-order.ts'
import { decided, type EndFacts, NOT_HELD, REVISION, SHA256, VERDICT } from './request-shapes.ts'
import type { Decision, RequestStatus } from './request-status.ts'
import { USE_EVENTS, type UseFacts } from './use-events.ts'

export const REQUEST_POLICIES = ['human_only', 'not_requester', 'named'] as const
export type RequestPolicy = (typeof REQUEST_POLICIES)[number]
/**
 * Once nobody has decided in time: a request waits on, ends as expired, is approved by the system, or is put before
 * somebody else, once.
 */
export const EXPIRIES = ['keep', 'reject', 'approve', 'escalate'] as const
export type OnExpiry = (typeof EXPIRIES)[number]
export const RISKS = ['low', 'medium', 'high', 'critical'] as const
export type Risk = (typeof RISKS)[number]
export const LONGEST_TYPE = 64
export const LONGEST_ENTITY = 200
export const LONGEST_REVIEW = 200

export type Request = {
  thread_id: string
  request_type: string
  status: RequestStatus
  /** Whether somebody may still decide. */
  is_open: boolean
  /** Counts from 1; each time it is submitted again it grows by one. */
  revision: number
  requester: string
  /** The person who is asked; empty when it is for all people. */
  recipient: string
  /** The thing that the request is about, in the requester's words; empty when it has no name. */
  entity_type: string
  entity_id: string
  /** Empty when it came from no workspace. */
  workspace_id: string
  /** The name that an agent gave a workspace review; empty for every other request. */
  review_id: string
  risk: Risk | null
  policy: RequestPolicy
  /** The people who may decide, where the policy names them. */
  deciders: string[]
  /** Whether whoever approves may change the payload. */
  is_editable: boolean
  /** The moment by which an answer is wanted. */
  expires_at: Instant | null
  on_expiry: OnExpiry
  /** The person to whom it is escalated; empty for all people. */
  escalate_to: string
  escalated_at: Instant | null
  /** When time acts on it: when it expires, unless it is kept then, or was escalated already, or is over. */
  lapses_at: Instant | null
  /** When those who may decide are reminded; null once they were, if nobody is to be, or if it is over. */
  remind_at: Instant | null
  /** The digest of the canonical text of the payload (core/json.ts): of what is asked for now, or was decided. */
  payload_sha256: string
  /** The message that holds the present revision. */
  revision_message: string
  created_at: Instant
  decided_by: string | null
  decided_at: Instant | null
  /** The message that holds the notes of the latest decision. */
  decision_message: string | null
  /** The threads that belong to it. */
  links: string[]
  /** When the approval was used, by whom: it counts once. */
  used_at: Instant | null
  used_by: string | null
} & HeldDecision

/** A decision that whoever made it may still take back (request-hold.ts). All of it is null while there is none. */
export type HeldDecision = {
  held_move: Decision | null
  held_by: string | null
  held_until: Instant | null
  /** The message that holds its notes. */
  held_message: string | null
  /** The digest of what is decided on. */
  held_payload_sha256: string | null
}

type Submission = {
  recipients: string[]
  revision: number
  payload_sha256: string
  revision_message: string
}

export type RequestFacts =
  | ({ type: 'request_create' } & Submission &
      Pick<
        Request,
        | 'request_type'
        | 'entity_type'
        | 'entity_id'
        | 'workspace_id'
        | 'review_id'
        | 'risk'
        | 'policy'
        | 'deciders'
        | 'is_editable'
        | 'on_expiry'
        | 'escalate_to'
        | 'remind_at'
      > & { asked: string; ends_at: Instant | null })
  | ({ type: 'request_resubmit' } & Submission)
  | ({ type: 'request_approve'; payload_sha256: string } & EndFacts)
  | ({ type: 'request_reject' } & EndFacts)
  | ({ type: 'request_revise' } & EndFacts)
  | ({ type: 'request_cancel' } & EndFacts)
  | LinkFacts
  | UseFacts
  | HoldFacts
  | ExpiryFacts

const SUBMISSION = {
  recipients: listOf(RECIPIENT, 1),
  revision: REVISION,
  payload_sha256: SHA256,
  revision_message: ID,
}

export const REQUESTS: ThreadRecord<Request, RequestFacts> & { one: 'request'; prefix: string } = {
  table: 'requests',
  one: 'request',
  prefix: 'req',
  kind: 'request',
  key: 'thread_id',
  columns: {
    thread_id: 'plain',
    request_type: 'plain',
    status: 'plain',
    is_open: 'flag',
    revision: 'plain',
    requester: 'plain',
    recipient: 'plain',
    entity_type: 'plain',
    entity_id: 'plain',
    workspace_id: 'plain',
    review_id: 'plain',
    risk: 'plain',
    policy: 'plain',
    deciders: 'words',
    is_editable: 'flag',
    expires_at: 'plain',
    on_expiry: 'plain',
    escalate_to: 'plain',
    escalated_at: 'plain',
    lapses_at: 'plain',
    remind_at: 'plain',
    payload_sha256: 'plain',
    revision_message: 'plain',
    created_at: 'plain',
    decided_by: 'plain',
    decided_at: 'plain',
    decision_message: 'plain',
    links: 'words',
    used_at: 'plain',
    used_by: 'plain',
    held_move: 'plain',
    held_by: 'plain',
    held_until: 'plain',
    held_message: 'plain',
    held_payload_sha256: 'plain',
  },
  events: {
    request_create: {
      begins: 'request',
      says: ['question'],
      facts: {
        ...SUBMISSION,
        request_type: text({ max: LONGEST_TYPE }),
        asked: { is: 'name', orEmpty: true },
        entity_type: text({ max: LONGEST_ENTITY, orEmpty: true }),
        entity_id: text({ max: LONGEST_ENTITY, orEmpty: true }),
        workspace_id: { is: 'id', orEmpty: true },
        review_id: text({ max: LONGEST_REVIEW, orEmpty: true }),
        risk: nullOr(choice(RISKS)),
        policy: choice(REQUEST_POLICIES),
        deciders: listOf(PERSON, 0),
        is_editable: FLAG,
        ends_at: nullOr(INSTANT),
        on_expiry: choice(EXPIRIES),
        escalate_to: { is: 'name', orEmpty: true },
        remind_at: nullOr(INSTANT),
      },
      makes: (
        { type: _, recipients: __, asked, ends_at, ...fields },
        { agent, at, thread_id },
      ) => ({
        ...fields,
        thread_id,
        recipient: asked,
        expires_at: ends_at,
        escalated_at: null,
        lapses_at: fields.on_expiry === 'keep' ? null : ends_at,
        status: 'pending',
        is_open: true,
        requester: agent,
        created_at: at,
        decided_by: null,
        decided_at: null,
        decision_message: null,
        links: [],
        used_at: null,
        used_by: null,
        ...NOT_HELD,
      }),
    },
    request_resubmit: {
      says: ['question'],
      facts: SUBMISSION,
      changes: ({ revision, payload_sha256, revision_message }) => ({
        status: 'pending',
        is_open: true,
        revision,
        payload_sha256,
        revision_message,
        decided_by: null,
        decided_at: null,
      }),
    },
    request_approve: {
      // The system approves what was made to be approved when nobody decides.
      by: 'anyone',
      says: ['answer'],
      facts: { ...VERDICT, payload_sha256: SHA256 },
      changes: ({ payload_sha256, decision_message }, { agent, at }) => ({
        ...decided('approved', decision_message, agent, at),
        payload_sha256,
      }),
    },
    request_reject: {
      // The rejection of an agent run's review is a word to stop.
      says: ['answer', 'control'],
      facts: VERDICT,
      changes: ({ decision_message }, { agent, at }) =>
        decided('rejected', decision_message, agent, at),
    },
    request_revise: {
      says: ['answer'],
      facts: VERDICT,
      changes: ({ decision_message }, { agent, at }) =>
        decided('revision_requested', decision_message, agent, at),
    },
    request_cancel: {
      says: ['answer'],
      facts: VERDICT,
      changes: ({ decision_message }, { agent, at }) =>
        decided('cancelled', decision_message, agent, at),
    },
    ...LINK_EVENTS,
    ...USE_EVENTS,
    ...HOLD_EVENTS,
    ...EXPIRY_EVENTS,
  },
  mustFollow,
  digested: DIGESTED,
  admit,
}
