// The keeper's side of a store, the same on both engines except for what each engine supplies.

import type { AgentFields } from '../../core/agents/agent-record.ts'
import type { DeskPlace } from '../../core/desk/desk-reads.ts'
import type { LoggedEvent } from '../../core/event.ts'
import type { Delivery } from '../../core/inbox/delivery.ts'
import { deliveriesOf } from '../../core/inbox/delivery-steps.ts'
import {
  COMMANDS_CAME,
  type Keeper,
  LOADING,
  type LogEntry,
  type MailboxItem,
} from '../../core/keeping/keeper.ts'
import { isOfNoThread, toEvent, toStoreEvent, withoutWords } from '../../core/keeping/replay.ts'
import type { MailFacts } from '../../core/mail/mail-facts.ts'
import type { RecordList } from '../../core/record.ts'
import { RECORDS } from '../../core/records.ts'
import { evolve, type ReadMark, type ThreadState } from '../../core/threads/evolve.ts'
import type { Lease } from '../../core/threads/lease.ts'
import type { Artifact, Message } from '../../core/threads/message.ts'
import { deskWrites, findSnoozedThread, isOnDesks } from '../desk/desk-row-writes.ts'
import { type EntryRow, withArtifacts } from '../pushes/push-reads.ts'
import {
  count,
  first,
  inLogOrder,
  type Querier,
  readFittingRows,
  readSetting,
  type Write,
} from '../querier.ts'
import { recordsPage } from '../record-reads.ts'
import { recordWrites } from '../record-writes.ts'
import { writesFor } from '../thread-event-writes.ts'
import { compare, type ThreadRow, toThread } from '../threads/thread-row.ts'

const STORE_ID = 'store_id'

export type EngineKeeper = Pick<Keeper, 'backup' | 'inspect' | 'forgetRemoved'> & {
  batch(writes: Write[]): Promise<void>
  /**
   * If the log ends at `endsAt`, runs the writes in one transaction during which no one else can append to it.
   * Otherwise, returns false. The next event id will be greater than all existing ones, and than `past` if given.
   */
  batchAt(log: { endsAt: number; past?: number }, writes: Write[]): Promise<boolean>
}

export function makeKeeper(querier: Querier, engine: EngineKeeper, records = RECORDS): Keeper {
  return {
    async log(after, limit) {
      const page = { after, limit }
      const events = await readFittingRows(querier, 'log_events', page, inLogOrder<LoggedEvent>)
      const upto = events.at(-1)?.event_id
      if (upto === undefined) return []
      const [messages, artifacts] = await Promise.all([
        querier.all<Omit<Message, 'artifacts'>>('log_messages', { after, upto }),
        querier.all<Artifact>('log_artifacts', { after, upto }),
      ])
      const byId = new Map<string, Message>(
        messages.map((message) => [message.message_id, { ...message, artifacts: [] }]),
      )
      for (const artifact of artifacts) byId.get(artifact.message_id)?.artifacts.push(artifact)
      return events.map((event) => ({
        event,
        message: event.message_id === null ? null : (byId.get(event.message_id) ?? null),
      }))
    },

    async logByThread(after, limit) {
      const params = { after_thread: after.thread_id, after_event: after.event_id, limit }
      return (await querier.all<ReplayRow>('log_by_thread', params)).map(toEntry)
    },
    async threadsPage(after, limit, upto) {
      return (await querier.all<ThreadRow>('threads_page', { after, limit, upto })).map(toThread)
    },
    leasesPage: (after, limit, upto) => querier.all<Lease>('leases_page', { after, limit, upto }),
    readsPage: (after, limit, upto) =>
      querier.all<ReadMark>('reads_page', {
        after_thread: after.thread_id,
        after_agent: after.agent_id,
        limit,
        upto,
      }),
    deliveriesPage: (after, limit, upto) =>
      querier.all<Delivery>('deliveries_page', {
        after_thread: after.thread_id,
        after_recipient: after.recipient,
        after_event: after.event_id,
        limit,
        upto,
      }),
    async deskRows(now, after, upto) {
      const params = { writes: undefined, thread_id: undefined, after, upto, now }
      const [stored, made] = await Promise.all([
        querier.all<DeskPlace>('desk_rows_page', { after, upto }),
        querier.all<DeskPlace>('desk_fill', params),
      ])
      return { stored, made }
    },
    messagesBetween: (after, upto) => count(querier, 'messages_between', { after, upto }),
    recordsPage: (record, after, limit, upto) =>
      recordsPage(querier, record, { after, limit, upto }),
    async entriesPage(after, limit) {
      const page = { after, limit }
      const rows = await readFittingRows(querier, 'entries_page', page, inLogOrder<EntryRow>)
      return withArtifacts(querier, rows)
    },
    firstEventAfter: (moment) => first(querier.all<LoggedEvent>('event_after_moment', { moment })),
    mailWaiting: (before) => querier.all('mail_waiting', { before }),
    mailboxByTime: async (after, limit) => {
      const from = { after_at: after.created_at, after_message: after.message_id, limit }
      return (await readFittingRows(querier, 'mailbox_by_time', from, byTime)).map(toMailboxItem)
    },
    mailboxByEvent: async (after, limit) => {
      type Row = MailboxRow & { event_id: number }
      const page = { after, limit }
      const rows = await readFittingRows(querier, 'mailbox_by_event', page, inLogOrder<Row>)
      return rows.map(toMailboxItem)
    },
    setting: (name) => readSetting(querier, name),

    async storeId(fresh) {
      const known = await readSetting(querier, STORE_ID)
      if (known !== null) return known
      // Two callers may be first at the same time: one insert wins, and both read the winner's id.
      await engine.batch([{ query: 'setting_put_new', params: { name: STORE_ID, value: fresh } }])
      return (await readSetting(querier, STORE_ID)) ?? fresh
    },

    async load(batch, { by, endsAt, now }) {
      const writes: Write[] = [{ query: 'setting_put', params: { name: LOADING, value: 'yes' } }]
      // A file must not choose which programs run here.
      if (batch.some(({ entry }) => bringsCommand(entry))) {
        writes.push({ query: 'setting_put', params: { name: COMMANDS_CAME, value: 'yes' } })
      }
      for (const loaded of batch) writes.push(...loadWrites(loaded, by, records))
      for (const thread of threadsOnDesks(batch)) writes.push(...deskWrites(thread, now))
      return engine.batchAt({ endsAt }, writes)
    },

    async finishLoad({ floor, store, endsAt }) {
      const writes: Write[] = [
        { query: 'setting_put', params: { name: 'event_floor', value: String(floor) } },
        { query: 'setting_delete', params: { name: LOADING } },
      ]
      if (store !== null) {
        writes.push({ query: 'setting_put', params: { name: STORE_ID, value: store } })
      }
      return engine.batchAt({ endsAt, past: floor }, writes)
    },

    backup: (file) => engine.backup(file),
    forgetRemoved: (mostBytes) => engine.forgetRemoved(mostBytes),
    inspect: () => engine.inspect(),
  }
}

