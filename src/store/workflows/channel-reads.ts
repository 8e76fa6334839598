// The reads of instances and their channels, alike on both engines.

import type { InboxPlace } from '../../core/inbox/inbox-reads.ts'
import type { EntryMessage } from '../../core/workflows/channel.ts'
import type { ChannelLooks, ChannelReads } from '../../core/workflows/channel-reads.ts'
import type { HeldInstance, RunnerLease } from '../../core/workflows/instance.ts'
import { INSTANCES } from '../../core/workflows/instance-record.ts'
import { first, type Querier } from '../querier.ts'
import { type StoredRow, toRecord } from '../record-row.ts'
import { type ThreadRow, toThread } from '../threads/thread-row.ts'

export type InstanceRow = StoredRow & RunnerLease

export function makeChannelReads(querier: Querier): ChannelReads {
  return {
    async instance(instance) {
      const row = await first(querier.all<InstanceRow>('instance_get', { instance }))
      return row && toInstance(row)
    },
    async instanceInDir(dir) {
      const row = await first(querier.all<InstanceRow>('instance_in_dir', { dir }))
      return row && toInstance(row)
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
      const rows = await querier.all<InstanceRow>('instances_list', { after, limit, state })
      return rows.map(toInstance)
    },
  }
}

export async function lockInstance(
  querier: Querier,
  instance: string,
): Promise<HeldInstance | null> {
  const row = await first(querier.all<InstanceRow>('instance_lock', { instance }))
  return row && toInstance(row)
}

export function toInstance(row: InstanceRow): HeldInstance {
  const { token, expires_at, pid, log, socket, url } = row
  return { ...toRecord(INSTANCES, row), token, expires_at, pid, log, socket, url }
}
