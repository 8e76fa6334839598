import { asOf, type Delivery } from '../core/delivery.ts'
import { refuse } from '../core/error.ts'
import type { Message } from '../core/message.ts'
import type { Store } from '../core/store.ts'
import { id, int, required, self } from './field.ts'
import { seesEverything } from './inbox.ts'
import { type MailMessage, type Receipt, viewMail, viewReceipt } from './mail-view.ts'
import { ANYONE, query, unknownThread } from './operation.ts'

export type Receipts = {
  /** In the order they were sent. */
  messages: (MailMessage & { receipts: Receipt[] })[]
  next_event_id: number
}

type Said = Omit<Message, 'artifacts'>

export const mailReceipts = query({
  name: 'mail receipts',
  summary: 'Show how far what you sent has come, for each recipient.',
  about:
    'queued: it is in the inbox. presented: its text has gone out to the recipient. read: the recipient marked or opened it. acted: the recipient answered it, claimed the work it asks for, or was shown it and then said something in its thread. bounced and expired say why. Each step has its time and by what it is known. Without --message and --thread: the last ones you sent. Of long texts only the beginning is shown; show has them whole.',
  fields: {
    agent: required(self('who is asking')),
    message: id('only this message', { positional: true }),
    thread: id('only what was sent in this thread'),
    limit: int('at most so many messages', { min: 1, max: 500, default: '20' }),
  },
  set: 'mailbox',
  callers: ANYONE,
  refusals: ['invalid_input', 'not_found', 'forbidden'],
  check({ message, thread }) {
    if (message !== undefined && thread !== undefined) {
      throw refuse('invalid_input', '--message and --thread exclude each other; give one')
    }
  },
  async run({ store }, input): Promise<Receipts> {
    const next_event_id = await store.lastEventId()
    const sent = await chosen(store, input)
    const [deliveries, now] = await Promise.all([
      deliveriesOf(store, sent, input.thread),
      store.now(),
    ])
    const messages = sent.map((message) => ({
      ...viewMail(message),
      receipts: (deliveries.get(message.message_id) ?? []).map((one) =>
        viewReceipt(asOf(one, now)),
      ),
    }))
    return { messages, next_event_id }
  },
  nothing: ({ messages }) => messages.length === 0,
})

type Choice = {
  agent: string
  message?: string | undefined
  thread?: string | undefined
  limit?: number | undefined
}

async function chosen(store: Store, { agent, message, thread, limit = 20 }: Choice) {
  if (message !== undefined) return [await oneOf(store, agent, message)]
  if (thread === undefined) return (await store.sentBy({ agent }, limit)).reverse()
  const [state, sees] = await Promise.all([store.thread(thread), seesEverything(store, agent)])
  if (state === null) throw unknownThread(thread)
  return (await store.sentBy({ thread, agent: sees ? undefined : agent }, limit)).reverse()
}

async function oneOf(store: Store, agent: string, messageId: string): Promise<Said> {
  const message = await store.message(messageId)
  if (message === null) {
    throw refuse('not_found', `there is no message ${messageId}; see 'inbox mail receipts'`)
  }
  if (message.from_agent === agent || (await seesEverything(store, agent))) return message
  throw refuse(
    'forbidden',
    `${messageId} is from ${message.from_agent}; its receipts are for its sender, ask the orchestrator`,
  )
}

async function deliveriesOf(
  store: Store,
  sent: Said[],
  thread: string | undefined,
): Promise<Map<string, Delivery[]>> {
  const found =
    thread === undefined
      ? (await Promise.all(sent.map((one) => store.deliveriesOf(one)))).flat()
      : await store.deliveriesOf({ thread_id: thread })
  return Map.groupBy(found, ({ message_id }) => message_id)
}
