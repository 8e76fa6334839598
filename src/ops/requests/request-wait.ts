import { isPerson } from '../../core/agents/agent.ts'
import type { Request } from '../../core/requests/request-record.ts'
import { type AnswerOf, aText, CURSOR, INTERRUPTED, orNull, WOKE } from '../kit/answer.ts'
import { id, required, self } from '../kit/field.ts'
import { ANYONE, action } from '../kit/operation.ts'
import { WAIT_ARG } from '../kit/tool.ts'
import { describeWait, WAIT_FIELD, waitAs } from '../kit/waiting.ts'
import { applyDueBeforeLook, makeDueChore } from './due-decisions.ts'
import { payloadIn } from './payload.ts'
import { REQUEST_VIEW, viewerOf, viewRequest, visibleRequest } from './request-view.ts'
import { DECISION_VIEW, decisionOf, warrantBy } from './timeline.ts'

export const AWAITED = {
  woke: WOKE,
  request: REQUEST_VIEW,
  decision: orNull(DECISION_VIEW),
  interrupted: INTERRUPTED,
  now: aText("the store's time"),
  next_event_id: CURSOR,
}

export type AwaitedRequest = AnswerOf<typeof AWAITED>

export const requestWait = action({
  name: 'request wait',
  example: 'request wait r4t8zw --agent worker --timeout-seconds 1',
  summary: 'Block until a request is decided. Uses no CPU while it waits.',
  about:
    'Returns at once if the request is no longer pending: an early decision is not lost. Continue only if it is approved, with the payload of the decision. After revision_requested, change the request with resubmit and wait again.',
  fields: {
    agent: self('who is waiting', { leftOut: 'user' }),
    request: required(id('the request', { positional: true })),
    timeout_seconds: WAIT_FIELD,
  },
  writes: 'marks',
  set: 'requests',
  callers: ANYONE,
  blocks: true,
  refusals: ['invalid_input', 'not_found'],
  async run(context, input): Promise<AwaitedRequest> {
    const { store, bell, signal } = context
    const viewer = viewerOf(context, input.agent)
    let cursor = 0
    let seen: Request | undefined
    // Even a wait that's too short to run its chores has to apply what is due, as a read does.
    await applyDueBeforeLook(context, input.request)
    const look = async () => {
      // Read the end of the log first: the read that follows covers everything up to it.
      cursor = await store.lastEventId()
      seen = await visibleRequest(store, input.request, viewer)
      return seen.status === 'pending' ? null : seen
    }
    const wait = {
      bell,
      about: [input.request],
      look,
      lookout: store.lookout(),
      chores: [makeDueChore(context, () => seen)],
      timeoutMs: input.timeout_seconds * 1000,
      signal,
    }
    const waiter = viewer.kind === 'agent' && !isPerson(viewer.name) ? viewer.name : undefined
    const waited = await waitAs(context, waiter, wait, ({ decision_message }) => {
      if (waiter === undefined || decision_message === null) return
      context.later(async () => {
        const { readReply } = await import('../inbox/mark-messages.ts')
        await readReply(context, input.request, waiter, decision_message)
      })
    })
    const request = waited.outcome === 'found' ? waited.value : (seen as Request)
    const [now, shown, said, seed] = await Promise.all([
      store.now(),
      store.message(request.revision_message),
      request.decision_message === null || request.status === 'pending'
        ? null
        : store.message(request.decision_message),
      store.warrantSeed(),
    ])
    return {
      woke: waited.outcome === 'found',
      request: viewRequest(request, shown?.summary ?? '', now),
      decision: decisionOf(
        request,
        said,
        shown === null ? {} : payloadIn(shown.payload_json).payload,
        await warrantBy(seed, request, said),
      ),
      ...(waited.outcome === 'interrupted' ? { interrupted: true } : {}),
      now,
      next_event_id: cursor,
    }
  },
  nothing: ({ woke }) => !woke,
  takesLong: ({ request }, agent) => describeWait(`a decision on ${request}`, agent),
  answer: AWAITED,
  lines: async (answer, page) => (await import('./drawing.ts')).drawAwaited(answer, page),
  tool: {
    name: 'wait_request',
    does: 'Wait until a person has decided your request. Continue only if the status is approved, with decision.payload; after revision_requested change it with request_resubmit. Repeat until woke.',
    args: {
      request: { required: true, about: 'its id' },
      timeout_seconds: WAIT_ARG,
    },
    nothing: 'Not decided yet. Call again.',
  },
})
