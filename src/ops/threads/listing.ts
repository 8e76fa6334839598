// Pages of a list of threads, and what stands beside each thread.

import type { Store } from '../../core/store.ts'
import type { Thread } from '../../core/threads/thread.ts'
import type { BesideThread, ThreadFilter } from '../../core/threads/thread-reads.ts'
import type { WorkStatus } from '../../core/threads/work.ts'
import { LEASE, THREAD_HOLDS, viewLease } from '../inbox/view.ts'
import { type AnswerRecord, aNumber, aRecord, aRow, aText, maybe, orNull } from '../kit/answer.ts'
import type { Context } from '../kit/operation.ts'
import { makePage, readPage } from '../kit/page.ts'
import { nextPiece } from '../kit/pieces.ts'

export type ThreadCounts = Record<WorkStatus, number>
export type ListPlace = Pick<Thread, 'updated_at' | 'thread_id'>
type ThreadPage = { items: Thread[]; next: ListPlace | null; cut: boolean }

export async function pageOf(
  { store, caller }: Context,
  filter: Omit<ThreadFilter, 'limit'>,
  limit: number,
): Promise<ThreadPage> {
  const { items, has_more } = await readPage<Thread>({ store, caller }, limit, (count, last) =>
    store.threads({ ...filter, before: last ?? filter.before, limit: count }),
  )
  return { items, next: has_more ? (items.at(-1) ?? null) : null, cut: false }
}

/** How many threads one piece of a search looks at, and how many pieces one answer is made of. */
const LOOKS = 400
const MOST_LOOKS = 2

/** Goes down the list piece by piece until it has enough, or nothing is left, or it has looked at enough. */
export async function searchThreads(
  { store, caller: { principal }, door }: Context,
  { text, ...filter }: Omit<ThreadFilter, 'limit'> & { text: string },
  limit: number,
): Promise<ThreadPage> {
  const page = makePage<Thread>(limit)
  const { items } = page
  const part = inPlainCase(text)
  const holds = ({ subject, assigned_to, created_by }: Thread) =>
    [subject, assigned_to, created_by].some((one) => inPlainCase(one).includes(part))
  // A command has its process to itself, so it need not be asked to go on.
  const most = door === 'cli' ? Number.POSITIVE_INFINITY : MOST_LOOKS
  let { before } = filter
  for (let looks = 0; looks < most; looks += 1) {
    await nextPiece(principal && { store, principal })
    const seen = await store.threads({ ...filter, before, limit: LOOKS })
    if (!page.add(seen.filter(holds))) return { items, next: items.at(-1) ?? null, cut: false }
    if (seen.length < LOOKS) return { items, next: null, cut: false }
    before = seen.at(-1)
  }
  return { items, next: before ?? null, cut: true }
}

/** The letters from a to z match in either case, as they do in every search. */
function inPlainCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

export async function withStanding(
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

export const LISTED_THREAD = aRecord('listed thread', 'the thread', {
  ...THREAD_HOLDS,
  lease: maybe(orNull(LEASE)),
  question: maybe(
    orNull(
      aRow<NonNullable<BesideThread['question']>>('open question', 'what it is blocked on', {
        message_id: aText('its message'),
        from_agent: aText('who asks'),
        summary: aText('the question in one line'),
        created_at: aText('since when it waits'),
      }),
    ),
  ),
})

export type ListedThread = AnswerRecord<typeof LISTED_THREAD>

export const COUNTS = aRow<ThreadCounts>('threads by status', 'how many there are', {
  pending: aNumber('that nobody has taken'),
  claimed: aNumber('that somebody has taken'),
  in_progress: aNumber('under way'),
  blocked: aNumber('waiting for an answer'),
  done: aNumber('finished'),
  failed: aNumber('given up'),
  cancelled: aNumber('stopped'),
})
