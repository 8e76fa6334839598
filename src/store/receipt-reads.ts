// What senders ask: how far their messages have come, and who is there to write to.

import type { Delivery } from '../core/delivery.ts'
import type { Message } from '../core/message.ts'
import type { KnownAgent, Reads } from '../core/store.ts'
import { first, type Session } from './session.ts'

export function makeReceiptReads(
  session: Session,
): Pick<
  Reads,
  'deliveriesOf' | 'expired' | 'offWithMail' | 'sentBy' | 'knownAgents' | 'runningWake'
> {
  return {
    deliveriesOf: ({ message_id, thread_id }) =>
      message_id === undefined
        ? session.all<Delivery>('deliveries_of_thread', { thread_id })
        : session.all<Delivery>('deliveries_of_message', { message_id, thread_id }),
    expired: (now, limit) => session.all<Delivery>('deliveries_expiring', { now, limit }),
    async offWithMail(limit) {
      const rows = await session.all<{ agent_id: string }>('agents_off_with_mail', { limit })
      return rows.map(({ agent_id }) => agent_id)
    },
    sentBy: (who, limit) => {
      type Row = Omit<Message, 'artifacts'>
      const params = { from_agent: who.agent, limit }
      return 'thread' in who
        ? session.all<Row>('messages_said_in', { ...params, thread_id: who.thread })
        : session.all<Row>('messages_sent_by', params)
    },
    knownAgents: async (names) =>
      names.length === 0 ? [] : session.all<KnownAgent>('agents_known', { agents: names }),
    runningWake: (agent_id) =>
      first(session.all<{ wake_id: string; hops: number }>('wake_running', { agent_id })),
  }
}
