import { isTheirs, link } from '../../core/requests/request.ts'
import { type AnswerOf, aFlag, aList, aText, CURSOR } from '../kit/answer.ts'
import { commit, unknownThread } from '../kit/commit.ts'
import { type Input, id, required, self } from '../kit/field.ts'
import { ANYONE, type Context, mutation, type WithKey } from '../kit/operation.ts'
import { lockRequest } from './due-decisions.ts'
import { seenThread, unknownRequest, viewerOf } from './request-view.ts'

const LINK_FIELDS = {
  agent: self('the requester, or a person', { leftOut: 'user' }),
  request: required(id('the request', { positional: true })),
  thread: required(id('the thread', { positional: true })),
}

const LINKED = {
  request_id: aText('the request'),
  changed: aFlag('whether this changed anything'),
  links: aList(aText('a thread'), 'all threads linked to it now'),
  next_event_id: CURSOR,
}

export type LinkAnswer = AnswerOf<typeof LINKED>

export const LINKING = {
  fields: LINK_FIELDS,
  set: 'requests',
  callers: ANYONE,
  answer: LINKED,
  lines: ({ request_id, links }: LinkAnswer) =>
    `${request_id} is linked to ${links.join(', ') || 'no thread'}\n`,
} as const

export const requestLink = mutation({
  name: 'request link',
  example: 'request link r4t8zw k3f9p2',
  summary: 'Link a thread to a request.',
  about: 'request get shows the thread with its subject and status to anyone who can see it.',
  ...LINKING,
  refusals: ['invalid_input', 'invalid_state', 'not_found', 'forbidden'],
  run: (context, input) => setLink(context, 'request link', true, input),
})

export async function setLink(
  context: Context,
  op: string,
  isLinked: boolean,
  input: Input<WithKey<typeof LINK_FIELDS>>,
): Promise<LinkAnswer> {
  const { request: id, thread: linked } = input
  const viewer = viewerOf(context, input.agent)
  return commit(context, { op, agent: viewer.name, input }, async (tx) => {
    const { locked, request } = await lockRequest(tx, id)
    if (!isTheirs(request, viewer)) throw unknownRequest(id)
    // Unlinking works even if the thread was pruned or the caller can't see it.
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
