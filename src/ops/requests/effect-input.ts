import type { Request } from '../../core/requests/request-record.ts'
import type { Store } from '../../core/store.ts'
import { payloadIn } from './payload.ts'
import { decisionOf } from './timeline.ts'
import { warrantBy } from './warrant-view.ts'

/** Everything that the program of an effect gets on its standard input, as one line of JSON. */
export async function effectInput(store: Store, request: Request): Promise<string> {
  const { thread_id: request_id, request_type: type, revision, requester } = request
  const [shown, said, seed] = await Promise.all([
    store.message(request.revision_message),
    request.decision_message === null ? null : store.message(request.decision_message),
    store.warrantSeed(),
  ])
  const asked = shown === null ? {} : payloadIn(shown.payload_json).payload
  const decision = decisionOf(request, said, asked, await warrantBy(seed, request, said))
  if (decision?.warrant === undefined) throw new Error('it was not approved here')
  const { payload, warrant, answer, values, notes } = decision
  const head = { request_id, type, revision, requester, title: shown?.summary ?? '' }
  return `${JSON.stringify({ ...head, payload, answer, values, notes, warrant })}\n`
}
