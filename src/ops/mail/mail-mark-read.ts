import { field, operation, refuse } from '../../core/error.ts'
import type { NamedMessage } from '../../core/inbox/inbox-reads.ts'
import type { Store, Tx } from '../../core/store.ts'
import { type MessagePlace, markMessages } from '../inbox/mark-messages.ts'
import { aNumber, CURSOR } from '../kit/answer.ts'
import { type Call, commit, idempotencyOf, type WithCursor } from '../kit/commit.ts'
import { mustBeInLog } from '../kit/cursor.ts'
import { flag, int, list, required, self } from '../kit/field.ts'
import { ANYONE, type Context, mutation } from '../kit/operation.ts'

export const mailMarkRead = mutation({
  name: 'mail mark-read',
  example: 'mail mark-read m7x2qa --agent worker',
  summary: 'Mark messages as read: by id, or all of them.',
  about:
    'An agent can mark only its own mail. Marking a message twice changes nothing. When a thread has no unread messages left, its read mark moves to the end.',
  fields: {
    agent: required(self('who has read them', { orOwner: true })),
    messages: list('a message', { max: 500, positional: true }),
    all: flag('mark everything unread, shown or not; see --upto'),
    upto: int(
      'with --all: only messages sent up to this event, such as the next_event_id of a read',
      {
        max: Number.MAX_SAFE_INTEGER,
      },
    ),
  },
  set: 'mailbox',
  callers: ANYONE,
  refusals: ['invalid_input', 'not_found'],
  check({ messages = [], all = false, upto }) {
    if (all === messages.length > 0)
      throw refuse.invalid_input`give ${field('messages')}, by id, or ${field('all')}; not both`
    if (upto !== undefined && !all)
      throw refuse.invalid_input`${field('upto')} needs ${field('all')}; give both, or name the messages`
  },
  async run(context, input) {
    const { agent, messages = [], upto } = input
    if (upto !== undefined) await mustBeInLog(context.store, upto)
    const call = { op: 'mail mark-read', agent, input }
    const passes = input.all ? await passesOf(context.store, agent, upto) : []
    let before = 0
    if (passes.length > 1) {
      // A repeated call gets the first call's answer and doesn't mark messages that arrived later.
      const answered = await findEarlierAnswer<{ marked: number }>(context, call)
      if (answered !== null) return { ...answered, unread: await context.store.unread(agent) }
      for (const wanted of passes.slice(0, -1)) {
        const pass = await context.store.write((tx) => markMessages(context, tx, agent, wanted))
        before += pass.value.length
      }
    }
    // Only the last pass uses the key, so until it's done, a retry continues where this call stopped.
    const marked = await commit<{ marked: number }>(context, call, async (tx) => {
      const wanted = input.all ? (passes.at(-1) ?? []) : await own(tx, agent, messages)
      return { marked: before + (await markMessages(context, tx, agent, wanted)).length }
    })
    return { ...marked, unread: await context.store.unread(agent) }
  },
  answer: {
    marked: aNumber('how many of them were unread'),
    unread: aNumber('how many are still unread'),
    next_event_id: CURSOR,
  },
  lines: ({ marked, unread }) => `${marked} marked as read, ${unread} unread\n`,
  tool: {
    name: 'mark_read',
    does: 'Mark messages once you have dealt with them: by id, or all.',
    args: {
      messageIds: { field: 'messages', about: 'ids of messages' },
      all: { about: 'everything you were shown' },
    },
  },
})

/** Each pass is a separate transaction, so that other writers don't wait long. */
const THREADS_AT_ONCE = 200

/** The messages that are unread right now, grouped by thread. */
async function passesOf(store: Store, agent: string, upto?: number): Promise<MessagePlace[][]> {
  const places = await store.unreadPlaces(agent, 0, upto ?? Number.MAX_SAFE_INTEGER)
  const threads = Map.groupBy(places, ({ thread_id }) => thread_id)
  const ids = [...threads.keys()]
  const passes: MessagePlace[][] = []
  for (let at = 0; at < ids.length; at += THREADS_AT_ONCE) {
    passes.push(ids.slice(at, at + THREADS_AT_ONCE).flatMap((id) => threads.get(id) ?? []))
  }
  return passes
}

async function own(tx: Tx, agent: string, messages: string[]): Promise<NamedMessage[]> {
  const found = new Map((await tx.named(agent, messages)).map((one) => [one.message_id, one]))
  for (const id of messages) {
    // Don't reveal that someone else's mail exists.
    if ((found.get(id)?.state ?? null) !== null) continue
    throw refuse.not_found`there is no message ${id} for ${agent}; see ${operation('mail history')}`
  }
  return [...found.values()]
}

/** Returns the answer that an earlier call with this key got, or null if there was none. */
export async function findEarlierAnswer<T extends object>(
  context: Context,
  call: Call,
): Promise<WithCursor<T> | null> {
  const idempotency = await idempotencyOf(context, call)
  const written = idempotency && (await context.store.answered(idempotency))
  return written ? { ...(written.value as T), next_event_id: written.eventId } : null
}
