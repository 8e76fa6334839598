// Deliveries for their recipients, and for senders who ask how far a message has gotten. Read the same way on both
// engines.

import { isPerson } from '../../core/agents/agent.ts'
import type { Delivery } from '../../core/inbox/delivery.ts'
import type {
  InboxHead,
  InboxItem,
  InboxPlace,
  InboxReads,
  NamedMessage,
  SentMessage,
  SentPiece,
  StopItem,
} from '../../core/inbox/inbox-reads.ts'
import { plusSeconds } from '../../core/time.ts'
import { count, first, inLogOrder, type Querier, readFittingRows } from '../querier.ts'

/** How far the times of messages may differ from the commit order. */
const DISORDER_SECONDS = 60

/** People can keep messages unread and trash them. For an agent's mail, only the delivery state matters. */
function whose(recipient: string): { person: 1 | undefined; agent: 1 | undefined } {
  return isPerson(recipient) ? { person: 1, agent: undefined } : { person: undefined, agent: 1 }
}

const EVERYTHING = { unread: undefined, person: undefined, agent: undefined }

const UNHEARD_FIRST = ['queued', 'presented'] as const

export function makeInboxReads(querier: Querier): InboxReads {
  return {
    async inbox({ unreadOnly, since, ...filter }) {
      const { recipient, kinds, limit } = filter
      let { after } = filter
      let got = 0
      if (since !== undefined) {
        const before = plusSeconds(since, -DISORDER_SECONDS)
        const [anchor, same] = await Promise.all([
          first(querier.all<{ event_id: number }>('inbox_anchor', { recipient, since, before })),
          first(querier.all<{ event_id: number | null }>('inbox_got', { recipient, since })),
        ])
        if (anchor === null) return []
        got = same?.event_id ?? 0
        after = Math.max(after, anchor.event_id - 1)
      }
      const unread = unreadOnly ? { unread: 1, ...whose(recipient) } : EVERYTHING
      const params = { recipient, ...unread, after, since, got, kinds, limit }
      return readFittingRows(querier, 'inbox', params, inLogOrder<InboxItem>)
    },
    heads: ({ recipient, after, notFrom, limit }) =>
      querier.all<InboxHead>('inbox_heads', { recipient, after, not_from: notFrom, limit }),
    unread: (recipient) => count(querier, 'inbox_count', { recipient, ...whose(recipient) }),
    unreadPlaces: (recipient, first, last) =>
      querier.all<InboxPlace>('inbox_places', { recipient, first, last, ...whose(recipient) }),
    named: (recipient, messages) =>
      querier.all<NamedMessage>('inbox_named', { recipient, messages }),
    unreadIn: (recipient, threads) => querier.all<InboxPlace>('inbox_left', { recipient, threads }),
    async stopFor(recipient, thread_id = '') {
      const found = await querier.all('inbox_has_control', { recipient })
      if (found.length === 0) return null
      const params = { recipient, thread_id, states: UNHEARD_FIRST }
      return first(querier.all<StopItem>('inbox_stop', params))
    },
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

/** `candidates` is the number of messages that these were selected from. */
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
