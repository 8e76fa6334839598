// The messages that senders sent, and how far they have come.

import type { Delivery } from '../../core/inbox/delivery.ts'
import type { ReceiptReads } from '../../core/inbox/inbox-reads.ts'
import type { Message } from '../../core/threads/message.ts'
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
    sentBy: ({ before, limit, agent: from_agent, ...who }) => {
      type Row = Omit<Message, 'artifacts'>
      if ('thread' in who) {
        const place = { thread_id: who.thread, before_seq: before?.seq }
        return querier.all<Row>('messages_said_in', { ...place, from_agent, limit })
      }
      const place = { before_at: before?.created_at, before_message: before?.message_id }
      return querier.all<Row>('messages_sent_by', { ...place, from_agent, limit })
    },
  }
}
