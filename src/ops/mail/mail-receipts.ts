import { field, operation, refuse } from '../../core/error.ts'
import { expireIfOverdue } from '../../core/inbox/delivery.ts'
import type { SentMessage, SentPiece } from '../../core/inbox/inbox-reads.ts'
import type { Store } from '../../core/store.ts'
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
import { hideAgentSessions } from '../inbox/without-session.ts'
import { type AnswerOf, aList, aRow, aText, CURSOR, MORE, orNull } from '../kit/answer.ts'
import { unknownThread } from '../kit/commit.ts'
import { byDefault, type Input, id, int, required, self } from '../kit/field.ts'
import { ANYONE, type Context, query } from '../kit/operation.ts'
import { makePage } from '../kit/page.ts'
import { turnsFor } from '../kit/pieces.ts'

const SENT_MAIL = aRow<MailMessage & { receipts: Receipt[] }>('sent mail', 'a message', {
  ...MAIL_HOLDS,
  receipts: aList(RECEIPT, 'one for each recipient'),
})

const RECEIPTS = {
  messages: aList(SENT_MAIL, 'in the order they were sent'),
  has_more: MORE,
  next_before: orNull(aText('the cursor for the next page: pass it as before')),
  next_event_id: CURSOR,
}

export type Receipts = AnswerOf<typeof RECEIPTS>

type MessageReceipts = MailMessage & { receipts: Receipt[] }

const AT_ONCE = 10

const FIELDS = {
  agent: required(self('the agent or person asking', { orOwner: true })),
  message: id('only this message', { positional: true }),
  thread: id('only messages sent in this thread'),
  before: id('only messages sent before this one: next_before of the previous answer'),
  limit: byDefault(int('how many messages to list at most', { min: 1, max: 500 }), 20),
}

export const mailReceipts = query({
  name: 'mail receipts',
  example: 'mail receipts m7x2qa --agent lead',
  summary: 'Show how far your messages have come, for each recipient.',
  about:
    'queued: the message is in the inbox. presented: its text has gone out to the recipient. read: the recipient marked or opened it. acted: the recipient answered it, claimed the work it asks for, or was shown it and then wrote in its thread. bounced and expired come with the reason. Each step has its time and evidence. Without --message and --thread, lists the last messages you sent. A long text is cut; show has all of it.',
  fields: FIELDS,
  set: 'mailbox',
  callers: ANYONE,
  refusals: ['invalid_input', 'not_found'],
  check({ message, thread }) {
    if (message !== undefined && thread !== undefined)
      throw refuse.invalid_input`${field('message')} and ${field('thread')} cannot be combined; give one`
  },
  async run(context, input): Promise<Receipts> {
    const { store } = context
    const next_event_id = await store.lastEventId()
    const { limit } = input
    const [choice, now] = await Promise.all([choiceOf(context, input), store.now()])
    const page = makePage<MessageReceipts>(limit)
    const turn = turnsFor(context)
    let has_more = false
    for (let last: SentMessage | undefined, isLeft = true; isLeft && !has_more; ) {
      const found = await choice(page.want(), last)
      const sent = await hideAgentSessions(store, context.caller.principal, found.sent)
      // Use small steps, because a message to all agents has one receipt per agent.
      for (let at = 0; at < sent.length && !has_more; at += AT_ONCE) {
        await turn()
        const step = sent.slice(at, at + AT_ONCE)
        const deliveries = await Promise.all(step.map((one) => store.deliveriesOf(one)))
        has_more = !page.add(
          step.map((message, i) => ({
            ...viewMail(message),
            receipts: (deliveries[i] ?? []).map((one) => viewReceipt(expireIfOverdue(one, now))),
          })),
        )
      }
      last = sent.at(-1)
      isLeft = found.isCut
    }
    const next_before = has_more ? (page.items.at(-1)?.id ?? null) : null
    return { messages: page.items.reverse(), has_more, next_before, next_event_id }
  },
  answer: RECEIPTS,
  lines: async (answer, page) => (await import('./drawing.ts')).drawReceipts(answer, page),
  tool: {
    name: 'message_receipts',
    does: 'See whether what you sent was presented, read, acted on, or came back.',
    args: {
      messageId: { field: 'message', about: 'one message' },
      threadId: { field: 'thread', about: 'one thread' },
      before: { about: 'nextBefore of the last page' },
      limit: { about: 'at most' },
    },
    nothing: 'You have sent nothing yet.',
  },
})

/** Reads the selected messages in batches, latest first. */
type Choice = (limit: number, last: SentMessage | undefined) => Promise<SentPiece>

async function choiceOf(context: Context, query: Input<typeof FIELDS>): Promise<Choice> {
  const { store } = context
  const { agent, message, thread } = query
  const asker = { name: agent, proof: context.caller.principal?.proof }
  if (message !== undefined) {
    const sent = [await oneOf(store, asker, message)]
    return async () => ({ sent, isCut: false })
  }
  const start = query.before === undefined ? undefined : await oneOf(store, asker, query.before)
  const of = (who: { agent: string } | { thread: string; agent: string | undefined }): Choice => {
    return (limit, last) => store.sentBy({ ...who, before: last ?? start, limit })
  }
  if (thread === undefined) return of({ agent })
  const [state, sees] = await Promise.all([store.thread(thread), seesEverything(store, asker)])
  if (state === null) throw unknownThread(thread)
  // The token's sets don't matter: a message the agent sent is in its mailbox, whatever kind of thread it's in.
  const { sets: _, ...viewer } = context.caller.principal ?? viewerNamed(agent)
  await mustSee(context, viewer, state.thread)
  return of({ thread, agent: sees ? undefined : agent })
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
  // Don't reveal that someone else's mail exists.
  const whose = sees ? '' : ` from ${agent}`
  throw refuse.not_found`there is no message ${messageId}${whose}; see ${operation('mail receipts')}`
}
