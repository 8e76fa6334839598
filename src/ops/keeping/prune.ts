import { trimMail } from '../../core/keeping/retention.ts'
import type { KeptThreads, MailTotals, OldRecords } from '../../core/keeping/retention-reads.ts'
import type { PruneTotals, Tx } from '../../core/store.ts'
import type { Thread } from '../../core/threads/thread.ts'
import { type Instant, plusSeconds } from '../../core/time.ts'
import { THREAD } from '../inbox/view.ts'
import { aFlag, aList, aNumber, anything, aRecord, aText, CURSOR } from '../kit/answer.ts'
import { commit, rehearseWrite } from '../kit/commit.ts'
import { byDefault, flag, type Input, int } from '../kit/field.ts'
import { type Context, mutation, OPERATORS } from '../kit/operation.ts'
import { makePage } from '../kit/page.ts'

const HOUR = 3600
const DAY = 24 * HOUR
/**
 * How long idempotency keys, wakes and other records are kept. A retry may come days later, but after a month it counts
 * as a new call.
 */
const MONTH = 30 * DAY
/** The cursor of a reader that reached the end of the log within this time stays valid when a server prunes. */
const READER_SECONDS = HOUR

const FIELDS = {
  older_than_days: byDefault(
    int('remove work that was finished at least this many days ago', { max: 36_500 }),
    30,
  ),
  mail_days: byDefault(
    int('remove mail that has been quiet for this many days', { max: 36_500 }),
    7,
  ),
  mail_messages: byDefault(int('of the remaining mail, keep at most this many messages'), 5000),
  mail_read_hours: byDefault(
    int('of the messages over that number, first remove those read more than this many hours ago', {
      max: 876_000,
    }),
    24,
  ),
  trash_days: byDefault(
    int('remove pushes that were trashed or deleted this many days ago', { max: 36_500 }),
    30,
  ),
  requests_days: int('remove requests that were resolved at least this many days ago', {
    max: 36_500,
    leftOut: 'none',
  }),
  include_unread: flag('also remove work with unread messages'),
  limit: byDefault(int('how many threads to remove at most', { min: 1, max: 10_000 }), 1000),
  dry_run: flag('only report what would be removed'),
}

export type PruneAnswer = {
  dry_run: boolean
  /** As many of the threads as fit in an answer. `removed` counts all of them. */
  threads: Thread[]
  removed: PruneTotals
  mail: { messages: number; unread: number }
  /** Why some threads are kept although one might expect them to be removed. */
  notes: string[]
}

export const prune = mutation({
  name: 'prune',
  example: 'prune --older-than-days 30 --dry-run',
  summary:
    'Remove old finished work, old mail, trashed pushes and, if asked for, old requests, with their messages and events.',
  about: [
    'Servers run it daily; without a server, only this command removes anything. --dry-run shows what would be removed. A server keeps every thread with events in the last hour, for readers that follow the log; this command does not.',
    'Work: finished threads, after a month.',
    'Mail: threads that have been quiet for a week, and the oldest ones beyond 5,000 messages.',
    'Pushes: those that were trashed or deleted a month ago. All other pushes stay.',
    'Requests: none, unless --requests-days is given; then those that were resolved that long ago. Their decisions are forgotten, and request verify can no longer confirm them.',
    'Channels of workflows: those that have been quiet for a month, unless their run continues or a person has something to read in them.',
    'Documents of workflows: revisions that were replaced a month ago, and those of instances that ended a month ago. The files stay.',
    'Wakes and tokens: those that ended a month ago, except the last wakes of each agent.',
    'Kept: every thread that is held, that someone is waiting on or that has unread messages, and mail with a question that was read but not answered. So mail may exceed every limit, and the answer says so.',
    'A worker that only waits for replies leaves progress notes unread; show --mark-read lets the thread be pruned.',
    'If the text of a deleted push may still be in the SQLite file, the file is rewritten.',
    'A cursor older than what was removed is refused (cursor_expired).',
  ].join('\n- '),
  fields: FIELDS,
  set: 'none',
  callers: OPERATORS,
  guarded: true,
  refusals: ['invalid_input'],
  async run(context, input): Promise<PruneAnswer & { next_event_id: number }> {
    const { store } = context
    const now = await store.now()
    const chosen = await choose(context, input, now)
    const { threads } = chosen
    const ids = threads.map((thread) => thread.thread_id)
    const { items: shown, add } = makePage<Thread>(threads.length)
    add(threads)
    const before = plusSeconds(now, -MONTH)
    // A server prunes automatically, possibly while others are following the log.
    const isByItself = context.caller.principal?.kind === 'system'
    const upto = isByItself
      ? await store.lastEventBefore(plusSeconds(now, -READER_SECONDS))
      : undefined
    const pruning = async (tx: Tx): Promise<PruneAnswer> => {
      const removed = await tx.prune({ threads: ids, records: chosen.records, before, upto })
      const dry_run = input.dry_run ?? false
      return { dry_run, threads: shown, removed, ...standing(input, chosen, removed) }
    }
    if (input.dry_run) {
      const answer = await rehearseWrite(store, pruning)
      return { ...answer, next_event_id: await store.lastEventId() }
    }
    // Also erases what 'push delete' left behind because the file was too large.
    const erase = async () => (await store.keeper()).forgetRemoved(Number.POSITIVE_INFINITY)
    context.later(erase, 'anyway')
    return commit<PruneAnswer>(context, { op: 'prune', agent: 'system', input }, pruning)
  },
  takesLong: () => 'removing what is old',
  answer: {
    dry_run: aFlag('whether nothing was removed'),
    threads: aList(THREAD, 'the threads that were removed'),
    removed: anything<PruneTotals>('how many of each kind were removed'),
    mail: aRecord('mail that stays', 'what stays', {
      messages: aNumber('how much'),
      unread: aNumber('how many of them are unread'),
    }),
    notes: aList(aText('a note'), 'what was kept, and why'),
    next_event_id: CURSOR,
  },
  lines: async (answer, page) => (await import('./drawing.ts')).drawPruning(answer, page),
})

