import { isPerson, USER } from '../../core/agents/agent.ts'
import { operation, refuse } from '../../core/error.ts'
import { isDecider } from '../../core/principal.ts'
import type { RequestCaller } from '../../core/requests/request.ts'
import { isOutdated, isOverdue } from '../../core/requests/request-expiry.ts'
import type { RequestItem } from '../../core/requests/request-reads.ts'
import { REQUESTS, type Request } from '../../core/requests/request-record.ts'
import type { Reads } from '../../core/store.ts'
import type { ThreadState } from '../../core/threads/evolve.ts'
import type { Instant } from '../../core/time.ts'
import { sees, type Viewer, viewerNamed } from '../inbox/visible-thread.ts'
import { aFlag, aList, aNumber, aRow, aText, orNull, pickShown } from '../kit/answer.ts'
import type { Context } from '../kit/operation.ts'

type Unshown =
  | ('thread_id' | 'request_type' | 'is_open' | 'is_editable')
  | ('revision_message' | 'decision_message' | 'held_message' | 'held_payload_sha256' | 'links')
  | 'lapses_at'

export type RequestView = Omit<Request, Unshown> & {
  request_id: string
  type: string
  title: string
  editable: boolean
  /** True if the deadline has passed without a decision, or something due hasn't been carried out yet. */
  overdue: boolean
}

export function viewRequest(request: Request, title: string, now: Instant): RequestView {
  const { thread_id: request_id, request_type: type, is_editable: editable } = request
  const overdue = isOverdue(request, now) || isOutdated(request, now)
  return { request_id, type, title, editable, overdue, ...pickShown(REQUEST_VIEW, request) }
}

export function viewItem(
  { title, imported_by: _, ...request }: RequestItem,
  now: Instant,
): RequestView {
  return viewRequest(request, title, now)
}

/** The identified caller, or else the name given, or else the owner. */
export function viewerOf({ caller }: Pick<Context, 'caller'>, given: string | undefined): Viewer {
  return caller.principal ?? viewerNamed(given ?? USER)
}

export type CallerAtDoor = Pick<Context, 'caller' | 'door' | 'origin'>

/**
 * The person or service that decides. Agents may never decide, whatever name they give. Neither may a shell inside an
 * agent's program, if its environment reveals that. Doors check `decides` operations; this also covers operations that
 * decide later.
 */
export function deciderOf(context: CallerAtDoor, given: string | undefined): RequestCaller {
  const { principal } = context.caller
  if (principal !== undefined && !isDecider(principal))
    throw refuse.forbidden`requests are decided by people, and what you have shown does not prove enough; use the shell, the store's socket or a token of yours`
  if (principal?.kind === 'service') return principal
  return { kind: 'person', name: personOf(context, given, 'requests are decided by people') }
}

/** The person who is calling. Agents, and shells inside an agent's program, are refused. */
export function personOf(context: CallerAtDoor, given: string | undefined, rule: string): string {
  const { principal } = context.caller
  const name = principal?.kind === 'person' ? principal.name : (given ?? USER)
  const inside = agentsProgram(context)
  if (isPerson(name) && inside === undefined) return name
  const who = inside === undefined ? `${name} is an agent` : `this shell belongs to ${inside}`
  throw refuse.forbidden`${rule}, and ${who}; ask a person to do it`
}

/** Whether this caller may decide requests, as far as its door knows. */
export function decidesHere(context: CallerAtDoor, viewer: Viewer): boolean {
  const { principal } = context.caller
  if (principal !== undefined) return isDecider(principal)
  return viewer.kind === 'person' && agentsProgram(context) === undefined
}

/** The agent program that this shell runs in, according to its environment. */
function agentsProgram({ door, origin }: CallerAtDoor): string | undefined {
  return door === 'cli' ? origin?.program : undefined
}

/** The request, if it exists and this viewer may see it. Otherwise it's refused as unknown. */
export async function visibleRequest(reads: Reads, id: string, viewer: Viewer): Promise<Request> {
  const [request, state] = await Promise.all([reads.rowOf(REQUESTS, id), reads.thread(id)])
  if (request !== null && state !== null && (await sees(reads, viewer, state.thread))) {
    return request
  }
  throw unknownRequest(id)
}

/** The thread, or null if it doesn't exist or this viewer may not see it. */
export async function seenThread(
  reads: Reads,
  viewer: Viewer,
  id: string,
): Promise<ThreadState | null> {
  const found = await reads.thread(id)
  return found !== null && (await sees(reads, viewer, found.thread)) ? found : null
}

export function unknownRequest(request_id: string) {
  return refuse.not_found`there is no request ${{ request_id }}; see ${operation('request list')}`
}

export const REQUEST_VIEW = aRow<RequestView>('request', 'a request', {
  request_id: aText('its id'),
  type: aText('the kind of request'),
  title: aText('its title'),
  status: aText('pending, approved, rejected, revision_requested, cancelled or expired'),
  revision: aNumber('its current revision'),
  requester: aText('who asks'),
  recipient: aText('the person asked; empty for all people'),
  entity_type: aText('what sort of thing it is about, or empty'),
  entity_id: aText('which one, or empty'),
  workspace_id: aText('the workspace it came from, or empty'),
  review_id: aText('for a workspace review, the name its agent gave it; otherwise empty'),
  risk: orNull(aText('low, medium, high or critical, if given')),
  policy: aText('who may decide: human_only, not_requester or named'),
  deciders: aList(aText('a person'), 'who may decide, if the policy names them'),
  editable: aFlag('whether the person who approves may change the payload'),
  expires_at: orNull(aText('the deadline for an answer')),
  overdue: aFlag('whether the deadline has passed and it is still open'),
  on_expiry: aText('what happens at the deadline: keep, reject, approve or escalate'),
  escalate_to: aText('the person it is escalated to; empty for all people'),
  escalated_at: orNull(aText('when it was escalated')),
  remind_at: orNull(aText('when the people who can decide are reminded')),
  payload_sha256: aText('the digest of the canonical payload'),
  created_at: aText('when it was made'),
  decided_by: orNull(aText('who decided')),
  decided_at: orNull(aText('when')),
  used_at: orNull(aText('when its approval was used')),
  used_by: orNull(aText('by whom')),
  held_move: orNull(aText('the held decision, which is not in effect yet')),
  held_by: orNull(aText('who made the held decision and can take it back')),
  held_until: orNull(aText('when it takes effect')),
})
