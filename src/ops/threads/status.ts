import { USER } from '../../core/agents/agent.ts'
import { LONG_WAIT_SECONDS } from '../../core/requests/request-expiry.ts'
import { REQUEST } from '../../core/requests/request-kind.ts'
import type { WaitingRequest } from '../../core/requests/request-reads.ts'
import type { Thread } from '../../core/threads/thread.ts'
import type { Counts } from '../../core/threads/thread-reads.ts'
import { type Instant, plusSeconds } from '../../core/time.ts'
import { seesEverything } from '../inbox/inbox.ts'
import { LEASE_HOLDS, type LeaseView, THREAD, viewLease } from '../inbox/view.ts'
import { viewerNamed } from '../inbox/visible-thread.ts'
import { aList, anything, aRecord, aText, CURSOR, orNull } from '../kit/answer.ts'
import { byDefault, int } from '../kit/field.ts'
import { ANYONE, type Context, query } from '../kit/operation.ts'

export type Status = {
  store: string
  now: Instant
  counts: Counts
  oldest_pending: Thread | null
  blocked: { thread: Thread; question: string; asked_at: Instant }[]
  leases: (LeaseView & { thread: Thread })[]
  /** Open for a week or more, as far as the caller may see them. */
  waiting_requests: WaitingRequest[]
  next_event_id: number
}

const HELD = aRecord<LeaseView & { thread: Thread }>('held thread', 'a lease', {
  ...LEASE_HOLDS,
  thread: THREAD,
})

export const status = query({
  name: 'status',
  summary:
    'Show counts, the oldest pending thread, open questions, the next leases to lapse, and requests that wait for long.',
  fields: {
    limit: byDefault(
      int('how many questions and leases to show at most', { min: 1, max: 100 }),
      10,
    ),
  },
  set: 'threads',
  callers: ANYONE,
  refusals: ['invalid_input'],
  async run(context, input): Promise<Status> {
    const { store } = context
    const next_event_id = await store.lastEventId()
    const [overview, now] = await Promise.all([store.overview(input.limit), store.now()])
    const before = plusSeconds(now, -LONG_WAIT_SECONDS)
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
      waiting_requests: await waitingRequests(context, before, input.limit),
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
    waiting_requests: aList(
      aRecord<WaitingRequest>('waiting request', 'a request that has waited for a week', {
        request_id: aText('which'),
        title: aText('its title'),
        requester: aText('who asks'),
        created_at: aText('since when'),
      }),
      'requests that have waited for a week, the oldest first',
    ),
    next_event_id: CURSOR,
  },
  lines: async (answer, page) => (await import('./drawing.ts')).drawStatus(answer, page),
  shellFlags: [
    { flag: '--watch', value: '', about: 'stay and redraw as things happen', repeats: false },
  ],
})

/** An agent is shown its own, and a token for other sets none, as in a list of requests. */
async function waitingRequests(
  { store, caller }: Context,
  before: Instant,
  limit: number,
): Promise<WaitingRequest[]> {
  const { principal } = caller
  if (principal?.sets?.includes(REQUEST.set) === false) return []
  const viewer = principal ?? viewerNamed(caller.agent ?? USER)
  const seesAll = viewer.kind !== 'agent' || (await seesEverything(store, viewer))
  const requester = seesAll ? undefined : viewer.name
  return store.waitingRequests({ before, requester, limit })
}
