// The history of a request, read from the log: its revisions, the decisions on each, and the comments.

import { Refusal } from '../../core/error.ts'
import type { EventType } from '../../core/event.ts'
import type { Json } from '../../core/json.ts'
import { lettersIn } from '../../core/page-bytes.ts'
import { changesBetween } from '../../core/requests/changes.ts'
import { MOVE_OF } from '../../core/requests/request-order.ts'
import type { RequestLogItem } from '../../core/requests/request-reads.ts'
import type { Request } from '../../core/requests/request-record.ts'
import {
  type Decision,
  type RequestMove,
  type RequestStatus,
  statusAfterMove,
} from '../../core/requests/request-status.ts'
import {
  isDecidedHere,
  signedText,
  WARRANT_SEED,
  type Warrant,
  warrantOf,
} from '../../core/requests/warrant.ts'
import { readStored } from '../../core/shallow.ts'
import type { Tx } from '../../core/store.ts'
import type { Message } from '../../core/threads/message.ts'
import type { Instant } from '../../core/time.ts'
import { type AnswerRecord, aNumber, anything, aRecord, aRow, aText, maybe } from '../kit/answer.ts'
import { keyPairOf, makeSeed } from '../kit/ed25519.ts'
import type { Context } from '../kit/operation.ts'
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
  /** Null for a link, which has no message. */
  message_id: string | null
  at: Instant
  actor: string
  action: string
  /** Null if the status didn't change. */
  from: RequestStatus | null
  to: RequestStatus | null
  revision: number
  notes: string
  move?: Decision
}

type Story = { revisions: RevisionView[]; activity: ActivityView[] }

/** The status after an event; null if the event doesn't change it. */
function statusAfterEvent(type: EventType, before: RequestStatus | null): RequestStatus | null {
  if (before === null) return 'pending'
  const move = (MOVE_OF as Partial<Record<EventType, RequestMove>>)[type]
  return (move && statusAfterMove(before, move)) ?? null
}

export function storyOf(log: readonly RequestLogItem[]): Story {
  const revisions: RevisionView[] = []
  const activity: ActivityView[] = []
  let status: RequestStatus | null = null
  for (const item of log) {
    const { event_id, message_id, event_type, agent: actor, created_at: at } = item
    const to = statusAfterEvent(event_type, status)
    const isSubmission = event_type === 'request_create' || event_type === 'request_resubmit'
    if (isSubmission) revisions.push(revisionOf(item, revisions.length + 1))
    activity.push({
      event_id,
      message_id,
      at,
      actor,
      action: event_type.replace('request_', ''),
      from: to === null ? null : status,
      to,
      revision: revisions.length,
      notes: isSubmission ? '' : item.body || linkedIn(item),
      ...(event_type === 'request_hold' ? { move: moveIn(item) } : {}),
    })
    status = to ?? status
  }
  return { revisions, activity }
}

/** The parts of a revision that are compared to find its changes. */
export function comparable({ title, description, payload }: RevisionView): Json {
  return { title, description, payload }
}

/** The thread that was linked or unlinked; empty for other events. */
function linkedIn({ facts_json }: RequestLogItem): string {
  const { linked = '' } = JSON.parse(facts_json) as { linked?: string }
  return linked
}

function moveIn({ facts_json }: RequestLogItem): Decision {
  return (JSON.parse(facts_json) as { move: Decision }).move
}

function revisionOf(item: RequestLogItem, revision: number): RevisionView {
  const { summary: title, body: description, agent: by, created_at: at } = item
  const { payload_sha256 } = JSON.parse(item.facts_json) as { payload_sha256: string }
  return { revision, title, description, ...payloadIn(item.payload_json), payload_sha256, by, at }
}

/** The decision in a message. `asked` is the payload decided on, unless the message names another. */
export function decisionOf(
  { status, decided_by, decided_at }: Request,
  said: Pick<Message, 'body' | 'payload_json'> | null,
  asked: Json,
  warrant?: Warrant,
): DecisionView | null {
  if (status === 'pending' || decided_by === null || decided_at === null || said === null)
    return null
  const { payload = asked, answer, values } = readStored(said.payload_json) as Partial<DecisionView>
  return {
    status,
    by: decided_by,
    at: decided_at,
    notes: said.body,
    payload,
    ...(answer === undefined ? {} : { answer }),
    ...(values === undefined ? {} : { values }),
    ...(warrant === undefined ? {} : { warrant }),
  }
}

const WARRANT_VIEW = aRow<Warrant>('warrant', 'the signed proof of an approval', {
  request_id: aText('the request'),
  revision: aNumber('the revision that was approved'),
  payload_sha256: aText('the digest of what was approved'),
  decision: aText('always approve: nothing else has a warrant'),
  decided_by: aText('by whom'),
  decided_at: aText('when'),
  key: aText('the public key of the store that signed it, in base64url'),
  signature: aText('Ed25519 over the canonical text of the fields before key, in base64url'),
})

export const DECISION_VIEW = aRecord('decision', 'the current decision', {
  status: aText<RequestStatus>('what was decided'),
  by: aText('by whom'),
  at: aText('when'),
  notes: aText('the notes'),
  payload: anything<Json>('the decided payload, or the one approved instead'),
  answer: maybe(aText('the answer to a question')),
  values: maybe(anything<Json>('the answer to a question with a form')),
  warrant: maybe(WARRANT_VIEW),
})

export type DecisionView = AnswerRecord<typeof DECISION_VIEW>

/** Creates the store's key along with its first approval, in the same transaction. */
export async function keepSeed(tx: Tx): Promise<void> {
  if ((await tx.warrantSeed()) === null) tx.keep(WARRANT_SEED, { value: makeSeed() })
}

/** Undefined unless the request was approved in this store. */
export async function warrantBy(
  seed: string | null,
  request: Request,
  said: Pick<Message, 'imported_by'> | null,
): Promise<Warrant | undefined> {
  const fields = warrantOf(request)
  if (fields === null || !isDecidedHere(said) || seed === null) return undefined
  const { publicKey: key, sign } = await keyPairOf(seed)
  return { ...fields, key, signature: await sign(signedText(fields)) }
}

/** If the changes are longer than this, a refusal leaves them out and says where to see them. */
const MOST_LETTERS = 65_536

/** Runs `work`. If it fails with revision_conflict, adds to the refusal what has changed since the named revision. */
export async function addChangesToConflict<T>(
  { store }: Pick<Context, 'store'>,
  { request, revision }: { request: string; revision: number },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'revision_conflict') throw error
    const { revisions } = storyOf(await store.requestLog(request))
    const [named, present] = [revisions[revision - 1], revisions.at(-1)]
    if (named === undefined || present === undefined) throw error
    const changes = changesBetween(comparable(named), comparable(present))
    if (lettersIn(changes) > MOST_LETTERS) throw error
    throw new Refusal(error.code, (words) => error.inWords(words), { ...error.details, changes })
  }
}
