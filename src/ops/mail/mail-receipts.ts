import { refuse } from '../../core/error.ts'
import { asOf } from '../../core/inbox/delivery.ts'
import { field, operation, sentence } from '../../core/sentence.ts'
import type { Store } from '../../core/store.ts'
import type { Message } from '../../core/threads/message.ts'
import { seesEverything } from '../inbox/inbox.ts'
import {
  MAIL_HOLDS,
  type MailMessage,
  RECEIPT,
  type Receipt,
  viewMail,
  viewReceipt,
} from '../inbox/mail-view.ts'
import { mustSee, type Viewer, viewerNamed } from '../inbox/visible-thread.ts'
import { withoutAgentSessions } from '../inbox/without-session.ts'
import { aList, aRecord, aText, CURSOR, MORE, orNull } from '../kit/answer.ts'
import { byDefault, id, int, required, self } from '../kit/field.ts'
import { ANYONE, type Context, query, unknownThread } from '../kit/operation.ts'
import { makePage } from '../kit/page.ts'

export type Receipts = {
  /** The messages in the order in which they were sent. */
  messages: MessageReceipts[]
  /** There are earlier messages: go on with `before` and next_before. */
  has_more: boolean
  next_before: string | null
  next_event_id: number
}

const SENT_MAIL = aRecord<MailMessage & { receipts: Receipt[] }>('sent mail', 'a message', {
  ...MAIL_HOLDS,
  receipts: aList(RECEIPT, 'one for each recipient'),
})

type MessageReceipts = MailMessage & { receipts: Receipt[] }

/** How many messages have their receipts read together. */
const AT_ONCE = 10

type SentMessage = Omit<Message, 'artifacts'>

export const mailReceipts = query({
  name: 'mail receipts',
  summary: 'Show how far your messages have come, for each recipient.',
  about:
    'queued: the message is in the inbox. presented: its text has gone out to the recipient. read: the recipient marked or opened it. acted: the recipient answered it, claimed the work it asks for, or was shown it and then said something in its thread. bounced and expired say why. Each step has its time and its evidence. Without --message and --thread: the last messages you sent. A long text is cut; show has all of it.',
  fields: {
    agent: required(self('the agent or person who asks')),
    message: id('only this message', { positional: true }),
    thread: id('only what was sent in this thread'),
    before: id('only what was sent before this message: next_before of the previous answer'),
    limit: byDefault(int('how many messages to list at most', { min: 1, max: 500 }), 20),
  },
  set: 'mailbox',
  callers: ANYONE,
  refusals: ['invalid_input', 'not_found'],
  check({ message, thread }) {
    if (message !== undefined && thread !== undefined) {
      throw refuse(
        'invalid_input',
        sentence`${field('message')} and ${field('thread')} exclude each other; give one`,
      )
    }
  },
  async run(context, input): Promise<Receipts> {
    const { store } = context
    const next_event_id = await store.lastEventId()
    const { limit } = input
    const [found, now] = await Promise.all([
      chooseMessages(context, { ...input, limit: limit + 1 }),
      store.now(),
    ])
    const sent = await withoutAgentSessions(store, context.caller.principal, found)
    const page = makePage<MessageReceipts>(limit)
    let has_more = false
    // The steps are small, because a message to everybody has as many receipts as there are agents.
    for (let at = 0; at < sent.length && !has_more; at += AT_ONCE) {
      const step = sent.slice(at, at + AT_ONCE)
      const deliveries = await Promise.all(step.map((one) => store.deliveriesOf(one)))
      has_more = !page.add(
        step.map((message, i) => ({
          ...viewMail(message),
          receipts: (deliveries[i] ?? []).map((one) => viewReceipt(asOf(one, now))),
        })),
      )
    }
    const next_before = has_more ? (page.items.at(-1)?.id ?? null) : null
    return { messages: page.items.reverse(), has_more, next_before, next_event_id }
  },
  answer: {
    messages: aList(SENT_MAIL, 'in the order they were sent'),
    has_more: MORE,
    next_before: orNull(aText('the cursor for the next page: give it as before')),
    next_event_id: CURSOR,
  },
  lines: async (answer, page) => (await import('./drawing.ts')).drawReceipts(answer, page),
  tool: {
    name: 'message_receipts',
    does: 'See whether what you sent was presented, read, acted on, or came back.',
    args: {
      messageId: { field: 'message', about: 'one message' },
      threadId: { field: 'thread', about: 'one thread' },
      before: { about: 'nextBefore of the page before' },
      limit: { about: 'at most' },
    },
    nothing: 'You have sent nothing yet.',
  },
})

type Choice = {
  agent: string
  message?: string | undefined
  thread?: string | undefined
  before?: string | undefined
  limit: number
}

/** The chosen messages, the latest first. */
async function chooseMessages(context: Context, choice: Choice): Promise<SentMessage[]> {
  const { store } = context
  const { agent, message, thread, limit } = choice
  const asker = { name: agent, proof: context.caller.principal?.proof }
  if (message !== undefined) return [await oneOf(store, asker, message)]
  const before = choice.before === undefined ? undefined : await oneOf(store, asker, choice.before)
  if (thread === undefined) return store.sentBy({ agent, before, limit })
  const [state, sees] = await Promise.all([store.thread(thread), seesEverything(store, asker)])
  if (state === null) throw unknownThread(thread)
  // A message that the agent sent is in its mailbox, whatever kind of thread it is in.
  const { sets: _, ...viewer } = context.caller.principal ?? viewerNamed(agent)
  await mustSee(context, viewer, state.thread)
  return store.sentBy({ thread, agent: sees ? undefined : agent, before, limit })
}

async function oneOf(
  store: Store,
  asker: Pick<Viewer, 'name' | 'proof'>,
  messageId: string,
): Promise<SentMessage> {
  const { name: agent } = asker
  const [message, sees] = await Promise.all([
    store.message(messageId),
    seesEverything(store, asker),
  ])
  if (message !== null && (sees || message.from_agent === agent)) return message
  // Not even the existence of other people's mail is told.
  const whose = sees ? '' : ` from ${agent}`
  throw refuse(
    'not_found',
    sentence`there is no message ${messageId}${whose}; see ${operation('mail receipts')}`,
  )
}
