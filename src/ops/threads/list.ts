import { refuse } from '../../core/error.ts'
import { field, sentence } from '../../core/sentence.ts'
import type { Thread } from '../../core/threads/thread.ts'
import { WORK_STATUSES } from '../../core/threads/work.ts'
import { THREAD } from '../inbox/view.ts'
import { aList, aText, CURSOR, MORE, orNull } from '../kit/answer.ts'
import { address, byDefault, choices, int, name, text } from '../kit/field.ts'
import { ANYONE, query } from '../kit/operation.ts'
import { readPage } from '../kit/page.ts'
import { TEXTS } from '../kit/tool.ts'

type ListAnswer = {
  threads: Thread[]
  has_more: boolean
  /** The cursor for `before` on the next page; null at the end. */
  next_before: string | null
  next_event_id: number
}

export const list = query({
  name: 'list',
  summary: 'List threads, most recently active first.',
  fields: {
    agent: name('created by or assigned to this agent; never taken from INBOX_AGENT'),
    status: choices(WORK_STATUSES, 'only these statuses', { leftOut: 'all' }),
    created_by: name('only threads this agent made'),
    assigned_to: address('only threads assigned to this agent, or to role:NAME'),
    before: text('continue from here: next_before of the previous answer', { max: 200 }),
    limit: byDefault(int('how many to list at most', { min: 1, max: 500 }), 50),
  },
  set: 'threads',
  callers: ANYONE,
  refusals: ['invalid_input'],
  check: ({ before }) => void placeIn(before),
  async run({ store, caller }, input): Promise<ListAnswer> {
    const next_event_id = await store.lastEventId()
    const start = placeIn(input.before)
    const { items, has_more } = await readPage<Thread>(
      { store, caller },
      input.limit,
      (limit, last) =>
        store.threads({
          agent: input.agent,
          statuses: input.status ?? WORK_STATUSES,
          createdBy: input.created_by,
          assignedTo: input.assigned_to,
          before: last ?? start,
          limit,
        }),
    )
    const last = has_more ? items.at(-1) : undefined
    const next_before = last === undefined ? null : `${last.updated_at}/${last.thread_id}`
    return { threads: items, has_more, next_before, next_event_id }
  },
  answer: {
    threads: aList(THREAD, 'most recently active first'),
    has_more: MORE,
    next_before: orNull(aText('the cursor for the next page: give it as before')),
    next_event_id: CURSOR,
  },
  lines: async (answer, page) => (await import('./drawing.ts')).drawList(answer, page),
  tool: {
    name: 'thread_list',
    does: 'Overview of threads, latest first.',
    args: {
      agent: { about: 'who takes part' },
      status: { shape: TEXTS, about: 'only these' },
      created_by: { about: 'by this agent' },
      assigned_to: { about: 'for this agent' },
      before: { about: 'next_before' },
      limit: { about: 'at most' },
    },
  },
})

/** The cursor is a place in the order and not a thread, because a thread may have moved up since. */
function placeIn(before: string | undefined) {
  if (before === undefined) return undefined
  const [, updated_at, thread_id] = /^([0-9TZ:.-]+)\/(.+)$/.exec(before) ?? []
  if (updated_at !== undefined && thread_id !== undefined) return { updated_at, thread_id }
  throw refuse('invalid_input', sentence`${field('before')} is next_before of the answer before`)
}
