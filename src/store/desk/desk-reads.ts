// A person's desk, read alike on both engines.

import type {
  DeskFilter,
  DeskItem,
  DeskLooks,
  DeskNeed,
  DeskSearch,
  FoundOnDesk,
} from '../../core/desk/desk-reads.ts'
import { first, type Querier } from '../querier.ts'
import { lowered } from '../threads/history-reads.ts'

export function makeDeskLooks(querier: Querier): DeskLooks {
  return {
    desk: (filter) => listed(querier, filter, {}),
    searchDesk: (search) => searchDesk(querier, search),
    async deskPlace(person, thread_id) {
      const params = { recipient: person, thread_id }
      const row = await first(querier.all<{ event_id: number | null }>('desk_place', params))
      return row?.event_id ?? null
    },
    async deskNeeds(person) {
      const rows = await querier.all<DeskNeed>('desk_needs', { recipient: person })
      return rows.sort(soonestFirst)
    },
    async deskUnread(person, form) {
      const row = await first(
        querier.all<{ n: number }>('desk_unread', { recipient: person, ...ofForm(form) }),
      )
      return row?.n ?? 0
    },
  }
}

async function listed(
  querier: Querier,
  filter: DeskFilter,
  more: { part?: string; after?: number | undefined },
): Promise<DeskItem[]> {
  const { person, form, unreadOnly, workspaceId, from, before, after, limit, threads } = filter
  if (threads?.length === 0) return []
  const isUp = after !== undefined
  const rows = await querier.all<DeskItem>('desk_list', {
    ...{ recipient: person, before, after, limit, threads, part: undefined, ...ofForm(form) },
    down: isUp ? undefined : 1,
    unread_only: unreadOnly ? 1 : undefined,
    workspace_id: workspaceId,
    from_agent: from,
    ...more,
  })
  return isUp ? rows.reverse() : rows
}

async function searchDesk(
  querier: Querier,
  { text, looks, ...filter }: DeskSearch,
): Promise<FoundOnDesk> {
  const { person: recipient, before, limit } = filter
  const params = { recipient, before, beyond: looks - 1 }
  const end = await first(querier.all<{ event_id: number }>('desk_bottom', params))
  const after = end === null ? undefined : end.event_id - 1
  const items = await listed(querier, filter, { part: lowered(text), after })
  const bottom = items.length < limit ? end?.event_id : items.at(-1)?.event_id
  return { items, bottom: bottom ?? null }
}

function soonestFirst(a: DeskNeed, b: DeskNeed): number {
  const [aEnd, bEnd] = [a.wanted_by ?? '9999', b.wanted_by ?? '9999']
  return aEnd < bEnd ? -1 : aEnd > bEnd ? 1 : a.event_id - b.event_id
}

function ofForm(form: DeskFilter['form']) {
  const isNotification = form === 'notification'
  return { notifications: isNotification ? 1 : undefined, others: isNotification ? undefined : 1 }
}
