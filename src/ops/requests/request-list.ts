import { field, refuse } from '../../core/error.ts'
import {
  MOST_COUNTED,
  type RequestCount,
  type RequestFilter,
  type RequestItem,
  type RequestSearch,
} from '../../core/requests/request-reads.ts'
import { REQUESTS, RISKS } from '../../core/requests/request-record.ts'
import { isResolved, REQUEST_STATUSES } from '../../core/requests/request-status.ts'
import type { Reads } from '../../core/store.ts'
import { seesEverything } from '../inbox/inbox.ts'
import {
  type AnswerOf,
  aFlag,
  aList,
  aNumber,
  aRecord,
  aText,
  CURSOR,
  MORE,
  orNull,
} from '../kit/answer.ts'
import { byDefault, choice, flag, id, int, name, self, text } from '../kit/field.ts'
import { ANYONE, action, type Context } from '../kit/operation.ts'
import { readPage, searchDown } from '../kit/page.ts'
import { applyDueBeforeLook } from './due-decisions.ts'
import { REQUEST_VIEW, viewerOf, viewItem } from './request-view.ts'

const TABS = ['pending', 'resolved', 'all'] as const

const REQUEST_LIST = {
  requests: aList(REQUEST_VIEW, 'newest first, or by expiry'),
  has_more: MORE,
  cut: aFlag('whether the search hit the limit of one call before the page was full'),
  next_before: orNull(aText('the cursor for the next page: pass it as before')),
  pending: aNumber('how many of the matching requests are pending'),
  resolved: aNumber('how many of them are resolved'),
  types: aList(
    aRecord('type of requests', 'one type', {
      type: aText('its name'),
      count: aNumber('how many'),
    }),
    'how many of each type are on this tab',
  ),
  counts_cut: aFlag(
    `a number of ${MOST_COUNTED} or more means at least that many, and there may be more types; with a search or a risk, that applies to every number`,
  ),
  now: aText("the store's time"),
  next_event_id: CURSOR,
}

export type RequestList = AnswerOf<typeof REQUEST_LIST>

