import { refuse } from '../../core/error.ts'
import { field } from '../../core/sentence.ts'
import { type AnswerOf, aFlag, aList, aNumber, CURSOR, MORE, orNull } from '../kit/answer.ts'
import { byDefault, flag, type Input, id, int, name, self, text } from '../kit/field.ts'
import { OPERATORS, query } from '../kit/operation.ts'
import { personLooking } from '../pushes/push-view.ts'
import { type DeskScope, readDesk, readNeeds, searchDesk } from './desk-page.ts'
import { DESK_ROW, viewRow } from './desk-row.ts'

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

/** The most demands that a list shows above its rows. */
const MOST_NEEDS = 100

/** The filters that a desk's list and its days share. */
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
