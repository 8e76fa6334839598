// The queries: requests to people and their decisions.

import type { GraphQLResolveInfo } from 'graphql'
import { quote, refuse } from '../../../core/error.ts'
import type { RequestAnswer } from '../../../ops/requests/request-get.ts'
import type { RequestList } from '../../../ops/requests/request-list.ts'
import type { GraphCall } from './calls.ts'
import { actionOf, entriesOf, type GraphItem, itemNamed, itemOf, looksUpItems } from './items.ts'
import { inSnakeCase, lower } from './scalars.ts'

/** The longest list whose items may each be looked up. */
const LOOKED_UP_ITEMS = 50
const LONGEST_LOG = 1000

/** The filters that have another name or case here. All others are only spelled differently. */
type ItemFilter = Record<string, unknown> & {
  tenantId?: string | null
  tab: string
  status?: string | null
  limit: number
}

type LogFilter = {
  tenantId?: string | null
  entityType: string
  entityId: string
  actorId?: string | null
  action?: string | null
  after?: string | null
  before?: string | null
  limit: number
}

type ItemPage = Omit<RequestList, 'requests'> & { items: GraphItem[] }

/** A tenant is a store, and a caller is known in only one store. */
export function mustBeOwn(tenantId: string | null | undefined, { tenant }: GraphCall): void {
  if (tenantId == null || tenantId === tenant) return
  throw refuse.not_found`there is no tenant ${quote(tenantId)}; leave tenantId out, or give what /api/me calls store`
}

async function pageOf(
  _: unknown,
  { tenantId, requesterId: from, recipientId: to, tab, status, limit, ...rest }: ItemFilter,
  call: GraphCall,
  info: GraphQLResolveInfo,
): Promise<ItemPage> {
  mustBeOwn(tenantId, call)
  if (limit > LOOKED_UP_ITEMS && looksUpItems(info))
    throw refuse.invalid_input`limit ${limit} is for what a list itself has: at most ${LOOKED_UP_ITEMS} items come with their config, description, notes, comments or activity`
  call.list(limit)
  const words = { tab: lower(tab), status: lower(status) }
  const raw = { ...inSnakeCase(rest), ...words, from, to, limit }
  const { requests, ...page } = await call.ask<RequestList>('request list', raw)
  return { ...page, items: requests.map((view) => itemOf(view, call)) }
}

export const QUERY_TYPES = {
  Query: {
    inboxItems: async (...asked: Parameters<typeof pageOf>) => (await pageOf(...asked)).items,
    inboxItemPage: pageOf,
    inboxItem(_: unknown, { tenantId, id }: { tenantId?: string; id: string }, call: GraphCall) {
      mustBeOwn(tenantId, call)
      return itemNamed(id, call)
    },
    async activityLog(_: unknown, filter: LogFilter, call: GraphCall) {
      mustBeOwn(filter.tenantId, call)
      const { entityType, entityId: request, actorId, action, after, before, limit } = filter
      if (entityType !== 'inbox_item')
        throw refuse.invalid_input`there is no log of ${quote(entityType)}; entityType is inbox_item, and entityId the id of one`
      if (limit < 1 || limit > LONGEST_LOG)
        throw refuse.invalid_input`limit ${limit} is out of range: 1 to ${LONGEST_LOG}`
      const answer = await call.ask<RequestAnswer>('request get', { request })
      return entriesOf(answer)
        .filter(
          (one) =>
            (actorId ?? one.actor) === one.actor &&
            (action ?? actionOf(one)) === actionOf(one) &&
            (after == null || one.at > after) &&
            (before == null || one.at < before),
        )
        .slice(-limit)
    },
  },
  InboxItemPage: {
    items: ({ items }: ItemPage) => items,
    hasMore: ({ has_more }: ItemPage) => has_more,
    nextBefore: ({ next_before }: ItemPage) => next_before,
    pending: ({ pending }: ItemPage) => pending,
    resolved: ({ resolved }: ItemPage) => resolved,
    types: ({ types }: ItemPage) => types,
  },
}
