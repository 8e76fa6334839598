import type { PushItem } from '../../core/pushes/push-reads.ts'
import { PUSH_FORMS } from '../../core/pushes/push-record.ts'
import { pushesSeenBy } from '../inbox/visible-thread.ts'
import { type AnswerOf, aList, aNumber, aText, CURSOR, MORE, orNull } from '../kit/answer.ts'
import { byDefault, choice, flag, id, int, name, self } from '../kit/field.ts'
import { ANYONE, query } from '../kit/operation.ts'
import { readPage } from '../kit/page.ts'
import { ENTRY, viewEntries, viewerOf } from './push-view.ts'

const PUSH_HISTORY = {
  entries: aList(ENTRY, 'newest first'),
  has_more: MORE,
  next_before: orNull(aText('the cursor for the next page: pass it as before')),
  unread: aNumber('how many in the inbox are unread'),
  trashed: aNumber('how many are in the trash'),
  next_event_id: CURSOR,
}

export type PushHistory = AnswerOf<typeof PUSH_HISTORY>

export const pushHistory = query({
  name: 'push history',
  example: 'push history',
  summary: 'List what agents have pushed, newest first.',
  about:
    'People and the orchestrator see every push, an agent the pushes it made, and a token for a workspace the pushes from there. The count of unread pushes is the reader’s own. --trashed lists trashed pushes.',
  fields: {
    agent: self('the person or agent looking', { leftOut: 'user' }),
    workspace: id('only pushes from this workspace'),
    from: name('only pushes by this agent'),
    form: choice(PUSH_FORMS, 'only pushes, or only notifications'),
    unread: flag('only unread ones'),
    trashed: flag('only trashed ones'),
    before: id('only entries after this one in the list'),
    limit: byDefault(int('how many to list at most', { min: 1, max: 500 }), 100),
  },
  set: 'workspace',
  callers: ANYONE,
  refusals: ['invalid_input'],
  async run(context, input): Promise<PushHistory> {
    const { store } = context
    const viewer = viewerOf(context, input.agent)
    const { limit } = input
    const only = await pushesSeenBy(store, viewer.by)
    const { workspaceId = input.workspace, from = input.from } = only
    // If the caller asks for an agent or a workspace whose pushes it may not see, the list is empty.
    const isForeign =
      (input.from ?? from) !== from || (input.workspace ?? workspaceId) !== workspaceId
    const [end, { items, has_more }, unread, trashed] = await Promise.all([
      store.lastEventId(),
      isForeign
        ? { items: [], has_more: false }
        : readPage<PushItem>(context, limit, (count, last) =>
            store.pushes({
              reader: viewer.name,
              trashed: input.trashed ?? false,
              workspaceId,
              form: input.form,
              from,
              unreadOnly: input.unread,
              before: last?.thread_id ?? input.before,
              limit: count,
            }),
          ),
      store.unreadPushes(viewer.name, { ...only, form: input.form }),
      store.trashedPushes(only),
    ])
    const entries = await viewEntries(store, items, viewer)
    return {
      entries,
      has_more,
      next_before: has_more ? (entries.at(-1)?.entry_id ?? null) : null,
      unread,
      trashed,
      next_event_id: end,
    }
  },
  answer: PUSH_HISTORY,
  lines: async (answer, page) => (await import('./drawing.ts')).drawHistory(answer, page),
  tool: {
    name: 'inbox_read',
    does: 'See what was pushed from this workspace, newest first, before you push the same again; and whether there are replies.',
    args: {
      self: { field: 'from', isMe: true, about: 'only yours' },
      before: { about: 'next_before of the last page' },
      limit: { otherwise: 20, about: 'at most' },
    },
    nothing: 'Nothing was pushed from here yet.',
  },
})
