// The messages that senders sent, and how far they have come.

import type { Delivery } from '../../core/inbox/delivery.ts'
import type { ReceiptReads, SentMessage, SentPiece } from '../../core/inbox/inbox-reads.ts'
import { readFittingRows } from '../fitting-rows.ts'
import type { Querier } from '../querier.ts'

export function makeReceiptReads(querier: Querier): ReceiptReads {
  return {
    deliveriesOf: ({ message_id, thread_id }) =>
      message_id === undefined
        ? querier.all<Delivery>('deliveries_of_thread', { thread_id })
        : querier.all<Delivery>('deliveries_of_message', { message_id, thread_id }),
    async hasGot(thread_id, recipient) {
      return (await querier.all('delivery_in_thread', { thread_id, recipient })).length > 0
    },
    expired: (now, limit) => querier.all<Delivery>('deliveries_expiring', { now, limit }),
    async sentBy({ before, limit, agent: from_agent, ...who }) {
      if ('thread' in who) {
        const place = { thread_id: who.thread, before_seq: before?.seq, from_agent, limit }
        return pieceOf(await readFittingRows(querier, 'messages_said_in', place, lastFirst))
      }
      const { created_at: before_at, message_id: before_message } = before ?? {}
      const place = { before_at, before_message, from_agent, limit }
      return pieceOf(await readFittingRows(querier, 'messages_sent_by', place, latestFirst))
    },
  }
}

/** `candidates` counts the messages from which these were taken. */
type SentRow = SentMessage & { candidates: number }

function pieceOf(rows: SentRow[]): SentPiece {
  const isCut = rows.length < (rows[0]?.candidates ?? 0)
  return { sent: rows.map(({ candidates: _, ...message }) => message), isCut }
}

function lastFirst(a: SentRow, b: SentRow): number {
  return b.seq - a.seq
}

function latestFirst(a: SentRow, b: SentRow): number {
  const isLater =
    a.created_at === b.created_at ? a.message_id > b.message_id : a.created_at > b.created_at
  return isLater ? -1 : 1
}
