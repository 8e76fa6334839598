// What the server answers about requests.

import type { Json } from '../../core/requests/json.ts'
import type { OperationAnswer, OperationInput } from '../../ops/typed-call.ts'

export type WholeRequest = OperationAnswer<'request get'>
export type RequestRow = OperationAnswer<'request list'>['requests'][number]
export type PayloadObject = { [key: string]: Json }

export type Verdict = 'approve' | 'reject' | 'request-revision'
export type VerdictParts = Partial<Pick<OperationInput<'approve'>, 'notes' | 'answer' | 'values'>>
