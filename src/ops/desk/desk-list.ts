import type { DeskItem } from '../../core/desk/desk-reads.ts'
import type { Instant } from '../../core/time.ts'
import { aList, aNumber, aRecord, aText, CURSOR, MORE, maybe, orNull } from '../kit/answer.ts'
import { byDefault, flag, id, int, name, self } from '../kit/field.ts'
import { OPERATORS, query } from '../kit/operation.ts'
import { readPage } from '../kit/page.ts'
import { personLooking } from '../pushes/push-view.ts'

const WHATS = ['push', 'notification', 'request', 'question', 'mail', 'work'] as const
type What = (typeof WHATS)[number]

/** A thread on a person's desk. */
export type DeskRow = {
  thread_id: string
  what: What
  title: string
  /** The one who began the thread. */
  from: string
  /** The one who wrote last. */
  latest_from: string
  preview: string
  at: Instant
  unread: number
  documents: number
  workspace_id: string
  workspace_label: string
  event_id: number
  imported_by?: string
}

export type DeskList = {
  rows: DeskRow[]
  has_more: boolean
  next_before: number | null
  /** How many threads on the desk have something unread. */
  unread: number
  next_event_id: number
}

export const deskList = query({
  name: 'desk list',
  summary: 'List everything that was delivered to a person, a row for each thread, newest first.',
  about:
    'Pushes, requests, questions and mail stand in one list; notifications have their own. What was put away is left out. Looking presents nothing.',
  fields: {
    agent: self('the person who looks', { leftOut: 'user' }),
    unread: flag('only threads with something unread'),
    notifications: flag('only notifications'),
    workspace: id('only pushes from this workspace'),
    from: name('only threads that this agent began'),
    before: int('only threads after this place in the list: next_before of the page before'),
    limit: byDefault(int('how many to list at most', { min: 1, max: 500 }), 50),
  },
  set: 'mailbox',
  callers: OPERATORS,
  refusals: ['invalid_input', 'forbidden'],
  async run(context, input): Promise<DeskList> {
    const { store } = context
    const { name: person } = personLooking(context, input.agent)
    const form = input.notifications ? 'notification' : 'other'
    const [next_event_id, { items, has_more }, unread] = await Promise.all([
      store.lastEventId(),
      readPage<DeskItem>(context, input.limit, (limit, last) =>
        store.desk({
          person,
          form,
          unreadOnly: input.unread,
          workspaceId: input.workspace,
          from: input.from,
          before: last?.event_id ?? input.before,
          limit,
        }),
      ),
      store.deskUnread(person, form),
    ])
    return {
      rows: items.map(viewRow),
      has_more,
      next_before: has_more ? (items.at(-1)?.event_id ?? null) : null,
      unread,
      next_event_id,
    }
  },
  answer: {
    rows: aList(
      aRecord<DeskRow>('row of a desk', 'a thread', {
        thread_id: aText('the thread: an entry, a request or mail'),
        what: aText(`${WHATS.slice(0, -1).join(', ')} or ${WHATS.at(-1)}`),
        title: aText('what it is about'),
        from: aText('who began it'),
        latest_from: aText('who wrote last'),
        preview: aText('the beginning of the latest message'),
        at: aText('when that came'),
        unread: aNumber('how many messages in it are unread'),
        documents: aNumber('how many documents it points at'),
        workspace_id: aText('the workspace of a push, or empty'),
        workspace_label: aText('what that was called, or empty'),
        event_id: aNumber('its place in the list'),
        imported_by: maybe(aText('who imported the latest message, if it came from a file')),
      }),
      'newest first',
    ),
    has_more: MORE,
    next_before: orNull(aNumber('the cursor for the next page: give it as before')),
    unread: aNumber('how many threads have something unread'),
    next_event_id: CURSOR,
  },
  lines: async (answer, page) => (await import('./drawing.ts')).drawDesk(answer, page),
})

function viewRow(item: DeskItem): DeskRow {
  const { thread_id, created_by, from_agent, preview, queued_at, unread, documents } = item
  const { workspace_id, workspace_label, event_id, imported_by } = item
  return {
    thread_id,
    what: whatOf(item),
    title: item.subject === '' ? item.summary : item.subject,
    from: created_by,
    latest_from: from_agent,
    preview: preview.startsWith(item.subject) ? preview.slice(item.subject.length).trim() : preview,
    at: queued_at,
    unread,
    documents,
    workspace_id: workspace_id ?? '',
    workspace_label: workspace_label ?? '',
    event_id,
    ...(imported_by === null ? {} : { imported_by }),
  }
}

function whatOf({ thread_kind, form, message_kind }: DeskItem): What {
  if (thread_kind === 'push') return form ?? 'push'
  if (thread_kind === 'request') return 'request'
  if (message_kind === 'question') return 'question'
  return thread_kind === 'mail' ? 'mail' : 'work'
}
