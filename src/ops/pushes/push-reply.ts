import { field, refuse } from '../../core/error.ts'
import { SYSTEM } from '../../core/event.ts'
import { postIn } from '../../core/mail/mail.ts'
import { isPush, mustBePush } from '../../core/pushes/push.ts'
import { PUSHES } from '../../core/pushes/push-record.ts'
import { firstLine } from '../../core/threads/message.ts'
import { type Reach, reachOf } from '../agents/agent-reach.ts'
import { introduceAll } from '../agents/introduce.ts'
import { sees } from '../inbox/visible-thread.ts'
import { type AnswerOf, aFlag, aText, CURSOR, orNull } from '../kit/answer.ts'
import { commit, stamp } from '../kit/commit.ts'
import { body, id, required, self } from '../kit/field.ts'
import { mutation, PEOPLE } from '../kit/operation.ts'
import { personLooking, unknownPush } from './push-view.ts'

/** Doesn't include the message text: answers are kept for retries, and a deleted push must not survive in them. */
const PUSH_REPLY_ANSWER = {
  entry_id: aText('the push'),
  message_id: aText('the answer'),
  to: orNull(aText('who it was sent to')),
  reachable: aFlag('whether the agent will see it soon'),
  wakes: aFlag('whether it will be started'),
  why: aText('the reason'),
  next_event_id: CURSOR,
}

export type PushReplyAnswer = AnswerOf<typeof PUSH_REPLY_ANSWER>

export const pushReply = mutation({
  name: 'push reply',
  example: 'push reply 3f2a9c1e "Looks good"',
  summary: 'Answer the agent that pushed something.',
  about:
    'The reply goes to that agent as mail in the same thread, and a broker wakes the agent if it can. If the agent cannot be reached, the answer says why, and the reply waits for it. A reply to a trashed push restores it.',
  fields: {
    agent: self('the person answering', { leftOut: 'user' }),
    entry: required(id('the push', { positional: true })),
    comments: required(body('your message', { positional: true })),
  },
  set: 'workspace',
  callers: PEOPLE,
  refusals: ['invalid_input', 'not_found', 'forbidden'],
  check({ comments }) {
    if (comments.trim() === '')
      throw refuse.invalid_input`${field('comments')} is empty: say something`
  },
  async run(context, input): Promise<PushReplyAnswer> {
    const { name: from, by } = personLooking(context, input.agent)
    const { entry: entry_id, comments } = input
    const call = { op: 'push reply', agent: from, input }
    const replied = await commit(context, call, async (tx) => {
      const [row, first, now] = await Promise.all([
        tx.rowOf(PUSHES, entry_id),
        tx.asking(entry_id),
        tx.now(),
      ])
      const isThere = row !== null && first !== null
      // The agent of an imported push may be unknown.
      const to = isThere && first.from_agent !== SYSTEM ? first.from_agent : null
      // Names are locked before threads. Every writer that needs both must keep this order.
      if (to !== null) await introduceAll(tx, [to], { by: from, now })
      const lock = await tx.lock(entry_id)
      if (lock === null || !isPush(lock.state.thread)) throw unknownPush(entry_id)
      if (!(await sees(tx, by, lock.state.thread))) throw unknownPush(entry_id)
      mustBePush(lock.state.thread)
      if (!isThere) throw unknownPush(entry_id)
      const words = {
        summary: firstLine(comments),
        body: comments,
        in_reply_to: first.message_id,
      }
      const recipients = to === null ? [] : [to]
      const address = to ?? first.from_agent
      const posting = {
        from,
        address,
        recipients,
        kind: 'answer',
        words,
        expires_at: null,
      } as const
      const event = postIn(lock.state, posting, stamp(context, lock.now))
      tx.record(lock.state, event)
      return { entry_id, message_id: event.message.message_id, to }
    })
    const { to } = replied
    // Whether the agent can be reached changes over time, so a repeated call checks again.
    const reach =
      to === null ? NOBODY : await reachOf(context, to, { type: 'answer', from, hops: 0 })
    return { ...replied, ...reach }
  },
  answer: PUSH_REPLY_ANSWER,
  lines: async (answer, page) => (await import('./drawing.ts')).drawReplied(answer, page),
})

const NOBODY: Reach = {
  reachable: false,
  wakes: false,
  why: 'who pushed it is not known here; it is kept',
}
