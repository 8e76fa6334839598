// The reads of instances and their channels, alike on both engines.

import type { InboxPlace } from '../../core/inbox/inbox-reads.ts'
import type { EntryMessage } from '../../core/workflows/channel.ts'
import type { ChannelLooks, ChannelReads } from '../../core/workflows/channel-reads.ts'
import { HELD_INSTANCES } from '../../core/workflows/instance-record.ts'
import { first, type Querier } from '../querier.ts'
import { makeRecordReads } from '../record-reads.ts'
import { type StoredRow, toRecord } from '../record-row.ts'
import { type ThreadRow, toThread } from '../threads/thread-row.ts'

export function makeChannelReads(querier: Querier): ChannelReads {
  return {
    instance: (name) => makeRecordReads(querier).rowOf(HELD_INSTANCES, name),
    async instanceInDir(dir) {
      const row = await first(querier.all<StoredRow>('instance_in_dir', { dir }))
      return row && toRecord(HELD_INSTANCES, row)
    },
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
    async prunableChannels(before, limit) {
      const params = { before, thread_id: undefined, limit }
      return (await querier.all<ThreadRow>('channels_prunable', params)).map(toThread)
    },
    async instances({ running, after = '', limit }) {
      const state = running ? 'running' : undefined
      const rows = await querier.all<StoredRow>('instances_list', { after, limit, state })
      return rows.map((row) => toRecord(HELD_INSTANCES, row))
    },
  }
}
