import { isPerson, USER } from '../../core/agents/agent.ts'
import { MAIL } from '../../core/mail/mail-kind.ts'
import { LONG_WAIT_SECONDS } from '../../core/requests/request-expiry.ts'
import { REQUEST } from '../../core/requests/request-kind.ts'
import type { WaitingRequest } from '../../core/requests/request-reads.ts'
import { type Counts, MOST_COUNTED } from '../../core/threads/thread-reads.ts'
import { type Instant, plusSeconds } from '../../core/time.ts'
import { seesEverything } from '../inbox/inbox.ts'
import { LEASE_HOLDS, THREAD, viewLease } from '../inbox/view.ts'
import { viewerNamed } from '../inbox/visible-thread.ts'
import {
  type AnswerOf,
  type AnswerRecord,
  aFlag,
  aList,
  aNumber,
  anything,
  aRecord,
  aRow,
  aText,
  CURSOR,
  orNull,
} from '../kit/answer.ts'
import { byDefault, int } from '../kit/field.ts'
import { ANYONE, type Context, query } from '../kit/operation.ts'

const OWN_DEMAND = aRecord('wanted', 'something that waits for you', {
  thread_id: aText('which'),
  what: aText<'request' | 'question'>('request or question'),
  title: aText('the question, or what the request is about'),
  from: aText('who asks'),
  at: aText('since when'),
  expires_at: orNull(aText('when a request expires')),
  request_type: orNull(aText('the type of a request')),
})

export type OwnDemand = AnswerRecord<typeof OWN_DEMAND>

const OWN_DESK = aRecord('own desk', 'what is for you; null for a token without mail', {
  name: aText('who you are'),
  unread: aNumber('your unread count: messages for an agent, threads for a person'),
  wants: aList(OWN_DEMAND, 'what a person has to decide or answer, soonest expiry first'),
  wants_more: aFlag('there are more than listed'),
})

export type OwnDesk = AnswerRecord<typeof OWN_DESK>

const HELD = aRecord('held thread', 'a lease', {
  ...LEASE_HOLDS,
  claimed_at: aText('since when'),
  thread: THREAD,
})

const STATUS = {
  store: aText('the location of the store'),
  now: aText("the store's time"),
  you: orNull(OWN_DESK),
  counts: anything<Counts>('threads by status, messages and events'),
  counts_cut: aFlag(`some of them are ${MOST_COUNTED} or more, where counting stopped`),
  oldest_pending: orNull(THREAD),
  pending: aList(THREAD, 'unclaimed, oldest first'),
  blocked: aList(
    aRecord('question', 'a thread that waits for an answer', {
      thread: THREAD,
      question: aText('what is asked'),
      asked_at: aText('when'),
    }),
    'open questions',
  ),
  leases: aList(HELD, 'next to lapse first'),
  waiting_requests: aList(
    aRow<WaitingRequest>('waiting request', 'a request that has waited for a week', {
      request_id: aText('which'),
      title: aText('its title'),
      requester: aText('who asks'),
      created_at: aText('since when'),
    }),
    'requests that have been waiting for a week, oldest first',
  ),
  next_event_id: CURSOR,
}

export type Status = AnswerOf<typeof STATUS>

export const status = query({
  name: 'status',
  example: 'status',
  summary: 'Show what needs you, open questions, who is working on what, and unclaimed work.',
  about: `\`inbox\` without a command does the same. Counting stops at ${MOST_COUNTED} of each, which counts_cut reports, so that a large store takes no longer than a small one.`,
  fields: {
    limit: byDefault(int('how many of each to show at most', { min: 1, max: 100 }), 10),
  },
  set: 'threads',
  callers: ANYONE,
  refusals: ['invalid_input'],
  async run(context, input): Promise<Status> {
    const { store } = context
    const next_event_id = await store.lastEventId()
    const [overview, now, you] = await Promise.all([
      store.overview(input.limit, MOST_COUNTED),
      store.now(),
      ownDesk(context, input.limit),
    ])
    const { threads, messages, events } = overview.counts
    const all = [...Object.values(threads), messages, events]
    const before = plusSeconds(now, -LONG_WAIT_SECONDS)
    return {
      store: store.place,
      now,
      you,
      counts: overview.counts,
      counts_cut: all.some((count) => count >= MOST_COUNTED),
      oldest_pending: overview.pending[0] ?? null,
      pending: overview.pending,
      blocked: overview.blocked.map(({ thread, question }) => ({
        thread,
        question: question.summary,
        asked_at: question.created_at,
      })),
      leases: overview.leases.flatMap(({ thread, lease }) => {
        const view = viewLease(lease, now)
        return view === null ? [] : [{ ...view, claimed_at: lease.claimed_at, thread }]
      }),
      waiting_requests: await waitingRequests(context, before, input.limit),
      next_event_id,
    }
  },
  answer: STATUS,
  lines: async (answer, page) => (await import('./drawing.ts')).drawStatus(answer, page),
  shellFlags: [
    { flag: '--watch', value: '', about: 'stay and redraw as things happen', repeats: false },
  ],
})

/** As in a list of requests, an agent sees only the requests it made, and a token limited to other sets sees none. */
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

async function ownDesk({ store, caller }: Context, limit: number): Promise<OwnDesk | null> {
  const { principal } = caller
  const isLimited = principal?.workspace_id !== undefined
  if (isLimited || principal?.sets?.includes(MAIL.set) === false) return null
  const name = principal?.name ?? caller.agent ?? USER
  if (!isPerson(name))
    return { name, unread: await store.unread(name), wants: [], wants_more: false }
  const [unread, { items, next }] = await Promise.all([
    store.deskUnread(name, 'other'),
    store.deskNeeds({ person: name, limit }),
  ])
  const wants = items.map((item): OwnDemand => {
    const { thread_id, from_agent: from, queued_at: at, wanted_by: expires_at } = item
    const { request_type } = item
    const what = item.needs === 'request' ? 'request' : 'question'
    return {
      thread_id,
      what,
      title: what === 'question' ? item.summary : item.subject,
      from,
      at,
      expires_at,
      request_type,
    }
  })
  return { name, unread, wants, wants_more: next !== null }
}
