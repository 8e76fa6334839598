import { callerBy, field, refuse } from '../../core/error.ts'
import { markRead } from '../../core/threads/commands.ts'
import type { Message } from '../../core/threads/message.ts'
import type { Thread } from '../../core/threads/thread.ts'
import { LEASE, MESSAGE, THREAD, viewLease, viewMessage } from '../inbox/view.ts'
import { aList, aNumber, CURSOR, MORE, orNull } from '../kit/answer.ts'
import { lockThread, unknownThread } from '../kit/commit.ts'
import { flag, id, int, required, self } from '../kit/field.ts'
import { ANYONE, action, type Context } from '../kit/operation.ts'
import { readPage } from '../kit/page.ts'
import type { Looker } from '../kit/pieces.ts'
import { THREAD_ARG } from './message-fields.ts'

const MOST_MESSAGES = 1000

export const show = action({
  name: 'show',
  example: 'show k3f9p2',
  summary: 'Show one thread with all its messages.',
  about:
    'A very long thread comes in parts: while has_more is true, continue with --after and next_after. Every agent that has the id can see work. Mail can be seen by those who sent or received any of it, the orchestrator and people; a push by its agent, tokens of its workspace, the orchestrator and people. On a local store, a caller without a name can see both.',
  fields: {
    thread: required(id('the thread', { positional: true })),
    agent: self('who is reading; required with --mark-read'),
    after: int('only messages after this one, by its seq'),
    mark_read: flag('move your read mark to the last message shown'),
  },
  writes: 'marks',
  set: 'threads',
  callers: ANYONE,
  refusals: ['invalid_input', 'not_found'],
  check(input) {
    if (input.mark_read && input.agent === undefined)
      throw refuse.invalid_input`${field('mark_read')} needs to know who reads: say it with ${callerBy('agent')}`
  },
  async run(context, input) {
    const { store } = context
    const next_event_id = await store.lastEventId()
    // Messages come last, because reading them takes further queries, which follow on the same connection.
    const [state, now, page] = await Promise.all([
      store.thread(input.thread),
      store.now(),
      messagesFrom(context, input.thread, input.after ?? 0),
    ])
    if (state === null) throw unknownThread(input.thread)
    await mustBeSeen(context, input.agent, state.thread)
    const messages = await openTo(context, page.messages)
    const shown = {
      thread: state.thread,
      lease: viewLease(state.lease, now),
      messages: messages.map(viewMessage),
      has_more: page.has_more,
      next_after: page.next_after,
    }
    const last = page.messages.at(-1)
    if (!input.mark_read || input.agent === undefined || last === undefined) {
      return { ...shown, next_event_id }
    }
    const mark = { agent: input.agent, message_id: last.message_id, seq: last.seq }
    return { ...shown, next_event_id: await moveReadMark(context, input.thread, mark) }
  },
  answer: {
    thread: THREAD,
    lease: orNull(LEASE),
    messages: aList(MESSAGE, 'oldest first'),
    has_more: MORE,
    next_after: orNull(aNumber('the cursor for the next page: pass it as after')),
    next_event_id: CURSOR,
  },
  lines: async (answer, page) => (await import('./drawing.ts')).drawShow(answer, page),
  tool: {
    name: 'thread_show',
    does: 'Read one thread with all messages.',
    args: { thread: THREAD_ARG, mark_read: { about: 'as read' }, after: { about: 'next_after' } },
  },
})

/** Reads as many messages as fit into one answer. */
export async function messagesFrom(looker: Looker, threadId: string, after: number) {
  const { items, has_more } = await readPage<Message>(looker, MOST_MESSAGES, (limit, last) =>
    looker.store.messages(threadId, { after: last?.seq ?? after, limit }),
  )
  return { messages: items, has_more, next_after: has_more ? (items.at(-1)?.seq ?? null) : null }
}

/** Refuses a caller that may not see the thread. Loads the check only if it's needed: most calls have no name. */
async function mustBeSeen(
  context: Context,
  agent: string | undefined,
  thread: Thread,
): Promise<void> {
  const { principal } = context.caller
  if (principal === undefined && agent === undefined) return
  const { mustSee, viewerNamed } = await import('../inbox/visible-thread.ts')
  await mustSee(context, principal ?? viewerNamed(agent as string), thread)
}

/** Loaded only at a server's doors, so that commands don't pay for it. */
async function openTo({ store, caller }: Context, messages: Message[]): Promise<Message[]> {
  if (caller.principal === undefined) return messages
  const { hideAgentSessions } = await import('../inbox/without-session.ts')
  return hideAgentSessions(store, caller.principal, messages)
}

/** The mark only moves forward: a message that was read stays read. */
export async function moveReadMark(
  { store }: Context,
  threadId: string,
  mark: { agent: string; message_id: string; seq: number },
): Promise<number> {
  const { eventId } = await store.write(async (tx) => {
    // Both are sent together and answered in this order, so the mark is read under the lock.
    const [{ state, now }, have] = await Promise.all([
      lockThread(tx, threadId),
      tx.readMark(threadId, mark.agent),
    ])
    if ((have?.last_read_seq ?? 0) < mark.seq) tx.record(state, markRead(state, mark, now))
    return {}
  })
  return eventId
}
