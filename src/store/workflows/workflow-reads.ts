import type { InboxPlace } from '../../core/inbox/inbox-reads.ts'
import type { EntryMessage } from '../../core/workflows/channel.ts'
import { DOCUMENT_REVISIONS, holdsText } from '../../core/workflows/document-record.ts'
import { HELD_INSTANCES } from '../../core/workflows/instance-record.ts'
import type {
  ChannelLooks,
  ChannelReads,
  ChannelStanding,
  DocumentLooks,
  DocumentReads,
  OverviewLooks,
  SaidLast,
} from '../../core/workflows/workflow-reads.ts'
import type { Params } from '../compile.ts'
import { first, type Querier } from '../querier.ts'
import type { QueryName } from '../query-name.gen.ts'
import { makeRecordReads, readRecords } from '../record-reads.ts'

export function makeChannelReads(querier: Querier): ChannelReads {
  return {
    instance: (name) => makeRecordReads(querier).rowOf(HELD_INSTANCES, name),
    instanceInDir: (dir) => first(readRecords(querier, HELD_INSTANCES, 'instance_in_dir', { dir })),
    async entries(filter) {
      const { thread: thread_id, limit } = filter
      if ('after' in filter) {
        const params = { thread_id, limit, after: filter.after }
        return querier.all<EntryMessage>('channel_entries', params)
      }
      const params = { thread_id, limit, before: filter.before }
      const rows = await querier.all<EntryMessage>('channel_last', params)
      return rows.reverse()
    },
    async entriesUntil(thread_id, at) {
      const row = await first(querier.all<{ seq: number }>('channel_until', { thread_id, at }))
      return row?.seq ?? 0
    },
    async deliveryPlace(which) {
      const row = await first(querier.all<{ event_id: number }>('delivery_place', which))
      return row?.event_id ?? null
    },
    unreadUntil: (recipient, at) => querier.all<InboxPlace>('inbox_until', { recipient, at }),
    async entriesInTurn({ agent, thread: thread_id, limit }) {
      const params = { agent, thread_id, limit }
      const row = await first(querier.all<{ count: number }>('entries_in_turn', params))
      return Number(row?.count ?? 0)
    },
    async recipientsWaiting(thread_id) {
      const rows = await querier.all<{ recipient: string }>('unread_in', { thread_id })
      return rows.map(({ recipient }) => recipient)
    },
  }
}

export function makeChannelLooks(querier: Querier): ChannelLooks {
  return {
    instances: ({ running, after = '', limit }) =>
      readRecords(querier, HELD_INSTANCES, 'instances_list', {
        after,
        limit,
        state: running ? 'running' : undefined,
      }),
  }
}

/** For people who look at channels from the outside. */
export function makeOverviewLooks(querier: Querier): OverviewLooks {
  return {
    endedInstances({ before, limit }) {
      const place = { before: before?.ended_at, before_instance: before?.instance }
      return readRecords(querier, HELD_INSTANCES, 'instances_ended', { ...place, limit })
    },
    channelStandings: (threads) => querier.all<ChannelStanding>('channels_standing', { threads }),
    async unreadInChannels(recipient, threads) {
      type Row = { thread_id: string; unread: number }
      const rows = await querier.all<Row>('channels_unread', { recipient, threads })
      return new Map(rows.map(({ thread_id, unread }) => [thread_id, unread]))
    },
    async unreadOfAgents(agents) {
      type Row = { recipient: string; unread: number }
      const rows = await querier.all<Row>('members_unread', { agents })
      return new Map(rows.map(({ recipient, unread }) => [recipient, unread]))
    },
    lastSaid: (agents) => querier.all<SaidLast>('members_said', { agents }),
  }
}

/** Higher than the number of versions that a document keeps, so the result includes those over the limit. */
const MOST_KEPT = 200

export function makeDocumentReads(querier: Querier): DocumentReads {
  return {
    revision: (document, revision) =>
      first(readRevisions(querier, 'revision_get', { ...document, revision })),
    async revisionText(thread_id) {
      type Said = { body: string; payload_json: string }
      const said = await first(querier.all<Said>('revision_text', { thread_id }))
      return said !== null && holdsText(said.payload_json) ? said.body : null
    },
    keptRevisions: (document) =>
      readRevisions(querier, 'revisions_kept', { ...document, limit: MOST_KEPT }),
  }
}

export function makeDocumentLooks(querier: Querier): DocumentLooks {
  return {
    revisions(filter) {
      const query = filter.file === undefined ? 'revisions_of_instance' : 'revisions_of_document'
      return readRevisions(querier, query, filter)
    },
  }
}

function readRevisions(querier: Querier, query: QueryName, params: Params) {
  return readRecords(querier, DOCUMENT_REVISIONS, query, params)
}
