import { field, refuse } from '../../core/error.ts'
import { AGENT_RUN_ENTITY } from '../../core/requests/agent-run-record.ts'
import { type Change, changesBetween } from '../../core/requests/changes.ts'
import { movesOpenTo } from '../../core/requests/request.ts'
import type { Request } from '../../core/requests/request-record.ts'
import type { Store } from '../../core/store.ts'
import type { Thread } from '../../core/threads/thread.ts'
import {
  type AnswerOf,
  aList,
  aNumber,
  anything,
  aRow,
  aText,
  CURSOR,
  maybe,
  orNull,
  pickShown,
} from '../kit/answer.ts'
import { id, int, required, self } from '../kit/field.ts'
import { RAW } from '../kit/for-doors.ts'
import { ANYONE, action } from '../kit/operation.ts'
import { AGENT_RUN, type AgentRunView, viewAgentRun } from './agent-runs.ts'
import { applyDueBeforeLook } from './due-decisions.ts'
import { EFFECT_VIEW, viewEffect } from './request-effects.ts'
import {
  decidesHere,
  REQUEST_VIEW,
  seenThread,
  viewerOf,
  viewRequest,
  visibleRequest,
} from './request-view.ts'
import {
  type ActivityView,
  comparable,
  DECISION_VIEW,
  decisionOf,
  type RevisionView,
  storyOf,
  warrantBy,
} from './timeline.ts'

const LINK = aRow<Pick<Thread, 'thread_id' | 'kind' | 'subject' | 'status'>>(
  'linked thread',
  'a thread that belongs to it',
  {
    thread_id: aText('its id'),
    kind: aText('work, mail, push or request'),
    subject: aText('its subject'),
    status: aText('its status'),
  },
)

const REQUEST_ANSWER = {
  request: REQUEST_VIEW,
  actions: aList(aText('a move'), 'what you can do with it now, besides commenting'),
  revisions: aList(
    aRow<RevisionView>('revision', 'one revision', {
      revision: aNumber('its number'),
      title: aText('its title'),
      description: aText('its description'),
      consequence: aText('what happens once it is approved'),
      payload: anything('exactly what is asked for'),
      payload_sha256: aText('the digest of the payload'),
      by: aText('who submitted it'),
      at: aText('when'),
    }),
    'every revision, oldest first',
  ),
  decision: orNull(DECISION_VIEW),
  agent_run: orNull(AGENT_RUN),
  changes: aList(
    aRow<Change>('change', 'one change', {
      path: aText('where'),
      before: maybe(anything('what was there')),
      after: maybe(anything('what is there')),
    }),
    'the changes between the latest two revisions, or the two given',
  ),
  activity: aList(
    aRow<ActivityView>('activity', 'something that happened', {
      event_id: aNumber('its event'),
      message_id: orNull(aText('its message')),
      at: aText('when'),
      actor: aText('who did it'),
      action: aText('the type of activity'),
      from: orNull(aText('the status before')),
      to: orNull(aText('the status after')),
      revision: aNumber('the revision at that time'),
      notes: aText('the notes or comment'),
      move: maybe(aText('the held decision, if any')),
    }),
    'oldest first',
  ),
  effect: orNull(EFFECT_VIEW),
  links: aList(LINK, 'the linked threads you can see'),
  now: aText("the store's time"),
  next_event_id: CURSOR,
}

export type RequestAnswer = AnswerOf<typeof REQUEST_ANSWER>

export const requestGet = action({
  name: 'request get',
  example: 'request get r4t8zw',
  summary: 'Show one request in full: every revision, change, comment and decision.',
  fields: {
    agent: self('the person or agent looking', { leftOut: 'user' }),
    request: required(id('the request', { positional: true })),
    from_revision: int('compare starting with this revision', { min: 1 }),
    to_revision: int('compare with this revision', { min: 1 }),
  },
  // Reading carries out whatever is due on the request.
  writes: 'marks',
  set: 'requests',
  callers: ANYONE,
  refusals: ['invalid_input', 'not_found'],
  async run(context, input): Promise<RequestAnswer> {
    const { store } = context
    const viewer = viewerOf(context, input.agent)
    await applyDueBeforeLook(context, input.request)
    const next_event_id = await store.lastEventId()
    const [request, log, now, seed] = await Promise.all([
      visibleRequest(store, input.request, viewer),
      store.requestLog(input.request),
      store.now(),
      store.warrantSeed(),
    ])
    const { revisions, activity } = storyOf(log)
    const seen = await Promise.all(request.links.map((one) => seenThread(store, viewer, one)))
    const decided =
      log.find((one) => one.message_id !== null && one.message_id === request.decision_message) ??
      null
    const warrant = await warrantBy(seed, request, decided)
    const last = revisions.length
    const at = (wanted: number) => {
      const found = revisions[wanted - 1]
      if (found !== undefined) return found
      throw refuse.invalid_input`${field('from_revision')} and ${field('to_revision')} go from 1 to ${last}; there is no revision ${wanted}`
    }
    const to = at(input.to_revision ?? last)
    const from = at(input.from_revision ?? Math.max(1, to.revision - 1))
    return {
      request: viewRequest(request, revisions.at(-1)?.title ?? '', now),
      actions: movesOpenTo(request, viewer, decidesHere(context, viewer)),
      revisions,
      decision: decisionOf(request, decided, revisions.at(-1)?.payload ?? {}, warrant),
      agent_run: await runOf(store, request),
      changes: changesBetween(comparable(from), comparable(to)),
      activity,
      effect: await viewEffect(context, request, { said: decided, now }),
      links: seen.flatMap((found) => (found === null ? [] : [pickShown(LINK, found.thread)])),
      now,
      next_event_id,
    }
  },
  answer: REQUEST_ANSWER,
  lines: async (answer, page) => (await import('./drawing.ts')).drawRequest(answer, page),
  shellFlags: [RAW],
  tool: {
    name: 'request_status',
    does: 'Show one of your requests: its status, revisions, notes and comments.',
    args: { request: { required: true, about: 'its id' } },
  },
})

async function runOf(
  store: Pick<Store, 'agentRuns'>,
  { entity_type, entity_id }: Request,
): Promise<AgentRunView | null> {
  if (entity_type !== AGENT_RUN_ENTITY) return null
  const [run] = await store.agentRuns({ agentRunId: entity_id, limit: 1 })
  return run === undefined ? null : viewAgentRun(run)
}
