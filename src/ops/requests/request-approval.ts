// Asks for approval in one library call: makes the request and returns once it's decided. The request is in the store,
// so a restarted program can pick it up again by its idempotency key or request id.

import type { RequestStatus } from '../../core/requests/request-status.ts'
import type { Warrant } from '../../core/requests/warrant.ts'
import type { AnswerNotes } from '../answer-notes.ts'
import type { RequestCreated } from './request-create.ts'
import type { AwaitedRequest } from './request-wait.ts'

/** The decision, or just the request's status if the wait ended first. Outcomes are never thrown. */
export type ApprovalOutcome = {
  request_id: string
  revision: number
  notes: string
  answer?: string
  values?: unknown
} & Pick<AnswerNotes, 'stop'> &
  (
    | {
        approved: true
        status: 'approved'
        /** Exactly what was approved. If the request is editable, this can differ from what was requested. */
        payload: unknown
        payload_sha256: string
        decided_by: string
        decided_at: string
        /** Proof of the approval, if it was given in this store. */
        warrant?: Warrant
      }
    | { approved: false; status: Exclude<RequestStatus, 'approved'> }
  )

type ApprovalCalls = {
  create(): Promise<Pick<RequestCreated, 'request_id'>>
  wait(request: string): Promise<AwaitedRequest & AnswerNotes>
}

/** Makes the request first, unless an id is given. */
export async function requestApproval(
  { create, wait }: ApprovalCalls,
  id: string | undefined,
): Promise<ApprovalOutcome> {
  const { request, decision, stop } = await wait(id ?? (await create()).request_id)
  const { request_id, status, revision, payload_sha256 } = request
  const said = {
    request_id,
    revision,
    notes: decision?.notes ?? '',
    ...(decision?.answer === undefined ? {} : { answer: decision.answer }),
    ...(decision?.values === undefined ? {} : { values: decision.values }),
    ...(stop === undefined ? {} : { stop }),
  }
  if (status !== 'approved') return { approved: false, status, ...said }
  // Can't happen in an intact store. In a damaged one, don't treat the request as approved.
  if (decision === null) throw new Error(`request ${request_id} is approved and has no decision`)
  const { payload, by: decided_by, at: decided_at, warrant } = decision
  const proof = warrant === undefined ? {} : { warrant }
  return {
    approved: true,
    status,
    ...said,
    payload,
    payload_sha256,
    decided_by,
    decided_at,
    ...proof,
  }
}
