// A warrant is the store's signature on an approval. It says that exactly this payload, of this revision, was approved
// by this person at this time.
//
// (1) The signature covers the canonical text (core/json.ts) of the six fields below, so anyone with that text and the
//     store's public key can check it.
// (2) A store vouches only for decisions made in it. A decision from an imported log has no warrant here.
// (3) A warrant is made from the request on demand. Its contents can never change, because an approved request doesn't
//     change.

import { field, operation, Refusal, refuse, type Sentence, sentence } from '../error.ts'
import type { ThreadEvent } from '../event.ts'
import { canonicalText, isObject, type Json } from '../json.ts'
import type { Note } from '../note.ts'
import { silentEvent } from '../threads/commands.ts'
import type { ThreadState } from '../threads/evolve.ts'
import type { Message } from '../threads/message.ts'
import type { Instant } from '../time.ts'
import type { Request } from './request-record.ts'

/**
 * The secret that warrants are signed with. Only the first one is kept: if two are made concurrently, one wins and both
 * callers sign with it.
 */
export const WARRANT_SEED: Note<{ value: string }> & { fixed: { name: string } } = {
  query: 'setting_put_new',
  fixed: { name: 'warrant_seed' },
}

export type WarrantFields = {
  request_id: string
  revision: number
  payload_sha256: string
  decision: 'approve'
  decided_by: string
  decided_at: Instant
}

export type Warrant = WarrantFields & {
  /** The public key of the store that signed it: 32 bytes in base64url. */
  key: string
  /** Ed25519: 64 bytes in base64url. */
  signature: string
}

/** The fields that are signed; null if the request isn't approved. */
export function warrantOf(request: Request): WarrantFields | null {
  const { thread_id, status, revision, payload_sha256, decided_by, decided_at } = request
  if (status !== 'approved' || decided_by === null || decided_at === null) return null
  return {
    request_id: thread_id,
    revision,
    payload_sha256,
    decision: 'approve',
    decided_by,
    decided_at,
  }
}

/** Whether a decision was made in this store, judging by its message. */
export function isDecidedHere(said: Pick<Message, 'imported_by'> | null): boolean {
  return said !== null && said.imported_by === null
}

export function signedText(warrant: WarrantFields): string {
  const { request_id, revision, payload_sha256, decision, decided_by, decided_at } = warrant
  return canonicalText({
    request_id,
    revision,
    payload_sha256,
    decision,
    decided_by,
    decided_at,
  })
}

const TEXTS = {
  request_id: /^[\w-]{1,128}$/,
  payload_sha256: /^[0-9a-f]{64}$/,
  decision: /^approve$/,
  decided_by: /^.{1,130}$/,
  decided_at: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
  key: /^[\w-]{43}$/,
  signature: /^[\w-]{86}$/,
} as const

/** Reads a submitted warrant. Whether it's genuine is checked elsewhere. */
export function readWarrant(given: Json): Warrant {
  const fault = faultOfWarrant(given)
  if (fault === null) return given as Warrant
  throw refuse.invalid_input`${field('warrant')} is not a warrant: ${fault}; give it as ${operation('request get')} shows it`
}

function faultOfWarrant(given: Json): string | null {
  if (!isObject(given)) return 'it is not an object'
  for (const [name, form] of Object.entries(TEXTS)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    if (typeof value !== 'string' || !form.test(value)) return `its ${name} is missing or wrong`
  }
  const { revision } = given
  const counts = typeof revision === 'number' && Number.isSafeInteger(revision) && revision > 0
  if (!counts) return 'its revision is missing or wrong'
  const strange = Object.keys(given).find(
    (name) => name !== 'revision' && !Object.hasOwn(TEXTS, name),
  )
  return strange === undefined ? null : `it holds ${JSON.stringify(strange.slice(0, 40))}`
}

export type NotCovered =
  | 'other_store'
  | 'tampered'
  | 'not_approved'
  | 'stale'
  | 'other_payload'
  | 'used'

/** An approval to verify, with what is known about it. */
export type Claim = {
  request: Request
  /** Whether the decision was made here rather than imported. */
  isOwn: boolean
  /** The digest of the payload the caller is about to act on. */
  payload_sha256: string
  /** The earlier revision that had this payload, if any. */
  earlier?: number | undefined
  warrant?: Warrant | undefined
  /** Whether to mark the approval as used. */
  isUse: boolean
}

/** Throws unless exactly this payload was approved and, with `isUse`, the approval hasn't been used yet. */
export function mustBeCovered(claim: Claim): WarrantFields {
  const { request, warrant, payload_sha256, earlier, isUse } = claim
  const { thread_id: id, status, revision, decided_by, decided_at, used_at, used_by } = request
  const approved = warrantOf(request)
  const no = (why: NotCovered, reason: Sentence) => notCovered(request, why, reason)
  if (approved === null) {
    const by = decided_by === null ? '' : `, by ${decided_by} at ${decided_at}`
    throw no('not_approved', sentence`request ${id} is ${status}${by}, and not approved`)
  }
  if (!claim.isOwn) {
    throw no(
      'other_store',
      sentence`request ${id} was decided in another store and imported; this store vouches only for what was decided in it`,
    )
  }
  if (warrant !== undefined && signedText(warrant) !== signedText(approved)) {
    throw no(
      'stale',
      sentence`the warrant is for revision ${warrant.revision} of request ${id}, as it was decided at ${warrant.decided_at}; the approval in effect is of revision ${revision}, decided at ${approved.decided_at}`,
    )
  }
  if (payload_sha256 !== approved.payload_sha256) {
    if (earlier !== undefined) {
      throw no(
        'stale',
        sentence`this ${field('payload')} belongs to revision ${earlier}; request ${id} was approved at revision ${revision}, with a different one`,
      )
    }
    throw no(
      'other_payload',
      sentence`this ${field('payload')} is not what was approved; see it with ${operation('request get', { request: id })}`,
    )
  }
  if (isUse && used_at !== null) {
    throw no(
      'used',
      sentence`request ${id} was used at ${used_at}, by ${used_by ?? 'nobody'}; an approval can be used once; ask again with ${operation('request create')}`,
    )
  }
  return approved
}

/** The refusal when verification fails, with a machine-readable reason. */
export function notCovered(
  { thread_id: request_id, ...standing }: Pick<Request, 'thread_id'> & Partial<Request>,
  why: NotCovered,
  reason: Sentence,
) {
  const { status, used_at, used_by } = standing
  return new Refusal('invalid_state', reason, { request_id, why, status, used_at, used_by })
}

/** Marks an approval as used. mustBeCovered checks that it wasn't used before. */
export function useApproval(
  { thread }: ThreadState,
  { revision, payload_sha256 }: WarrantFields,
  by: string,
  now: Instant,
): ThreadEvent {
  return silentEvent(thread, by, now, { type: 'request_use', revision, payload_sha256 })
}
