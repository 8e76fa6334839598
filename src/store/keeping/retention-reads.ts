import type { OldMail } from '../../core/keeping/retention.ts'
import type {
  KeptThreads,
  MailTotals,
  OldRecords,
  PruneFilter,
  RetentionLooks,
} from '../../core/keeping/retention-reads.ts'
import { KINDS, statusesOf, THREAD_KINDS } from '../../core/kinds.ts'
import type { RecordList } from '../../core/record.ts'
import { isFinished, type Thread } from '../../core/threads/thread.ts'
import type { Instant } from '../../core/time.ts'
import { count, type Querier } from '../querier.ts'
import { compare, type ThreadRow, toThread } from '../threads/thread-row.ts'
import { askPrunable, PRUNABLE, prunedRecords } from './pruning.ts'

export function makeRetentionLooks(querier: Querier, records: RecordList): RetentionLooks {
  return {
    prunable: (filter) => listPrunable(querier, filter),
    prunableMail: (limit) => querier.all<OldMail>('mail_prunable', { thread_id: undefined, limit }),
    async prunableOf(retention, before, limit) {
      const params = { before, thread_id: undefined, limit }
      return (await querier.all<ThreadRow>(PRUNABLE[retention], params)).map(toThread)
    },
    prunableRecords: (before, limit) => listPrunableRecords(querier, records, { before, limit }),
    async lastEventBefore(before) {
      const [last] = await querier.all<{ event_id: number }>('event_last_before', { before })
      return last?.event_id ?? 0
    },
    async kept({ work, pushes }) {
      const statuses = FINISHED.filter(({ kind }) => kind === 'work').map(({ status }) => status)
      const params = { statuses, before: work }
      const [young, unread, shown] = await Promise.all([
        count(querier, 'work_young', params),
        querier.all<Unread>('work_unread', { ...params, limit: MOST_UNREAD }),
        count(querier, 'pushes_kept_shown', { before: pushes }),
      ])
      return { young, unread: threadsOf(unread), pushes: shown }
    },
    async mailTotals(before) {
      const [totals] = await querier.all<MailTotals>('mail_totals', { before })
      return totals ?? { messages: 0, unread: 0, old: 0 }
    },
  }
}

type Unread = { recipient: string; thread_id: string }

/** Enough to name the recipients for whom work is kept. */
const MOST_UNREAD = 10_000

function threadsOf(rows: readonly Unread[]): KeptThreads['unread'] {
  return [...Map.groupBy(rows, ({ recipient }) => recipient)]
    .map(([recipient, own]) => ({ recipient, n: new Set(own.map((one) => one.thread_id)).size }))
    .sort((a, b) => b.n - a.n || compare(a.recipient, b.recipient))
}

async function listPrunableRecords(
  querier: Querier,
  records: RecordList,
  filter: { before: Instant; limit: number },
): Promise<OldRecords> {
  const lists = prunedRecords(records).map(async (record) => {
    const rows = await askPrunable(querier, record, { ...filter, keys: undefined })
    return [record.table, rows.map(({ row_key }) => row_key)] as const
  })
  return new Map(await Promise.all(lists))
}

/** The final statuses of all kinds whose finished threads are pruned. */
const FINISHED = THREAD_KINDS.filter((kind) => KINDS[kind].retention === 'finished')
  .flatMap((kind) => statusesOf(kind).map((status) => ({ kind, status })))
  .filter(isFinished)

async function listPrunable(querier: Querier, filter: PruneFilter): Promise<Thread[]> {
  const { before, limit } = filter
  const read_only = filter.unreadToo ? undefined : 1
  const parts = await Promise.all(
    FINISHED.map((standing) =>
      querier.all<ThreadRow>('threads_prunable', { ...standing, before, limit, read_only }),
    ),
  )
  return parts
    .flat()
    .map(toThread)
    .sort((a, b) => compare(a.updated_at, b.updated_at) || compare(a.thread_id, b.thread_id))
    .slice(0, limit)
}
