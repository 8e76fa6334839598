import { WORK_STATUSES } from '../../core/threads/work.ts'
import { LEASE, THREAD_HOLDS, viewLease } from '../inbox/view.ts'
import { type AnswerRecord, aFlag, aList, aRecord, CURSOR, MORE, orNull } from '../kit/answer.ts'
import { byDefault, choices, flag, int, required, self } from '../kit/field.ts'
import { ANYONE, query } from '../kit/operation.ts'
import { TEXTS } from '../kit/tool.ts'

const FETCHED = aRecord('fetched thread', 'a thread, and whether it can be claimed', {
  ...THREAD_HOLDS,
  claimable: aFlag('whether a claim would succeed now'),
  lease: orNull(LEASE),
})

export type FetchedThread = AnswerRecord<typeof FETCHED>

export const fetch = query({
  name: 'fetch',
  example: 'fetch --agent worker',
  summary: 'List threads that an agent could claim. Changes nothing.',
  about:
    'Lists pending threads assigned to the agent or to its role, except those the agent created, and threads whose lease has lapsed; high priority first, then oldest. With --status only threads in those statuses are listed, each marked claimable or not.',
  fields: {
    agent: required(self('the agent whose work to look for')),
    status: choices(WORK_STATUSES, 'list only these statuses'),
    limit: byDefault(int('how many to list at most', { min: 1, max: 500 }), 50),
    unread: flag('only threads with messages the agent has not read'),
  },
  set: 'threads',
  callers: ANYONE,
  refusals: ['invalid_input'],
  async run({ store }, input) {
    // Read the cursor first, so that whatever the reads below miss is ahead of it.
    const next_event_id = await store.lastEventId()
    const { limit } = input
    const [found, now] = await Promise.all([
      store.fetch({
        agent: input.agent,
        statuses: input.status,
        unreadOnly: input.unread ?? false,
        limit: limit + 1,
      }),
      store.now(),
    ])
    const threads = found.slice(0, limit).map(({ thread, lease, claimable }) => ({
      ...thread,
      claimable,
      lease: viewLease(lease, now),
    }))
    return { threads, has_more: found.length > limit, next_event_id }
  },
  nothing: ({ threads }) => threads.length === 0,
  answer: {
    threads: aList(FETCHED, 'high priority first, then oldest'),
    has_more: MORE,
    next_event_id: CURSOR,
  },
  lines: async (answer, page) => (await import('./drawing.ts')).drawFetched(answer, page),
  tool: {
    name: 'thread_fetch',
    does: 'See what work you could claim. Grants nothing.',
    args: {
      status: { shape: TEXTS, about: 'only these', unlisted: true },
      unread: { about: 'only with news', unlisted: true },
      limit: { about: 'at most' },
    },
    nothing:
      'Nothing to claim. Wait with thread_watch, after_event = next_event_id, until woke; then look again.',
  },
})
