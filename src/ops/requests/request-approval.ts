// Asking for approval as one call of the library: the request is made, and the call comes back once it is
// decided. What was asked stands in the store, so a program that starts again goes on with the same request: by the
// key that it gave, or by the request's id.

import type { RequestStatus } from '../../core/requests/request-status.ts'
import type { Warrant } from '../../core/requests/warrant.ts'
import type { AnswerNotes } from '../answer-notes.ts'
import type { RequestCreated } from './request-create.ts'
import type { AwaitedRequest } from './request-wait.ts'

/** The decision; or, when the wait was ended before, that there is none yet. No outcome is thrown. */
export type ApprovalOutcome = {
  request_id: string
  revision: number
  notes: string
  /** The answer to a question. */
  answer?: string
  values?: unknown
} & Pick<AnswerNotes, 'stop'> &
  (
    | {
        approved: true
        status: 'approved'
        /** Exactly what may be done. Whoever approved may have changed it, if the request allows that. */
        payload: unknown
        payload_sha256: string
        decided_by: string
        decided_at: string
        /** The proof of it, where it was approved in this store. */
        warrant?: Warrant
      }
    | { approved: false; status: Exclude<RequestStatus, 'approved'> }
  )

type ApprovalCalls = {
  create(): Promise<Pick<RequestCreated, 'request_id'>>
  wait(request: string): Promise<AwaitedRequest & AnswerNotes>
}

/** Without an id the request is made first. */
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
  // An approval without its message would be a fault of the store; then nothing is taken for approved.
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