type Limits = Input<typeof FIELDS>

type PruneChoice = {
  threads: Thread[]
  records: OldRecords
  totals: MailTotals
  kept: KeptThreads
  oldStay: number
  /** False if there may be more mail to remove than one call can handle. */
  isAll: boolean
}

async function choose({ store }: Context, input: Limits, now: Instant): Promise<PruneChoice> {
  const { limit } = input
  const mailBefore = plusSeconds(now, -input.mail_days * DAY)
  const workBefore = plusSeconds(now, -input.older_than_days * DAY)
  const pushesBefore = plusSeconds(now, -input.trash_days * DAY)
  const { requests_days: days } = input
  const [work, pushes, requests, channels, revisions, mail, totals, records, kept] =
    await Promise.all([
      store.prunable({ before: workBefore, unreadToo: input.include_unread ?? false, limit }),
      store.prunableOf('trashed', pushesBefore, limit),
      days === undefined ? [] : store.prunableOf('resolved', plusSeconds(now, -days * DAY), limit),
      store.prunableOf('left', workBefore, limit),
      store.prunableOf('outlived', workBefore, limit),
      store.prunableMail(limit),
      store.mailTotals(mailBefore),
      store.prunableRecords(plusSeconds(now, -MONTH), limit),
      store.kept({ work: workBefore, pushes: pushesBefore }),
    ])
  const trimmed = trimMail(mail, totals.messages, {
    before: mailBefore,
    messages: input.mail_messages,
    handledBefore: plusSeconds(now, -input.mail_read_hours * HOUR),
  })
  const first = [...work, ...pushes, ...requests, ...channels, ...revisions].slice(0, limit)
  const room = limit - first.length
  const go = trimmed.slice(0, room)
  const states = await Promise.all(go.map(({ thread_id }) => store.thread(thread_id)))
  const letters = states.flatMap((state) => (state === null ? [] : [state.thread]))
  return {
    threads: [...first, ...letters],
    records,
    totals,
    kept,
    oldStay: totals.old - go.filter(({ updated_at }) => updated_at < mailBefore).length,
    isAll: trimmed.length <= room && (mail.length < limit || trimmed.length < mail.length),
  }
}

/** Says how much mail is left, and why it's still over the limits if it is. */
function standing(
  input: Limits,
  { totals, kept, oldStay, isAll }: PruneChoice,
  removed: PruneTotals,
): Pick<PruneAnswer, 'mail' | 'notes'> {
  const messages = totals.messages - removed.kinds.mail.messages
  const most = input.mail_messages
  const notes = notesOfKept(input, kept, removed)
  if (!isAll) {
    notes.push('there may be more mail to remove than one call does; run it again')
    return { mail: { messages, unread: totals.unread }, notes }
  }
  if (messages > most) {
    notes.push(
      `${messages} messages of mail stay, over the limit of ${most}: ${totals.unread} of them are unread`,
    )
  }
  if (oldStay > 0) {
    notes.push(
      `${oldStay} threads of mail older than ${input.mail_days} days stay: something in them is unread, awaited, or a question without an answer`,
    )
  }
  return { mail: { messages, unread: totals.unread }, notes }
}

const MOST_NAMED = 5

/** Why work and pushes stay. Work that is merely too recent is mentioned only if nothing was removed. */
function notesOfKept(
  input: Limits,
  { young, unread, pushes }: KeptThreads,
  removed: PruneTotals,
): string[] {
  const notes: string[] = []
  if (unread.length > 0 && !input.include_unread) {
    const some = unread.slice(0, MOST_NAMED).map(({ recipient, n }) => `${n} for ${recipient}`)
    const more = unread.length > MOST_NAMED ? `, and for ${unread.length - MOST_NAMED} more` : ''
    notes.push(
      `finished threads of work stay while something in them is unread: ${some.join(', ')}${more}; they go once it is read, or with include_unread`,
    )
  }
  if (young > 0 && removed.threads === 0) {
    notes.push(
      `${young} threads of work stay: they were finished less than ${input.older_than_days} days ago`,
    )
  }
  if (pushes > 0) {
    notes.push(
      `${pushes} pushes older than ${input.trash_days} days stay: no one has trashed or deleted them`,
    )
  }
  return notes
}
