import type { Json } from '../../../core/json.ts'
import type { CallInput, OperationAnswer } from '../../../ops/catalogue.ts'
import { queries } from '../../api/queries.ts'

export type WholeRequest = OperationAnswer<'request get'>
export type ListedRequest = OperationAnswer<'request list'>['requests'][number]
export type PayloadMembers = { [key: string]: Json }
/** A payload to display. If it's a question that can be answered, the answer form shows its options instead. */
export type PayloadView = { payload: PayloadMembers; isAnswerable: boolean }

export type DecisionName = 'approve' | 'reject' | 'request-revision'
export type VerdictParts = Partial<
  Pick<CallInput<'approve'>, 'notes' | 'answer' | 'values' | 'payload'>
>

/** The parts of a revision that people compare. */
export function partsOf({ title, description, payload }: WholeRequest['revisions'][number]) {
  return { title, description, payload }
}

/** Refetches the lists, and these requests if they're shown. Resolves once those requests have loaded. */
export async function refetch(...ids: string[]): Promise<void> {
  void queries.invalidateQueries({ queryKey: ['request list'] })
  const asked = ids.map((request) =>
    queries.invalidateQueries({ queryKey: ['request get', { request }] }),
  )
  await Promise.all(asked)
}
