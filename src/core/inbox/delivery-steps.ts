// Says what an event does to deliveries: which ones it creates, and how it moves existing ones. Rules (1) to (3), and
// what a delivery is, are in delivery.ts.
//
// (4) An agent that writes in a thread has acted on everything it was shown there, and on the message it answers by id.
//     An agent that claims has acted on what the claim handed over. On a work thread, an answer that names no message,
//     as in older logs, counts for the question its writer was shown or, failing that, the latest question it was
//     asked. Everything else is unchanged: queued messages still have to be shown. Renewing a lease doesn't count as
//     writing. A channel has many conversations at once, so only an answer by id counts there, and only for that
//     message.
// (5) An agent that takes mail from a role's queue gets it as a new delivery, created by that event, so a reader whose
//     cursor is past the original message still finds it.
// (6) An agent that claims a thread takes over the deliveries of the previous assignee or, for a role's work, of the
//     members that had received it. Queued deliveries become the claimer's, as from a role's queue. Deliveries that the
//     claim hands over and those already presented expire.

import { isRole } from '../agents/address.ts'
import { EVENTS, type Facts, type ThreadEvent, timeInLog } from '../event.ts'
import type { Message } from '../threads/message.ts'
import type { Instant } from '../time.ts'
import { type Delivery, mayBecome, type NewDelivery } from './delivery.ts'
import type { DeliveryFacts } from './delivery-facts.ts'

/** The deliveries an event creates: those named in its facts or, on a work thread, one to the message's addressee. */
export function deliveriesOf(event: ThreadEvent): NewDelivery[] {
  const { message, facts, thread_id } = event
  if (facts.type === 'delivery_take') {
    const { recipient, taken } = facts
    return taken.map((one) => ({
      ...one,
      recipient,
      thread_id,
      state: 'queued',
      queued_at: timeInLog(event),
      read_at: null,
      read_by: null,
    }))
  }
  if (message === null) return []
  const named = 'recipients' in facts ? facts : null
  const recipients = named?.recipients ?? workRecipients(message, facts)
  const read_by = (named && 'read_by' in named && named.read_by) || null
  return recipients.map((recipient) => ({
    recipient,
    message_id: message.message_id,
    thread_id: message.thread_id,
    seq: message.seq,
    kind: message.kind,
    state: read_by === null ? 'queued' : 'read',
    queued_at: timeInLog(event),
    expires_at: named !== null && 'expires_at' in named ? named.expires_at : null,
    read_at: read_by === null ? null : event.at,
    read_by,
  }))
}

function workRecipients({ kind, from_agent, to_agent }: Message, facts: Facts): string[] {
  if (facts.type === 'thread_send' && facts.recipients !== undefined) return facts.recipients
  // A cancellation doesn't wait in a queue, because no one works on the thread anymore. In older logs this applies to
  // all control messages.
  if (kind === 'event' || (kind === 'control' && isRole(to_agent))) return []
  return from_agent === to_agent ? [] : [to_agent]
}

/** A change of existing deliveries. The store makes the same changes in SQL. */
export type Step =
  | { to: 'presented' | 'read'; recipient: string; messages: string[]; by: string }
  | { to: 'bounced' | 'expired'; recipient: string; messages: string[]; reason: string }
  /** All of this recipient's deliveries up to a place in the thread. */
  | { to: 'read'; recipient: string; upto: number; by: string }
  /** All messages this recipient was shown, plus messages it acted on without being shown them. */
  | { to: 'acted'; recipient: string; by: string; also: Also }
  | { to: 'acted'; recipient: string; by: string; messages: string[] }
  /** All deliveries to an assignee that lost the thread. */
  | { to: 'expired'; recipient: string; reason: string }
  /** Taken from a role's queue, or from the agent that lost the thread. */
  | { to: 'taken'; recipient: string; messages: string[] }
  | { to: 'unread'; recipient: string; messages: string[] }
  /** Removed along with the messages' content. */
  | { to: 'removed'; recipient: string }

/** The named messages, the thread's first message, or the question that an answer must belong to. */
export type Also = { messages: string[] } | 'first' | 'question'