type FoundMessage = { found_id: string; found_in: string } & Pick<
  Message,
  'seq' | 'from_agent' | 'to_agent' | 'kind' | 'in_reply_to'
>
type ReplayRow = LoggedEvent & (FoundMessage | Record<keyof FoundMessage, null>)

function toEntry(row: ReplayRow): LogEntry {
  const { found_id, found_in, seq, from_agent, to_agent, kind, in_reply_to, ...event } = row
  if (found_id === null) return { event, message: null }
  const said = { message_id: found_id, thread_id: found_in, seq, from_agent, to_agent, kind }
  const message = withoutWords({ ...said, in_reply_to, created_at: event.created_at })
  return { event, message }
}

/** The writes for an event and its effects, in the order the store originally made them. */
function loadWrites(
  { before, entry }: { before: ThreadState | null; entry: LogEntry },
  by: string | null,
  records: RecordList,
): Write[] {
  const { event, message: said } = entry
  const insert: Write = { query: 'event_insert_at', params: { ...event } }
  if (isOfNoThread(event)) return [...recordWrites(toStoreEvent(event), records), insert]
  const { imported_by = by } = JSON.parse(event.payload_json) as Pick<MailFacts, 'imported_by'>
  const change = toEvent(event, said === null ? null : { ...said, imported_by })
  const { event_id } = event
  const made = deliveriesOf(change).map(
    (delivery): Write => ({ query: 'delivery_insert', params: { ...delivery, event_id } }),
  )
  const writes = writesFor(before, evolve(before, change), change)
  return [...writes, ...recordWrites(change, records), insert, ...made]
}

/** The threads whose desk rows may change with these entries. */
function threadsOnDesks(batch: { before: ThreadState | null; entry: LogEntry }[]): Set<string> {
  const threads = batch.flatMap(({ before, entry: { event, message } }) => {
    if (isOfNoThread(event)) return findSnoozedThread(toStoreEvent(event)) ?? []
    const change = toEvent(event, message)
    const isOn = isOnDesks(before, change, { deliveries: deliveriesOf(change) })
    return isOn ? [event.thread_id] : []
  })
  return new Set(threads)
}

function bringsCommand({ event }: LogEntry): boolean {
  if (event.event_type === 'effect_set') return true
  if (event.event_type !== 'agent_register') return false
  const { wake } = JSON.parse(event.payload_json) as Pick<AgentFields, 'wake'>
  return wake.command !== undefined
}

type MailboxRow = Omit<MailboxItem, 'standing'> & { furthest: number; facts_json: string | null }

function byTime(a: MailboxRow, b: MailboxRow): number {
  return compare(a.created_at, b.created_at) || compare(a.message_id, b.message_id)
}

/** A message without recipients counts as read, unless it was imported and never reached anyone. */
function toMailboxItem<Row extends MailboxRow>({ furthest, facts_json, ...item }: Row) {
  const facts: Pick<MailFacts, 'ended'> = JSON.parse(facts_json ?? '{}')
  const forNobody = facts.ended ?? 'read'
  const standing = ([forNobody, 'expired', 'bounced', 'read', 'unread'] as const)[furthest]
  return { ...item, standing: standing ?? forNobody }
}
