// The record of a request: what its thread has besides messages. Facts never contain text: a revision's title,
// description and payload are in a message, and so are the notes of a decision.
//
// request-order.ts defines which events can follow which, and what a log from outside must not contain.

import type { ThreadRecord, WithIds } from '../record.ts'
import {
  absentOr,
  choice,
  type FactsOf,
  FLAG,
  ID,
  ID_OR_EMPTY,
  INSTANT,
  int,
  listOf,
  NAME,
  NAME_OR_EMPTY,
  nullOr,
  PERSON,
  pick,
  RECIPIENT,
  type RowFrom,
  SHA256,
  text,
} from '../shape.ts'
import type { Instant } from '../time.ts'
import { admit, DIGESTED, mustFollow } from './request-order.ts'
import { DECISIONS, isResolved, REQUEST_STATUSES, type RequestStatus } from './request-status.ts'

export const REQUEST_POLICIES = ['human_only', 'not_requester', 'named'] as const
/**
 * A request that isn't decided in time stays open, expires, is approved by the system, or is passed on (once) to
 * another person.
 */
export const EXPIRIES = ['keep', 'reject', 'approve', 'escalate'] as const
export const RISKS = ['low', 'medium', 'high', 'critical'] as const
export type Risk = (typeof RISKS)[number]
export const LONGEST_TYPE = 64
export const LONGEST_ENTITY = 200
export const LONGEST_REVIEW = 200

/** A decision that the person who made it can still take back (request-hold.ts). All null if there is none. */
const HELD_FIELDS = {
  held_move: nullOr(choice(DECISIONS)),
  held_by: nullOr(NAME),
  held_until: nullOr(INSTANT),
  /** The message with the decision's notes. */
  held_message: nullOr(ID),
  /** The digest of what was decided. */
  held_payload_sha256: nullOr(SHA256),
}
export type HeldDecision = RowFrom<typeof HELD_FIELDS>
export const NOT_HELD = {
  held_move: null,
  held_by: null,
  held_until: null,
  held_message: null,
  held_payload_sha256: null,
}

const FIELDS = {
  thread_id: ID,
  request_type: text({ max: LONGEST_TYPE }),
  status: choice(REQUEST_STATUSES),
  is_open: FLAG,
  /** Counts from 1; each resubmission adds one. */
  revision: int({ min: 1 }),
  requester: NAME,
  /** The person who is asked; empty if the request is for all people. */
  recipient: NAME_OR_EMPTY,
  /** What the request is about, as the requester names it; empty if it has no name. */
  entity_type: text({ max: LONGEST_ENTITY, orEmpty: true }),
  entity_id: text({ max: LONGEST_ENTITY, orEmpty: true }),
  /** Empty if the request wasn't made from a workspace. */
  workspace_id: ID_OR_EMPTY,
  /** The name an agent gave its workspace review; empty for all other requests. */
  review_id: text({ max: LONGEST_REVIEW, orEmpty: true }),
  risk: nullOr(choice(RISKS)),
  policy: choice(REQUEST_POLICIES),
  /** The people who may decide, if the policy names them. */
  deciders: listOf(PERSON, 0),
  /** Whether an approver may change the payload. */
  is_editable: FLAG,
  expires_at: nullOr(INSTANT),
  on_expiry: choice(EXPIRIES),
  /** The person the request is escalated to; empty for all people. */
  escalate_to: NAME_OR_EMPTY,
  escalated_at: nullOr(INSTANT),
  /** When the request lapses: at `expires_at`, or null if it's kept then, was already escalated, or is over. */
  lapses_at: nullOr(INSTANT),
  /** When those who may decide are reminded; null if they already were, no reminder is wanted, or it is over. */
  remind_at: nullOr(INSTANT),
  /** The digest of the canonical text (core/json.ts) of the payload that is now requested or was decided. */
  payload_sha256: SHA256,
  revision_message: ID,
  created_at: INSTANT,
  decided_by: nullOr(NAME),
  decided_at: nullOr(INSTANT),
  /** The message that holds the notes of the latest decision. */
  decision_message: nullOr(ID),
  links: listOf(ID, 0),
  /** When the approval was used, and by whom; it can be used once. */
  used_at: nullOr(INSTANT),
  used_by: nullOr(NAME),
  ...HELD_FIELDS,
}
export type Request = RowFrom<typeof FIELDS>

const REVISION = pick(FIELDS, 'revision')
const SUBMISSION = {
  ...pick(FIELDS, 'revision', 'payload_sha256', 'revision_message'),
  recipients: listOf(RECIPIENT, 1),
}
/** Ends a request, or sends it back. The deliveries to everyone in `settles` end as well. */
const VERDICT = {
  ...REVISION,
  recipients: listOf(RECIPIENT, 0),
  settles: listOf(RECIPIENT, 0),
  decision_message: ID,
  /** Whether a service decided, rather than a person or agent of the same name. */
  by_service: absentOr(FLAG),
}
/** The link that was added or removed, and the resulting list of links. */
const LINK = { ...pick(FIELDS, 'links'), linked: ID }