export function stepsOf(event: ThreadEvent, assignee: string | null): Step[] {
  const { facts, agent } = event
  if (EVENTS[facts.type].erases) {
    const named = ('recipients' in facts && facts.recipients) || []
    return named.map((recipient) => ({ to: 'removed', recipient }))
  }
  switch (facts.type) {
    case 'delivery_present':
      return [{ to: 'presented', ...named(facts), by: facts.by }]
    case 'delivery_read':
      return [{ to: 'read', ...named(facts), by: facts.by }]
    case 'delivery_bounce':
      return [{ to: 'bounced', ...named(facts), reason: facts.reason }]
    case 'delivery_expire':
      return [{ to: 'expired', ...named(facts), reason: facts.reason }]
    case 'delivery_take':
      return [{ to: 'taken', recipient: facts.from, messages: facts.taken.map(idOf) }]
    case 'delivery_unread':
      return [{ to: 'unread', ...named(facts) }]
    case 'thread_read':
      return [{ to: 'read', recipient: agent, upto: facts.seq, by: 'show' }]
    case 'thread_claim': {
      // Older logs don't record what a claim handed over, but it was the message that asks for the work.
      const also: Also = facts.handed === undefined ? 'first' : { messages: facts.handed }
      const acted: Step = { to: 'acted', recipient: agent, by: facts.type, also }
      const others = [assignee, ...(facts.instead_of ?? [])].filter((one) => one !== null)
      const reason = `claimed by ${agent}`
      const over = others.filter((recipient) => recipient !== agent)
      return [acted, ...over.map((recipient): Step => ({ to: 'expired', recipient, reason }))]
    }
    case 'thread_renew':
      return []
    case 'channel_say': {
      const answered = event.message?.in_reply_to ?? null
      if (answered === null) return []
      return [{ to: 'acted', recipient: agent, by: facts.type, messages: [answered] }]
    }
    case 'channel_end': {
      const reason = 'a new run began'
      return facts.settles.map((recipient) => ({ to: 'expired', recipient, reason }))
    }
    default:
      if (event.message === null) return []
      return [
        { to: 'acted', recipient: agent, by: facts.type, also: answered(event.message, facts) },
        ...endOthers(event),
      ]
  }
}

/** Once one person has decided, the others have nothing left to do. */
function endOthers({ facts, agent }: ThreadEvent): Step[] {
  if (!('settles' in facts)) return []
  const reason = `settled by ${agent}`
  return facts.settles.map((recipient) => ({ to: 'expired', recipient, reason }))
}

function answered({ in_reply_to, kind }: Message, { type }: Facts): Also {
  if (in_reply_to !== null) return { messages: [in_reply_to] }
  return type === 'thread_reply' && kind === 'answer' ? 'question' : { messages: [] }
}

function named({ recipient, messages }: DeliveryFacts) {
  return { recipient, messages }
}

function idOf({ message_id }: Pick<Delivery, 'message_id'>): string {
  return message_id
}

function notKept(delivery: Delivery): Delivery {
  return delivery.unread_at === null ? delivery : { ...delivery, unread_at: null }
}

/** Applies the step, as replay does, to all deliveries to its recipient in the thread. */
export function stepAll(inbox: readonly Delivery[], step: Step, at: Instant): Delivery[] {
  const isAsked = step.to === 'acted' && 'also' in step && step.also === 'question'
  const meant = isAsked ? asked(inbox, step) : step
  return inbox.flatMap((delivery) => stepDelivery(delivery, meant, at) ?? [])
}

function asked(inbox: readonly Delivery[], step: Extract<Step, { also: Also }>): Step {
  const questions = inbox.filter(({ kind }) => kind === 'question')
  const isShown = questions.some(({ state }) => state === 'presented' || state === 'read')
  const last = Math.max(...questions.map(({ seq }) => seq))
  const latest = isShown ? [] : questions.filter(({ seq }) => seq === last)
  return { ...step, also: { messages: latest.map(idOf) } }
}

function isMeant({ message_id, seq }: Delivery, also: Also): boolean {
  return also === 'first' ? seq === 1 : also !== 'question' && also.messages.includes(message_id)
}

/** One delivery after a step: changed, unchanged if the step doesn't concern it, or null if it was removed. */
export function stepDelivery(delivery: Delivery, step: Step, at: Instant): Delivery | null {
  if (delivery.recipient !== step.recipient) return delivery
  if ('messages' in step && !step.messages.includes(delivery.message_id)) return delivery
  if ('upto' in step && delivery.seq > step.upto) return delivery
  switch (step.to) {
    case 'taken':
      return delivery.state === 'queued' ? null : delivery
    case 'presented':
      if (!mayBecome(delivery.state, 'presented')) return delivery
      return { ...delivery, state: 'presented', presented_at: at, presented_by: step.by }
    case 'unread':
      if (delivery.state !== 'read' && delivery.state !== 'acted') return delivery
      return { ...delivery, unread_at: delivery.unread_at ?? at }
    case 'removed':
      return null
    case 'read':
      if (!mayBecome(delivery.state, 'read')) return notKept(delivery)
      return { ...delivery, state: 'read', read_at: at, read_by: step.by }
    case 'acted':
      if (!mayBecome(delivery.state, 'acted')) return notKept(delivery)
      if ('also' in step && delivery.state === 'queued' && !isMeant(delivery, step.also)) {
        return delivery
      }
      return { ...delivery, state: 'acted', acted_at: at, acted_by: step.by, unread_at: null }
    default:
      if (!mayBecome(delivery.state, step.to)) return delivery
      return { ...delivery, state: step.to, ended_at: at, reason: step.reason }
  }
}
