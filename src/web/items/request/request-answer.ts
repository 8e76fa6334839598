// The answers of the server about requests, and the parts of a decision.

import type { Json } from '../../../core/json.ts'
import type { CallInput, OperationAnswer } from '../../../ops/typed-call.ts'

export type WholeRequest = OperationAnswer<'request get'>
export type ListedRequest = OperationAnswer<'request list'>['requests'][number]
export type PayloadMembers = { [key: string]: Json }
/** A payload as its view gets it; a question that waits has its options where it is answered. */
export type PayloadView = { payload: PayloadMembers; isAnswerable: boolean }

export type DecisionName = 'approve' | 'reject' | 'request-revision'
export type VerdictParts = Partial<
  Pick<CallInput<'approve'>, 'notes' | 'answer' | 'values' | 'payload'>
>
export type DecisionWish = {
  verdict: DecisionName
  /** The one that the person has seen. */
  revision: number
  parts: VerdictParts
  /** Whether the same was sent before, and no answer came. */
  isAgain?: true
}
