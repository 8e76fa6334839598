import type { Pruned } from '../core/store.ts'
import type { Thread } from '../core/thread.ts'
import { plusSeconds } from '../core/time.ts'
import { flag, int } from './field.ts'
import { commit, mutation, OPERATORS } from './operation.ts'

const DAY = 86_400
/** A retry may come days later; a month-old one is a new request. */
const KEY_DAYS = 30

export const prune = mutation({
  name: 'prune',
  summary: 'Remove finished threads that are old, with their messages and events.',
  about:
    'Never touches a thread that is not finished, nor one with a message its addressee has neither marked as read (show --mark-read, wait-reply) nor answered. Cursors older than what was removed are told so (cursor_expired). Nothing is removed but by this command; --dry-run shows what would go.',
  fields: {
    older_than_days: int('finished at least so many days ago', {
      max: 36_500,
      default: '30',
    }),
    include_unread: flag('also threads with messages their addressee has not read'),
    limit: int('at most so many threads', { min: 1, max: 10_000, default: '1000' }),
    dry_run: flag('only say what would go'),
  },
  callers: OPERATORS,
  refusals: ['invalid_input'],
  async run(context, input) {
    const { store } = context
    const now = await store.now()
    const before = plusSeconds(now, -(input.older_than_days ?? 30) * DAY)
    const threads = await store.prunable({
      before,
      unreadToo: input.include_unread ?? false,
      limit: input.limit ?? 1000,
    })
    type Answer = { dry_run: boolean; threads: Thread[]; removed: Pruned }
    if (input.dry_run) {
      const messages = threads.reduce((sum, thread) => sum + thread.message_count, 0)
      const removed = { threads: threads.length, messages, events: 0, keys: 0 }
      const answer: Answer = { dry_run: true, threads, removed }
      return { ...answer, next_event_id: await store.lastEventId() }
    }
    const ids = threads.map((thread) => thread.thread_id)
    const keysBefore = plusSeconds(now, -KEY_DAYS * DAY)
    const call = { op: 'prune', agent: 'system', input }
    return commit<Answer>(context, call, async (tx) => ({
      dry_run: false,
      threads,
      removed: await tx.prune(ids, keysBefore),
    }))
  },
})