export const requestList = action({
  name: 'request list',
  example: 'request list',
  summary: 'List requests, newest first.',
  about:
    'People, services and the orchestrator see every request, an agent only its own. A request waiting for changes counts as pending. A search by title or thread looks at a limited part of the list and sets cut if it stopped there; a command keeps going. While has_more is true, continue with --before and next_before, even if a page is empty.',
  fields: {
    agent: self('the person or agent looking', { leftOut: 'user' }),
    tab: byDefault(choice(TABS, 'which requests to list'), 'pending'),
    status: choice(REQUEST_STATUSES, 'only in this status, on any tab'),
    type: text('only of this type', { max: 64 }),
    risk: choice(RISKS, 'only those with this risk'),
    title: text('only with this text in the title; a to z match in either case', { max: 200 }),
    from: name('only by this agent'),
    to: name('only requests addressed to this person'),
    mine: flag('for a person: only requests addressed to them by name; for an agent: its own'),
    entity_type: text('only requests about this kind of thing', { max: 200 }),
    entity_id: text('only requests about the thing with this id', { max: 200 }),
    thread: id('only requests this thread is linked to'),
    soonest_first: flag('of pending requests: soonest expiry first, then oldest'),
    before: id('only requests after this one in the list'),
    limit: byDefault(int('how many to list at most', { min: 1, max: 500 }), 50),
  },
  // Listing carries out whatever is due on requests.
  writes: 'marks',
  set: 'requests',
  callers: ANYONE,
  refusals: ['invalid_input'],
  check({ entity_type, entity_id, soonest_first, tab, status }) {
    if (entity_id !== undefined && entity_type === undefined)
      throw refuse.invalid_input`${field('entity_id')} needs ${field('entity_type')}: say what sort of thing it is`
    if (soonest_first && (tab !== 'pending' || (status !== undefined && isResolved(status))))
      throw refuse.invalid_input`${field('soonest_first')} is for pending requests; the others no longer expire`
  },
  async run(context, input): Promise<RequestList> {
    const { store } = context
    const viewer = viewerOf(context, input.agent)
    await applyDueBeforeLook(context)
    const seesAll = viewer.kind !== 'agent' || (await seesEverything(store, viewer))
    const isOwn = input.mine && viewer.kind === 'agent'
    const scope = {
      requester: seesAll && !isOwn ? input.from : viewer.name,
      recipient: input.mine && viewer.kind === 'person' ? viewer.name : input.to,
      entityType: input.entity_type,
      entityId: input.entity_id,
    }
    // An agent that asks for another agent's requests gets an empty list.
    const isForeign = !seesAll && (input.from ?? viewer.name) !== viewer.name
    const { tab, status, type, risk, before, title, thread: linked } = input
    const ofTab = tab === 'all' ? undefined : tab === 'resolved'
    const wanted = status === undefined ? ofTab : isResolved(status)
    const soonestFirst = input.soonest_first
    const filter = { ...scope, isResolved: wanted, status, type, risk, soonestFirst, before }
    const isSearch = title !== undefined || linked !== undefined
    // Read the end of the log first: the reads that follow cover everything up to it.
    const [end, now] = await Promise.all([store.lastEventId(), store.now()])
    if (isForeign) return { ...NONE, now, next_event_id: end }
    await mustBeThere(store, input.before)
    const [{ counts, cut: counts_cut }, { items, next_before, cut }] = await Promise.all([
      store.requestCounts({ ...scope, risk, title, linked }),
      isSearch
        ? search(context, { ...filter, title, linked, looks: LOOKS }, input.limit)
        : pageOf(context, filter, input.limit),
    ])
    const counted = counts.filter(
      ({ request_type }) => (input.type ?? request_type) === request_type,
    )
    const onTab = counts.filter(({ isResolved }) => (wanted ?? isResolved) === isResolved)
    return {
      requests: items.map((item) => viewItem(item, now)),
      has_more: next_before !== null,
      cut,
      next_before,
      pending: total(counted.filter(({ isResolved }) => !isResolved)),
      resolved: total(counted.filter(({ isResolved }) => isResolved)),
      types: [...Map.groupBy(onTab, ({ request_type }) => request_type)]
        .map(([type, own]) => ({ type, count: total(own) }))
        .sort((a, b) => (a.type < b.type ? -1 : 1)),
      counts_cut,
      now,
      next_event_id: end,
    }
  },
  answer: REQUEST_LIST,
  lines: async (answer, page) => (await import('./drawing.ts')).drawRequests(answer, page),
})

const LOOKS = 400

const NONE = {
  requests: [],
  has_more: false,
  cut: false,
  next_before: null,
  pending: 0,
  resolved: 0,
  types: [],
  counts_cut: false,
}

async function pageOf(context: Context, filter: Omit<RequestFilter, 'limit'>, limit: number) {
  const { items, has_more } = await readPage<RequestItem>(context, limit, (count, last) =>
    context.store.requests({ ...filter, before: last?.thread_id ?? filter.before, limit: count }),
  )
  return { items, next_before: has_more ? (items.at(-1)?.thread_id ?? null) : null, cut: false }
}

function search(context: Context, filter: Omit<RequestSearch, 'limit'>, limit: number) {
  return searchDown<RequestItem, string>(context, limit, {
    from: filter.before,
    placeOf: ({ thread_id }) => thread_id,
    look: (before, count) => context.store.searchRequests({ ...filter, before, limit: count }),
  })
}

/** An unknown cursor is refused: an empty page would look like the end of the list. */
async function mustBeThere(store: Reads, before: string | undefined): Promise<void> {
  if (before === undefined || (await store.rowOf(REQUESTS, before)) !== null) return
  throw refuse.invalid_input`${field('before')} ${before} is not a request, or was pruned; leave it out to begin at the top`
}

function total(counts: readonly RequestCount[]): number {
  return counts.reduce((sum, { n }) => sum + n, 0)
}