const FACTS = {
  request_create: {
    ...SUBMISSION,
    ...pick(
      FIELDS,
      'request_type',
      'entity_type',
      'entity_id',
      'workspace_id',
      'review_id',
      'risk',
    ),
    ...pick(FIELDS, 'policy', 'deciders', 'is_editable', 'on_expiry', 'escalate_to', 'remind_at'),
    asked: NAME_OR_EMPTY,
    ends_at: nullOr(INSTANT),
  },
  request_resubmit: SUBMISSION,
  request_approve: { ...VERDICT, ...pick(FIELDS, 'payload_sha256') },
  request_reject: VERDICT,
  request_revise: VERDICT,
  request_cancel: VERDICT,
  request_expire: VERDICT,
  request_remind: { ...REVISION, recipients: listOf(RECIPIENT, 0) },
  request_escalate: {
    ...REVISION,
    /** The people who may decide from now on, if the policy names them. */
    ...pick(FIELDS, 'deciders'),
    recipients: listOf(RECIPIENT, 0),
    /** The person who is asked from now on; empty for all people. */
    asked: NAME_OR_EMPTY,
  },
  request_link: LINK,
  request_unlink: LINK,
  request_use: pick(FIELDS, 'revision', 'payload_sha256'),
  request_hold: {
    ...pick(FIELDS, 'revision', 'payload_sha256'),
    move: choice(DECISIONS),
    until: INSTANT,
    held_message: ID,
  },
  request_undo: REVISION,
}
export type RequestFacts = FactsOf<typeof FACTS>

export const REQUESTS: ThreadRecord<Request, RequestFacts> & WithIds<'request'> = {
  table: 'requests',
  one: 'request',
  prefix: 'req',
  kind: 'request',
  key: 'thread_id',
  fields: FIELDS,
  facts: FACTS,
  events: {
    request_create: {
      begins: 'request',
      says: ['question'],
      makes: ({ asked, ends_at, ...facts }, { agent, at, thread_id }) => ({
        ...facts,
        thread_id,
        recipient: asked,
        expires_at: ends_at,
        lapses_at: facts.on_expiry === 'keep' ? null : ends_at,
        status: 'pending',
        is_open: true,
        requester: agent,
        created_at: at,
        links: [],
      }),
    },
    request_resubmit: {
      says: ['question'],
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
      // The author is the system if no one decided and the request was to be approved in that case.
      by: 'anyone',
      says: ['answer'],
      changes: ({ payload_sha256, decision_message }, { agent, at }) => ({
        ...decide('approved', decision_message, agent, at),
        payload_sha256,
      }),
    },
    request_reject: {
      // Rejecting the review of an agent run tells the agent to stop.
      says: ['answer', 'control'],
      changes: ({ decision_message }, { agent, at }) =>
        decide('rejected', decision_message, agent, at),
    },
    request_revise: {
      says: ['answer'],
      changes: ({ decision_message }, { agent, at }) =>
        decide('revision_requested', decision_message, agent, at),
    },
    request_cancel: {
      says: ['answer'],
      changes: ({ decision_message }, { agent, at }) =>
        decide('cancelled', decision_message, agent, at),
    },
    request_expire: {
      by: 'system',
      says: ['answer'],
      changes: ({ decision_message }, { agent, at }) =>
        decide('expired', decision_message, agent, at),
    },
    request_remind: {
      by: 'system',
      says: ['question'],
      changes: () => ({ remind_at: null }),
    },
    request_escalate: {
      by: 'system',
      says: ['question'],
      // The people the request was escalated to were just notified and need no reminder.
      changes: ({ asked, deciders }, { at }) => ({
        recipient: asked,
        deciders,
        escalated_at: at,
        lapses_at: null,
        remind_at: null,
      }),
    },
    request_link: { changes: ({ links }) => ({ links }) },
    request_unlink: { changes: ({ links }) => ({ links }) },
    request_use: {
      move: 'note',
      by: 'anyone',
      changes: (_, { agent, at }) => ({ used_at: at, used_by: agent }),
    },
    request_hold: {
      // The notes are bookkeeping until the decision takes effect, so they aren't delivered.
      says: ['event'],
      changes: ({ move, until, payload_sha256, held_message }, { agent }) => ({
        held_move: move,
        held_by: agent,
        held_until: until,
        held_message,
        held_payload_sha256: payload_sha256,
      }),
    },
    request_undo: {
      by: 'anyone',
      changes: () => NOT_HELD,
    },
  },
  mustFollow,
  digested: DIGESTED,
  admit,
}

/** The fields that every decision changes. Once a request is resolved, nothing automatic is due anymore. */
function decide(status: RequestStatus, decision_message: string, by: string, at: Instant) {
  const decision = { status, decided_by: by, decided_at: at, decision_message, ...NOT_HELD }
  return isResolved(status)
    ? { ...decision, is_open: false, lapses_at: null, remind_at: null }
    : { ...decision, is_open: true }
}
