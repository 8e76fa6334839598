// What senders ask: how far their messages have come, and who is there to write to.

import type { Delivery } from '../core/delivery.ts'
import type { Message } from '../core/message.ts'
import type { Turn } from '../core/push.ts'
import type { KnownAgent, Reads } from '../core/store.ts'
import { first, type Session } from './session.ts'

export function makeReceiptReads(
  session: Session,
): Pick<
  Reads,
  | 'hasGot'
  | 'deliveriesOf'
  | 'expired'
  | 'offWithMail'
  | 'sentBy'
  | 'knownAgents'
  | 'runningWake'
  | 'turnsOf'
> {
  return {
    deliveriesOf: ({ message_id, thread_id }) =>
      message_id === undefined
        ? session.all<Delivery>('deliveries_of_thread', { thread_id })
        : session.all<Delivery>('deliveries_of_message', { message_id, thread_id }),
    async hasGot(thread_id, recipient) {
      return (await session.all('delivery_in_thread', { thread_id, recipient })).length > 0
    },
    expired: (now, limit) => session.all<Delivery>('deliveries_expiring', { now, limit }),
    async offWithMail(limit) {
      const rows = await session.all<{ agent_id: string }>('agents_off_with_mail', { limit })
      return rows.map(({ agent_id }) => agent_id)
    },
    sentBy: ({ before, limit, agent: from_agent, ...who }) => {
      type Row = Omit<Message, 'artifacts'>
      if ('thread' in who) {
        const place = { thread_id: who.thread, before_seq: before?.seq }
        return session.all<Row>('messages_said_in', { ...place, from_agent, limit })
      }
      const place = { before_at: before?.created_at, before_message: before?.message_id }
      return session.all<Row>('messages_sent_by', { ...place, from_agent, limit })
    },
    knownAgents: async (names) =>
      names.length === 0 ? [] : session.all<KnownAgent>('agents_known', { agents: names }),
    turnsOf: (agent_id) => session.all<Turn>('turns_of', { agent_id }),
    runningWake: (agent_id) =>
      first(session.all<{ wake_id: string; hops: number }>('wake_running', { agent_id })),
  }
}
