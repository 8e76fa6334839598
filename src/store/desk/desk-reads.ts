// A person's desk, read alike on both engines.

import type { DeskFilter, DeskItem, DeskLooks } from '../../core/desk/desk-reads.ts'
import { first, type Querier } from '../querier.ts'

export function makeDeskLooks(querier: Querier): DeskLooks {
  return {
    desk: ({ person, form, unreadOnly, workspaceId, from, before, limit }) =>
      querier.all<DeskItem>('desk_list', {
        ...{ recipient: person, before, limit, ...ofForm(form) },
        unread_only: unreadOnly ? 1 : undefined,
        workspace_id: workspaceId,
        from_agent: from,
      }),
    async deskUnread(person, form) {
      const row = await first(
        querier.all<{ n: number }>('desk_unread', { recipient: person, ...ofForm(form) }),
      )
      return row?.n ?? 0
    },
  }
}

function ofForm(form: DeskFilter['form']) {
  const isNotification = form === 'notification'
  return { notifications: isNotification ? 1 : undefined, others: isNotification ? undefined : 1 }
}
