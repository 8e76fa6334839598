// Agents and deliveries, read alike on both engines.

import { type Agent, isPerson, type SeenAgent } from '../core/agent.ts'
import type {
  AgentNotes,
  InboxHead,
  InboxItem,
  NamedMessage,
  Place,
  Reads,
  SaidIn,
} from '../core/store.ts'
import { plusSeconds } from '../core/time.ts'
import { fitting, inLogOrder } from './fitting.ts'
import type { makeIdentityReads } from './identity-reads.ts'
import type { makeReceiptReads } from './receipt-reads.ts'
import { first, type Session } from './session.ts'
import type { makeWakeReads } from './wake-reads.ts'

/** An agent as it lies in its row: JSON as text, a flag as a number. */
export type AgentRow = Omit<Agent, 'wake' | 'may_write_to_user'> & {
  wake_json: string
  may_write_to_user: number
}

type SeenRow = AgentRow & Pick<SeenAgent, 'seen_at' | 'waiting_until' | 'leased_until'>

export function toAgentRow({ wake, may_write_to_user, ...agent }: Agent): AgentRow {
  return {
    ...agent,
    wake_json: JSON.stringify(wake),
    may_write_to_user: may_write_to_user ? 1 : 0,
  }
}

export function toAgent<Row extends AgentRow>({ wake_json, may_write_to_user, ...row }: Row) {
  return { ...row, wake: JSON.parse(wake_json), may_write_to_user: may_write_to_user === 1 }
}

/** What the other reads see to. */
type ThreadRead =
  | 'now'
  | 'thread'
  | 'message'
  | 'asking'
  | 'messages'
  | 'hasWritten'
  | 'lastEventId'
  | 'everHeld'
  | 'readMark'
  | keyof ReturnType<typeof makeIdentityReads>
  | keyof ReturnType<typeof makeReceiptReads>
  | 'people'
  | 'pushRow'
  | keyof ReturnType<typeof makeWakeReads>

/** By how much the times of two messages may contradict the order in which they were committed. */
const DISORDER_SECONDS = 60

/** People keep things unread and put them away; of an agent's mail the state alone says what is unread. */
function whose(recipient: string): { person: 1 | undefined; agent: 1 | undefined } {
  return isPerson(recipient) ? { person: 1, agent: undefined } : { person: undefined, agent: 1 }
}

const EVERYTHING = { unread: undefined, person: undefined, agent: undefined }

export function makeInboxReads(session: Session): Omit<Reads, ThreadRead> {
  const agents = async (filter: {
    agent_id?: string | undefined
    role?: string | undefined
    instance?: string | undefined
    parent?: string | undefined
    after?: string | undefined
    limit?: number | undefined
  }) => {
    const { agent_id, role, instance, parent, after, limit } = filter
    const params = { agent_id, role, instance, parent, after, limit }
    const rows = await session.all<SeenRow>('agents_seen', params)
    return rows.map(toAgent)
  }
  return {
    agent: async (agentId) => (await agents({ agent_id: agentId }))[0] ?? null,
    agents,
    async hasPerson(personId) {
      return (await session.all('person_get', { person_id: personId })).length > 0
    },
    async inbox({ unreadOnly, since, ...filter }) {
      const { recipient, kinds, limit } = filter
      let { after } = filter
      let got = 0
      if (since !== undefined) {
        const before = plusSeconds(since, -DISORDER_SECONDS)
        const [anchor, same] = await Promise.all([
          first(session.all<{ event_id: number }>('inbox_anchor', { recipient, since, before })),
          first(session.all<{ event_id: number | null }>('inbox_got', { recipient, since })),
        ])
        if (anchor === null) return []
        got = same?.event_id ?? 0
        after = Math.max(after, anchor.event_id - 1)
      }
      const unread = unreadOnly ? { unread: 1, ...whose(recipient) } : EVERYTHING
      const params = { recipient, ...unread, after, since, got, kinds, limit }
      return fitting(session, 'inbox', params, inLogOrder<InboxItem>)
    },
    heads: ({ recipient, after, notFrom, limit }) =>
      session.all<InboxHead>('inbox_heads', { recipient, after, not_from: notFrom, limit }),
    async unread(recipient) {
      const row = await first(
        session.all<{ n: number }>('inbox_count', { recipient, ...whose(recipient) }),
      )
      return row?.n ?? 0
    },
    unreadPlaces: (recipient, first, last) =>
      session.all<Place>('inbox_places', { recipient, first, last, ...whose(recipient) }),
    named: (recipient, messages) =>
      session.all<NamedMessage>('inbox_named', { recipient, messages }),
    unreadIn: (recipient, threads) => session.all<Place>('inbox_left', { recipient, threads }),
    stopFor: (recipient) => first(session.all<InboxItem>('inbox_control', { recipient })),
  }
}

export async function readAgentNotes(
  session: Session,
  first: string,
  last: string,
): Promise<AgentNotes> {
  const params = { first, last }
  const [unread, said] = await Promise.all([
    session.all<{ agent_id: string; n: number }>('agents_unread', params),
    session.all<SaidIn & { agent_id: string }>('agents_said', params),
  ])
  return {
    unread: new Map(unread.map(({ agent_id, n }) => [agent_id, n])),
    said: new Map(said.map(({ agent_id, ...words }) => [agent_id, words])),
  }
}
