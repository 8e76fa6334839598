import { field, operation, refuse } from '../../core/error.ts'
import type { InboxPlace } from '../../core/inbox/inbox-reads.ts'
import type { Tx } from '../../core/store.ts'
import { markMessages } from '../inbox/mark-messages.ts'
import { type AnswerOf, aNumber, CURSOR } from '../kit/answer.ts'
import { commit } from '../kit/commit.ts'
import { parseTime } from '../kit/cursor.ts'
import { required, text } from '../kit/field.ts'
import { mutation } from '../kit/operation.ts'
import { INBOX_OWNER, instanceFor, MEMBER_FIELD, mustBeOfWorkflow } from './instance-access.ts'
import { isMessageId } from './read-channel.ts'

const ACKNOWLEDGED = {
  acknowledged: aNumber('how many of them were unread'),
  unread: aNumber('how many still are'),
  next_event_id: CURSOR,
}

type AckAnswer = AnswerOf<typeof ACKNOWLEDGED>

export const contextAck = mutation({
  name: 'workflow context ack',
  example: 'workflow context ack 2026-03-01T08:00:00Z --agent coder@pr-123',
  summary: 'Mark the messages of a workflow’s agent as dealt with, up to one of them.',
  about:
    'They count as read and are not shown again. A message that came in the same millisecond as the given time but was never shown stays unread.',
  fields: {
    agent: MEMBER_FIELD,
    until: required(text('the last one: its id, or a time', { max: 64, positional: true })),
  },
  ...INBOX_OWNER,
  check({ agent, until }) {
    mustBeOfWorkflow({ agent })
    if (!isMessageId(until)) untilTime(until)
  },
  async run(context, input): Promise<AckAnswer> {
    const { agent, until } = input
    const { thread_id } = await instanceFor(context, input)
    const call = { op: 'workflow context ack', agent, input }
    const marked = await commit(context, call, async (tx) => {
      const places = await placesUntil(tx, { agent, until, channel: thread_id })
      return { acknowledged: (await markMessages(context, tx, agent, places)).length }
    })
    return { ...marked, unread: await context.store.unread(agent) }
  },
  answer: ACKNOWLEDGED,
  lines: ({ acknowledged, unread }) => `${acknowledged} acknowledged, ${unread} unread\n`,
  tool: {
    name: 'inbox_ack',
    does: 'Mark your messages as dealt with, up to one of them.',
    args: { until: { about: 'id or timestamp of the last', required: true } },
    says: 'acknowledged',
  },
})

function untilTime(words: string): string {
  return parseTime(words, field('until'), 'the id of a message or a time')
}

/** If `until` is a message to the agent, the limit is its place in the inbox. For other entries, it's their time. */
async function placesUntil(
  tx: Tx,
  { agent, until, channel }: { agent: string; until: string; channel: string },
): Promise<InboxPlace[]> {
  if (!isMessageId(until)) return tx.unreadUntil(agent, untilTime(until))
  const message = await tx.message(until)
  if (message !== null) {
    const { thread_id, message_id } = message
    const place = await tx.deliveryPlace({ thread_id, message_id, recipient: agent })
    if (place !== null) return tx.unreadPlaces(agent, 0, place)
    if (thread_id === channel) return tx.unreadUntil(agent, message.created_at)
  }
  throw refuse.not_found`there is no message ${until} for ${agent}; see ${operation('workflow context inbox-peek')}`
}
