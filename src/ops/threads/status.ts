import type { Thread } from '../../core/threads/thread.ts'
import type { Counts } from '../../core/threads/thread-reads.ts'
import type { Instant } from '../../core/time.ts'
import { LEASE_HOLDS, type LeaseView, THREAD, viewLease } from '../inbox/view.ts'
import { aList, anything, aRecord, aText, CURSOR, orNull } from '../kit/answer.ts'
import { byDefault, int } from '../kit/field.ts'
import { ANYONE, query } from '../kit/operation.ts'

export type Status = {
  store: string
  now: Instant
  counts: Counts
  oldest_pending: Thread | null
  blocked: { thread: Thread; question: string; asked_at: Instant }[]
  leases: (LeaseView & { thread: Thread })[]
  next_event_id: number
}

const HELD = aRecord<LeaseView & { thread: Thread }>('held thread', 'a lease', {
  ...LEASE_HOLDS,
  thread: THREAD,
})

export const status = query({
  name: 'status',
  summary: 'Show counts, the oldest pending thread, open questions and the next leases to lapse.',
  fields: {
    limit: byDefault(
      int('how many questions and leases to show at most', { min: 1, max: 100 }),
      10,
    ),
  },
  set: 'threads',
  callers: ANYONE,
  refusals: ['invalid_input'],
  async run({ store }, input): Promise<Status> {
    const next_event_id = await store.lastEventId()
    const [overview, now] = await Promise.all([store.overview(input.limit), store.now()])
    return {
      store: store.place,
      now,
      counts: overview.counts,
      oldest_pending: overview.oldest_pending,
      blocked: overview.blocked.map(({ thread, question }) => ({
        thread,
        question: question.summary,
        asked_at: question.created_at,
      })),
      leases: overview.leases.flatMap(({ thread, lease }) => {
        const view = viewLease(lease, now)
        return view === null ? [] : [{ ...view, thread }]
      }),
      next_event_id,
    }
  },
  answer: {
    store: aText('where it is'),
    now: aText("the store's time"),
    counts: anything('threads by status, messages and events'),
    oldest_pending: orNull(THREAD),
    blocked: aList(
      aRecord<Status['blocked'][number]>('question', 'a thread that waits for an answer', {
        thread: THREAD,
        question: aText('what is asked'),
        asked_at: aText('when'),
      }),
      'open questions',
    ),
    leases: aList(HELD, 'next to lapse first'),
    next_event_id: CURSOR,
  },
  lines: async (answer, page) => (await import('./drawing.ts')).drawStatus(answer, page),
  shellFlags: [
    { flag: '--watch', value: '', about: 'stay and redraw as things happen', repeats: false },
  ],
})
