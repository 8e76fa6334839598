import { field, refuse } from '../../core/error.ts'
import type { Store } from '../../core/store.ts'
import type { Thread } from '../../core/threads/thread.ts'
import {
  type BesideThread,
  MOST_TALLIED,
  type ThreadFilter,
} from '../../core/threads/thread-reads.ts'
import { WORK_STATUSES, type WorkStatus } from '../../core/threads/work.ts'
import { LEASE, THREAD_HOLDS, viewLease } from '../inbox/view.ts'
import {
  type AnswerRecord,
  aFlag,
  aList,
  aNumber,
  aRecord,
  aRow,
  aText,
  CURSOR,
  MORE,
  maybe,
  orNull,
} from '../kit/answer.ts'
import { address, byDefault, choices, flag, int, name, text } from '../kit/field.ts'
import { ANYONE, type Context, query } from '../kit/operation.ts'
import { readPage, searchDown } from '../kit/page.ts'
import { TEXTS } from '../kit/tool.ts'

export type ThreadCounts = Record<WorkStatus, number>

const LISTED_THREAD = aRecord('listed thread', 'the thread', {
  ...THREAD_HOLDS,
  lease: maybe(orNull(LEASE)),
  question: maybe(
    orNull(
      aRow<NonNullable<BesideThread['question']>>('open question', 'what it is blocked on', {
        message_id: aText('its message'),
        from_agent: aText('who asks'),
        summary: aText('the question in one line'),
        created_at: aText('since when it has been waiting'),
      }),
    ),
  ),
})

export type ListedThread = AnswerRecord<typeof LISTED_THREAD>

const COUNTS = aRow<ThreadCounts>('threads by status', 'how many there are', {
  pending: aNumber('unclaimed'),
  claimed: aNumber('taken'),
  in_progress: aNumber('under way'),
  blocked: aNumber('waiting for an answer'),
  done: aNumber('finished'),
  failed: aNumber('given up'),
  cancelled: aNumber('stopped'),
})

export const list = query({
  name: 'list',
  example: 'list --status pending,blocked',
  summary: 'List threads, most recently active first.',
  about: `A search by text looks at a limited part of the list and sets cut if it stopped there; a command keeps going. While has_more is true, continue with --before and next_before, even if a page is empty. A count of ${MOST_TALLIED} means at least that many.`,
  fields: {
    agent: name('created by or assigned to this agent; never taken from INBOX_AGENT'),
    status: choices(WORK_STATUSES, 'only these statuses', { leftOut: 'all' }),
    created_by: name('only threads this agent created'),
    assigned_to: address('only threads assigned to this agent, or to role:NAME'),
    blocked_on: name('only work that is blocked until this agent or person answers'),
    text: text('only with this text in the subject or a name; a to z match in either case', {
      max: 200,
    }),
    oldest_first: flag('least recently active first'),
    standing: flag(
      'also show who holds each thread, what it is blocked on, and how many there are',
    ),
    before: text('continue from here: next_before of the previous answer', { max: 200 }),
    limit: byDefault(int('how many to list at most', { min: 1, max: 500 }), 50),
  },
  set: 'threads',
  callers: ANYONE,
  refusals: ['invalid_input'],
  check({ before, blocked_on, created_by, status }) {
    placeIn(before)
    if (blocked_on === undefined || (created_by === undefined && status === undefined)) return
    throw refuse.invalid_input`${field('blocked_on')} names who asked for the work, which is blocked: leave out ${field('created_by')} and ${field('status')}`
  },
  async run(context, input) {
    const { store } = context
    const next_event_id = await store.lastEventId()
    const { blocked_on, limit } = input
    // A worker's question goes to the agent that asked for the work, so the work is blocked on that agent.
    const scope = {
      agent: input.agent,
      createdBy: blocked_on ?? input.created_by,
      assignedTo: input.assigned_to,
    }
    const filter: Omit<ThreadFilter, 'limit'> = {
      ...scope,
      statuses: blocked_on === undefined ? (input.status ?? WORK_STATUSES) : ['blocked'],
      oldestFirst: input.oldest_first,
      before: placeIn(input.before),
    }
    const {
      items,
      next_before: next,
      cut,
    } = input.text === undefined
      ? await pageOf(context, filter, limit)
      : await searchThreads(context, { ...filter, text: input.text }, limit)
    const further = {
      has_more: next !== null,
      next_before: next === null ? null : `${next.updated_at}/${next.thread_id}`,
      ...(input.text === undefined ? {} : { cut }),
      next_event_id,
    }
    if (!input.standing) return { threads: items, ...further }
    const [threads, counts] = await Promise.all([
      withStanding(store, items),
      store.tallyThreads(scope),
    ])
    return { threads, counts, ...further }
  },
  answer: {
    threads: aList(LISTED_THREAD, 'most recently active first, or in reverse with oldest_first'),
    has_more: MORE,
    cut: maybe(aFlag('whether the search hit the limit of one call before the page was full')),
    counts: maybe(COUNTS),
    next_before: orNull(aText('the cursor for the next page: pass it as before')),
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
      blocked_on: { about: 'waits for this one', unlisted: true },
      text: { about: 'in subject or name', unlisted: true },
      oldest_first: { about: 'oldest first', unlisted: true },
      standing: { about: 'with holders', unlisted: true },
      before: { about: 'next_before' },
      limit: { about: 'at most' },
    },
  },
})

/** The cursor is a position in the list's order rather than a thread, because the thread may have moved up since. */
function placeIn(before: string | undefined): ListPlace | undefined {
  if (before === undefined) return undefined
  const [, updated_at, thread_id] = /^([0-9TZ:.-]+)\/(.+)$/.exec(before) ?? []
  if (updated_at !== undefined && thread_id !== undefined) return { updated_at, thread_id }
  throw refuse.invalid_input`${field('before')} takes next_before of the previous answer`
}

type ListPlace = Pick<Thread, 'updated_at' | 'thread_id'>

async function pageOf(
  { store, caller }: Context,
  filter: Omit<ThreadFilter, 'limit'>,
  limit: number,
) {
  const { items, has_more } = await readPage<Thread>({ store, caller }, limit, (count, last) =>
    store.threads({ ...filter, before: last ?? filter.before, limit: count }),
  )
  return { items, next_before: has_more ? (items.at(-1) ?? null) : null, cut: false }
}

const LOOKS = 400

function searchThreads(
  context: Context,
  { text, ...filter }: Omit<ThreadFilter, 'limit'> & { text: string },
  limit: number,
) {
  const part = inPlainCase(text)
  const holds = ({ subject, assigned_to, created_by }: Thread) =>
    [subject, assigned_to, created_by].some((one) => inPlainCase(one).includes(part))
  return searchDown<Thread, ListPlace>(context, limit, {
    from: filter.before,
    placeOf: (thread) => thread,
    async look(before) {
      const seen = await context.store.threads({ ...filter, before, limit: LOOKS })
      return { items: seen.filter(holds), bottom: seen.at(LOOKS - 1) ?? null }
    },
  })
}

/** Lowercases only a to z, as every search does. */
function inPlainCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

async function withStanding(
  store: Pick<Store, 'besideThreads' | 'now'>,
  threads: readonly Thread[],
): Promise<ListedThread[]> {
  const [now, beside] = await Promise.all([
    store.now(),
    store.besideThreads(threads.map(({ thread_id }) => thread_id)),
  ])
  const known = new Map(beside.map((one) => [one.thread_id, one]))
  return threads.map((thread) => {
    const { lease = null, question = null } = known.get(thread.thread_id) ?? {}
    return { ...thread, lease: viewLease(lease, now), question }
  })
}
