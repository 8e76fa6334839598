import type { DeskItem } from '../../core/desk/desk-reads.ts'
import { field, refuse } from '../../core/error.ts'
import {
  type AnswerOf,
  type AnswerRecord,
  aFlag,
  aList,
  aNumber,
  aRecord,
  aText,
  CURSOR,
  MORE,
  maybe,
  orNull,
} from '../kit/answer.ts'
import { byDefault, flag, type Input, id, int, name, self, text } from '../kit/field.ts'
import { OPERATORS, query } from '../kit/operation.ts'
import { personLooking } from '../pushes/push-view.ts'
import { type DeskScope, readDesk, readNeeds, searchDesk } from './desk-page.ts'

const WHATS = ['push', 'notification', 'request', 'question', 'mail', 'work'] as const
type What = (typeof WHATS)[number]

const DESK_ROW = aRecord('row of a desk', 'a thread', {
  thread_id: aText('the thread: an entry, a request or mail'),
  what: aText<What>(`${WHATS.slice(0, -1).join(', ')} or ${WHATS.at(-1)}`),
  title: aText('what it is about'),
  from: aText('who began it'),
  latest_from: aText('who wrote last'),
  preview: aText('the start of the latest message, without Markdown'),
  at: aText('when that came'),
  unread: aNumber('how many messages in it are unread'),
  documents: aNumber('how many documents it refers to'),
  workspace_id: aText('the workspace of a push, or empty'),
  workspace_label: aText('its name, or empty'),
  event_id: aNumber('its place in the list'),
  needs_you: aFlag('whether the person has something to decide or answer in it'),
  expires_at: orNull(aText('when a request expires')),
  risk: orNull(aText('the risk of a request, if given: low, medium, high or critical')),
  request_type: orNull(aText('the type of a request')),
  snoozed_until: orNull(aText('until when it is snoozed, if it comes back at a set time')),
  woken: aFlag('whether it came back from a snooze and has not been read since'),
  imported_by: maybe(aText('who imported the latest message, if it came from a file')),
})

export type DeskRow = AnswerRecord<typeof DESK_ROW>

const DESK_LIST = {
  rows: aList(DESK_ROW, 'newest first'),
  has_more: MORE,
  cut: aFlag('whether the search hit the limit of one call before the page was full'),
  next_before: orNull(aNumber('the cursor for the next page: pass it as before')),
  next_after: orNull(aNumber('the cursor for the page above this one: pass it as after')),
  unread: aNumber('how many threads have something unread'),
  needs_you: aList(DESK_ROW, 'with with_needs_you: the first 100, soonest expiry first'),
  next_event_id: CURSOR,
}

export type DeskList = AnswerOf<typeof DESK_LIST>

const MOST_NEEDS = 100

export const DESK_FILTERS = {
  agent: self('the person looking', { leftOut: 'user' }),
  unread: flag('only threads with something unread'),
  notifications: flag('only notifications'),
  workspace: id('only pushes from this workspace'),
  from: name('only threads this agent began'),
}

type DeskFilters = Partial<Input<typeof DESK_FILTERS>> & { snoozed?: boolean | undefined }

export function scopeOf(person: string, input: DeskFilters): DeskScope {
  return {
    person,
    form: input.notifications ? 'notification' : 'other',
    snoozed: input.snoozed,
    unreadOnly: input.unread,
    workspaceId: input.workspace,
    from: input.from,
  }
}

export const deskList = query({
  name: 'desk list',
  example: 'desk list --unread',
  summary: 'List everything delivered to a person, one row per thread, newest first.',
  about:
    'Pushes, requests, questions and mail are in one list; notifications have a separate one. Snoozed and put-away threads are left out. Listing does not present anything. A search by text looks at a limited part of the desk and sets cut if it stopped there; a command keeps going. While has_more is true, continue with --before and next_before, even if a page is empty.',
  fields: {
    ...DESK_FILTERS,
    snoozed: flag('only snoozed or put-away threads'),
    needs_you: flag('only what the person has to decide or answer, soonest expiry first'),
    with_needs_you: flag('also list what the person has to decide or answer, separately'),
    text: text(
      'only with this text in the subject, the start of the message, a name, the workspace or the path of a document; a to z match in either case',
      { max: 200 },
    ),
    before: int('only threads after this place in the list: next_before of the last page'),
    after: int('only threads before this place in the list, starting next to it: next_after'),
    around: id('the page with this thread in the middle'),
    limit: byDefault(int('how many to list at most', { min: 1, max: 500 }), 50),
  },
  set: 'mailbox',
  callers: OPERATORS,
  refusals: ['invalid_input', 'not_found', 'forbidden'],
  check({ before, after, around, text, needs_you, snoozed }) {
    if ([before, after, around].filter((one) => one !== undefined).length > 1)
      throw refuse.invalid_input`give one of ${field('before')}, ${field('after')} and ${field('around')}: each says where the page is`
    if (after !== undefined && text !== undefined)
      throw refuse.invalid_input`a search by ${field('text')} goes down the list: leave out ${field('after')}`
    const isOtherwise = [after, around, text, snoozed].some((one) => one !== undefined)
    if (needs_you === true && isOtherwise)
      throw refuse.invalid_input`${field('needs_you')} has an order of its own: leave out ${field('after')}, ${field('around')}, ${field('text')} and ${field('snoozed')}`
  },
  async run(context, input): Promise<DeskList> {
    const { store } = context
    const { name: person } = personLooking(context, input.agent)
    const scope = scopeOf(person, input)
    const { text, limit, before } = input
    const pageOf = () => {
      if (input.needs_you) return readNeeds(context, scope, before, limit)
      if (text === undefined) return readDesk(context, scope, input, limit)
      return searchDesk(context, { ...scope, text }, input, limit)
    }
    const [next_event_id, { items, ...page }, unread, needs] = await Promise.all([
      store.lastEventId(),
      pageOf(),
      store.deskUnread(person, scope.form),
      input.with_needs_you ? readNeeds(context, scope, undefined, MOST_NEEDS) : null,
    ])
    return {
      rows: items.map(viewRow),
      has_more: page.next_before !== null,
      ...page,
      unread,
      needs_you: (needs?.items ?? []).map(viewRow),
      next_event_id,
    }
  },
  answer: DESK_LIST,
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
    preview: plain(
      preview.startsWith(item.subject) ? preview.slice(item.subject.length).trim() : preview,
    ),
    at: queued_at,
    unread,
    documents,
    workspace_id: workspace_id ?? '',
    workspace_label: workspace_label ?? '',
    event_id,
    needs_you: item.needs !== '',
    expires_at: item.wanted_by,
    risk: item.risk,
    request_type: item.request_type,
    snoozed_until: item.snoozed_until,
    woken: item.woken,
    ...(imported_by === null ? {} : { imported_by }),
  }
}

/** Removes Markdown syntax, which would show literally in a row: a row is one line of plain text. */
function plain(words: string): string {
  return words
    .replace(/^#{1,6} /gm, '')
    .replace(/\*\*(\S[^*]*)\*\*/g, '$1')
    .replace(/`([^`]+)`/g, '$1')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
}

function whatOf({ thread_kind, form, message_kind }: DeskItem): What {
  if (thread_kind === 'push') return form ?? 'push'
  if (thread_kind === 'request') return 'request'
  if (message_kind === 'question') return 'question'
  return thread_kind === 'mail' ? 'mail' : 'work'
}
