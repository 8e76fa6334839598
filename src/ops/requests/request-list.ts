import type { RequestCount, RequestItem } from '../../core/requests/request-reads.ts'
import { isResolved, REQUEST_STATUSES } from '../../core/requests/request-status.ts'
import type { Instant } from '../../core/time.ts'
import { seesEverything } from '../inbox/inbox.ts'
import { aList, aNumber, aRecord, aText, CURSOR, MORE, orNull } from '../kit/answer.ts'
import { byDefault, choice, flag, id, int, name, self, text } from '../kit/field.ts'
import { ANYONE, query } from '../kit/operation.ts'
import { readPage } from '../kit/page.ts'
import { REQUEST_VIEW, type RequestView, viewerOf, viewItem } from './request-view.ts'
import { settleForLook } from './settle.ts'

const TABS = ['pending', 'resolved', 'all'] as const

export type RequestList = {
  requests: RequestView[]
  has_more: boolean
  next_before: string | null
  pending: number
  resolved: number
  /** How many of each type are on the tab that was asked for. */
  types: { type: string; count: number }[]
  now: Instant
  next_event_id: number
}

export const requestList = query({
  name: 'request list',
  summary: 'List what people were asked, newest first.',
  about:
    'People, services and the orchestrator see every request, an agent its own. A request for which changes were asked is pending.',
  fields: {
    agent: self('the person or agent who looks', { leftOut: 'user' }),
    tab: byDefault(choice(TABS, 'which of them'), 'pending'),
    status: choice(REQUEST_STATUSES, 'only in this status, on whichever tab'),
    type: text('only of this type', { max: 64 }),
    title: text('only with this in the title; the case of a to z does not matter', { max: 200 }),
    from: name('only by this agent'),
    to: name('only those that this person was asked'),
    mine: flag('only those that you were asked by name, or that you made'),
    entity_type: text('only about this sort of thing', { max: 200 }),
    entity_id: text('only about this one', { max: 200 }),
    before: id('only requests after this one in the list'),
    limit: byDefault(int('how many to list at most', { min: 1, max: 500 }), 50),
  },
  set: 'requests',
  callers: ANYONE,
  refusals: ['invalid_input'],
  async run(context, input): Promise<RequestList> {
    const { store } = context
    const viewer = viewerOf(context, input.agent)
    await settleForLook(context)
    const seesAll = viewer.kind !== 'agent' || (await seesEverything(store, viewer))
    const isOwn = input.mine && viewer.kind === 'agent'
    const scope = {
      requester: seesAll && !isOwn ? input.from : viewer.name,
      recipient: input.mine && viewer.kind === 'person' ? viewer.name : input.to,
      entityType: input.entity_type,
      entityId: input.entity_id,
      title: input.title,
    }
    // An agent that asks for another's requests may see none of those.
    const isForeign = !seesAll && (input.from ?? viewer.name) !== viewer.name
    const { tab, status } = input
    const ofTab = tab === 'all' ? undefined : tab === 'resolved'
    const wanted = status === undefined ? ofTab : isResolved(status)
    const filter = { ...scope, isResolved: wanted, status, type: input.type }
    const [end, now, counts, { items, has_more }] = await Promise.all([
      store.lastEventId(),
      store.now(),
      isForeign ? [] : store.requestCounts(scope),
      isForeign
        ? { items: [], has_more: false }
        : readPage<RequestItem>(context, input.limit, (limit, last) =>
            store.requests({ ...filter, before: last?.thread_id ?? input.before, limit }),
          ),
    ])
    const counted = counts.filter(
      ({ request_type }) => (input.type ?? request_type) === request_type,
    )
    const onTab = counts.filter(
      ({ status }) => wanted === undefined || isResolved(status) === wanted,
    )
    return {
      requests: items.map((item) => viewItem(item, now)),
      has_more,
      next_before: has_more ? (items.at(-1)?.thread_id ?? null) : null,
      pending: total(counted.filter(({ status }) => !isResolved(status))),
      resolved: total(counted.filter(({ status }) => isResolved(status))),
      types: [...Map.groupBy(onTab, ({ request_type }) => request_type)]
        .map(([type, own]) => ({ type, count: total(own) }))
        .sort((a, b) => (a.type < b.type ? -1 : 1)),
      now,
      next_event_id: end,
    }
  },
  answer: {
    requests: aList(REQUEST_VIEW, 'newest first'),
    has_more: MORE,
    next_before: orNull(aText('the cursor for before, on the next page')),
    pending: aNumber('how many wait for somebody'),
    resolved: aNumber('how many are over'),
    types: aList(
      aRecord<{ type: string; count: number }>('type of requests', 'one type', {
        type: aText('its name'),
        count: aNumber('how many'),
      }),
      'how many there are of each type on this tab',
    ),
    now: aText("the store's time"),
    next_event_id: CURSOR,
  },
  lines: async (answer, page) => (await import('./drawing.ts')).drawRequests(answer, page),
})

function total(counts: readonly RequestCount[]): number {
  return counts.reduce((sum, { n }) => sum + n, 0)
}
