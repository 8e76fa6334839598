// The reads of people who look at channels from outside, alike on both engines.

import type {
  ChannelStanding,
  OverviewLooks,
  SaidLast,
} from '../../core/workflows/channel-reads.ts'
import { HELD_INSTANCES } from '../../core/workflows/instance-record.ts'
import type { Querier } from '../querier.ts'
import { type StoredRow, toRecord } from '../record-row.ts'

export function makeOverviewLooks(querier: Querier): OverviewLooks {
  return {
    async endedInstances({ before, limit }) {
      const place = { before: before?.ended_at, before_instance: before?.instance }
      const rows = await querier.all<StoredRow>('instances_ended', { ...place, limit })
      return rows.map((row) => toRecord(HELD_INSTANCES, row))
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
