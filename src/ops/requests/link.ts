// The threads that belong to a request: work, mail or pushes that show what it is about.

import { isTheirs, link } from '../../core/requests/request.ts'
import type { Reads } from '../../core/store.ts'
import type { ThreadState } from '../../core/threads/evolve.ts'
import { sees, type Viewer } from '../inbox/visible-thread.ts'
import { type AnswerOf, aFlag, aList, aText, CURSOR } from '../kit/answer.ts'
import { commit, unknownThread } from '../kit/commit.ts'
import { id, required, self } from '../kit/field.ts'
import type { Context } from '../kit/operation.ts'
import { lockRequest } from './due-decisions.ts'
import { unknownRequest, viewerOf } from './request-view.ts'

export const LINK_FIELDS = {
  agent: self('whoever asked, or a person', { leftOut: 'user' }),
  request: required(id('the request', { positional: true })),
  thread: required(id('the thread', { positional: true })),
}

export const LINKED = {
  request_id: aText('the request'),
  changed: aFlag('whether it was otherwise before'),
  links: aList(aText('a thread'), 'all that belong to it now'),
  next_event_id: CURSOR,
}

export type LinkAnswer = AnswerOf<typeof LINKED>

type LinkInput = {
  agent?: string | undefined
  request: string
  thread: string
  idempotency_key?: string | undefined
}

export async function setLink(
  context: Context,
  op: string,
  isLinked: boolean,
  input: LinkInput,
): Promise<LinkAnswer> {
  const { request: id, thread: linked } = input
  const viewer = viewerOf(context, input.agent)
  return commit(context, { op, agent: viewer.name, input }, async (tx) => {
    const { locked, request } = await lockRequest(tx, id)
    if (!isTheirs(request, viewer)) throw unknownRequest(id)
    // A link that is there may go, though its thread be pruned or out of sight.
    if (isLinked && (await seenThread(tx, viewer, linked)) === null) throw unknownThread(linked)
    const event = link(locked.state, request, { by: viewer.name, linked, isLinked }, locked.now)
    if (event !== null) tx.record(locked.state, event)
    const links = event === null ? request.links : linksIn(event.facts)
    return { request_id: id, changed: event !== null, links }
  })
}

function linksIn(facts: object): string[] {
  return 'links' in facts ? (facts.links as string[]) : []
}

/** The thread, if it exists and this viewer may see it. */
export async function seenThread(
  reads: Reads,
  viewer: Viewer,
  id: string,
): Promise<ThreadState | null> {
  const found = await reads.thread(id)
  return found !== null && (await sees(reads, viewer, found.thread)) ? found : null
}
