import { field, operation, Refusal, refuse, sentence } from '../../core/error.ts'
import type { Principal } from '../../core/principal.ts'
import type { Store } from '../../core/store.ts'
import { renew } from '../../core/threads/commands.ts'
import type { ThreadState } from '../../core/threads/evolve.ts'
import { isLive } from '../../core/threads/lease.ts'
import type { Message } from '../../core/threads/message.ts'
import { isFinished } from '../../core/threads/thread.ts'
import { epochMs, type Instant } from '../../core/time.ts'
import { KIND_WORDS, kindsShownAs, WORK_KINDS } from '../../core/vocabulary.ts'
import type { Chore } from '../../wake/wait.ts'
import { MESSAGE, viewMessage } from '../inbox/view.ts'
import { CURSOR, INTERRUPTED, orNull, WOKE } from '../kit/answer.ts'
import { holderOf, lockThread, stamp, unknownThread } from '../kit/commit.ts'
import { mustBeInLog } from '../kit/cursor.ts'
import { byDefault, choices, id, int, self, text } from '../kit/field.ts'
import { ANYONE, action, type Context } from '../kit/operation.ts'
import { TEXTS, WAIT_ARG } from '../kit/tool.ts'
import { describeWait, WAIT_FIELD, waitAs } from '../kit/waiting.ts'
import { findHeldThread } from './held-thread.ts'
import { CURSOR_ARG, THREAD_ARG, TOKEN_ARG } from './message-fields.ts'

type LastLook = { state: ThreadState; now: Instant }

type Waiter = { thread: string; agent?: string | undefined; lease_token?: string | undefined }

export const waitReply = action({
  name: 'wait-reply',
  example: 'wait-reply k3f9p2 --agent worker',
  summary: 'Block until a reply appears in a thread. Uses no CPU while it waits.',
  about:
    'Waits for a message of one of these kinds from someone else. Without a cursor, the wait starts after the waiter’s own last message, so that an early answer is not lost. Without an agent, it waits as the holder of the thread; if no one holds it, the wait starts now. The wait keeps the waiter’s lease alive, and ends at once if the waiter is told to stop. The reply counts as read once it is handed over. Earlier messages do not: fetch --unread lists the thread until they are read too, with mail read and mark-read or with show --mark-read.',
  fields: {
    thread: id('the thread', { positional: true, leftOut: 'the one the agent holds' }),
    agent: self('who is waiting', { leftOut: 'the holder of the thread' }),
    after_message: id('wait for messages after this one'),
    after_event: int('wait for events after this one'),
    kinds: byDefault(choices(KIND_WORDS, 'what counts as a reply', { listed: WORK_KINDS }), [
      'answer',
      'control',
      'result',
    ]),
    timeout_seconds: WAIT_FIELD,
    lease_token: text('identifies the lease to keep alive', { max: 128 }),
  },
  writes: 'marks',
  set: 'threads',
  callers: ANYONE,
  blocks: true,
  refusals: ['invalid_input', 'invalid_state', 'lease_conflict', 'not_found'],
  check({ after_message, after_event }) {
    if (after_message !== undefined && after_event !== undefined)
      throw refuse.invalid_input`${field('after_message')} and ${field('after_event')} cannot be combined`
  },
  async run(context, given) {
    const { store, bell, signal } = context
    const thread = given.thread ?? (await findHeldThread(store, mustBeNamed(given.agent)))
    const input = { ...given, thread }
    const { principal } = context.caller
    if (principal !== undefined) {
      const state = await store.thread(input.thread)
      // Loaded only at a server's doors, so that commands don't pay for it.
      const { mustSee } = await import('../inbox/visible-thread.ts')
      if (state !== null) await mustSee(context, principal, state.thread)
    }
    const kinds = kindsShownAs(input.kinds)
    const waiter = { ...input, agent: input.agent ?? (await holderIn(context, input)) }
    const after = await startingPoint(context, waiter)
    let cursor = after
    let seen: LastLook | undefined
    const look = async () => {
      // These are sent together and answered in this order. The end of the log comes first, so that the reads after it
      // cover everything up to it. The state comes before the messages: an agent that finishes the thread in between
      // also sends a message, which must be found. Otherwise, the call would be refused for lack of a message.
      const [{ end, now, state }, found] = await Promise.all([
        store.standingOf(input.thread),
        store.reply({ threadId: input.thread, after, notFrom: input.agent ?? '', kinds }),
      ])
      if (found !== null && !(await isOldStop(store, state, found.message, waiter.agent)))
        return found
      cursor = Math.max(cursor, end)
      if (state === null) throw unknownThread(input.thread)
      seen = { state, now }
      const { status } = state.thread
      if (isFinished(state.thread))
        throw refuse.invalid_state`thread ${input.thread} is ${status}: a reply of kind ${input.kinds.join(', ')} can no longer come`
      return null
    }
    const wait = {
      bell,
      about: [input.thread],
      thread: input.thread,
      look,
      askedAtOnce: () => true,
      lookout: store.lookout(),
      chores: [keepAlive(context, waiter, () => seen)],
      timeoutMs: input.timeout_seconds * 1000,
      signal,
    }
    const waited = await waitAs(context, waiter.agent, wait, ({ message }) => {
      const { agent } = waiter
      if (agent === undefined || message.from_agent === agent) return
      context.later(async () => {
        // Loaded here, because a wait doesn't need it until it ends.
        const { readReply } = await import('../inbox/mark-messages.ts')
        await readReply(context, input.thread, agent, message.message_id)
      })
    })
    context.stopCheck.spokeFor = waiter.agent
    if (waited.outcome !== 'found') {
      return {
        woke: false,
        next_event_id: cursor,
        message: null,
        ...(waited.outcome === 'interrupted' ? { interrupted: true as const } : {}),
      }
    }
    const { event_id, message } = waited.value
    const [shown = message] = principal === undefined ? [] : await openTo(store, principal, message)
    return {
      woke: true,
      next_event_id: event_id,
      message: viewMessage(shown),
    }
  },
  nothing: ({ woke }) => !woke,
  takesLong: ({ thread }, agent) =>
    describeWait(thread === undefined ? 'a reply' : `a reply in ${thread}`, agent),
  answer: {
    woke: WOKE,
    next_event_id: CURSOR,
    message: orNull(MESSAGE),
    interrupted: INTERRUPTED,
  },
  lines: async (answer, page) => (await import('./drawing.ts')).drawReply(answer, page),
  tool: {
    name: 'thread_wait_reply',
    does: 'Wait for the answer to your question; keeps your lease. Repeat until woke.',
    args: {
      thread: THREAD_ARG,
      after_event: CURSOR_ARG,
      after_message: { about: 'the message you wait from', unlisted: true },
      kinds: { shape: TEXTS, about: 'only these', unlisted: true },
      lease_token: TOKEN_ARG,
      timeout_seconds: WAIT_ARG,
    },
    nothing: 'No reply yet. Call again with after_event = next_event_id.',
  },
})

function mustBeNamed(agent: string | undefined): string {
  if (agent !== undefined) return agent
  const said = sentence`${field('thread')} is missing: say which thread, by id`
  throw new Refusal('invalid_input', said, { missing: 'thread' })
}

/** At a server's doors a message is visible if and only if its thread is. */
async function openTo(store: Store, viewer: Principal, message: Message): Promise<Message[]> {
  const { hideAgentSessions } = await import('../inbox/without-session.ts')
  return hideAgentSessions(store, viewer, [message])
}

/** A canceled thread ends only one wait: a cancellation that the waiter has read no longer counts as a reply. */
async function isOldStop(
  store: Store,
  state: ThreadState | null,
  { kind, message_id }: Message,
  agent: string | undefined,
): Promise<boolean> {
  if (kind !== 'control' || agent === undefined) return false
  if (state === null || !isFinished(state.thread)) return false
  const { thread_id } = state.thread
  if (!(await store.hasGot(thread_id, agent))) return false
  const unread = await store.unreadIn(agent, [thread_id])
  return !unread.some((one) => one.message_id === message_id)
}

async function startingPoint(
  { store }: Context,
  input: Waiter & { after_message?: string | undefined; after_event?: number | undefined },
): Promise<number> {
  if (input.after_event !== undefined) {
    await mustBeInLog(store, input.after_event)
    return input.after_event
  }
  if (input.after_message !== undefined) {
    const found = await store.eventOfMessage(input.thread, input.after_message)
    if (found !== null) return found
    if ((await store.thread(input.thread)) === null) throw unknownThread(input.thread)
    throw refuse.not_found`thread ${input.thread} has no message ${input.after_message}; see ${operation('show', { thread: input.thread })}`
  }
  const { agent } = input
  return agent === undefined ? store.lastEventId() : store.lastOwnEvent(input.thread, agent)
}

/**
 * A wait that doesn't name an agent counts as the holder's, because the holder is who asks and waits. An identified
 * caller waits for itself.
 */
async function holderIn({ store, caller }: Context, waiter: Waiter): Promise<string | undefined> {
  if (caller.principal !== undefined) return undefined
  const { state, now } = await store.standingOf(waiter.thread)
  const lease = state?.lease ?? null
  const { lease_token = lease?.lease_token } = waiter
  return isLive(lease, now) && lease.lease_token === lease_token ? lease.agent_id : undefined
}

/** Renews the waiter's lease once a third of its time has passed. A waiter without a lease has nothing to renew. */
function keepAlive(context: Context, waiter: Waiter, seen: () => LastLook | undefined): Chore {
  const { store } = context
  return {
    async dueMs() {
      const { state, now } = seen() ?? {}
      const lease = state?.lease ?? null
      if (now === undefined || waiter.agent === undefined || !isLive(lease, now)) return null
      const isOwn =
        waiter.lease_token === undefined
          ? lease.agent_id === waiter.agent
          : lease.lease_token === waiter.lease_token
      if (!isOwn) return null
      const left = epochMs(lease.expires_at) - epochMs(now)
      return Math.max(0, left - (lease.lease_seconds * 1000 * 2) / 3)
    },
    async run() {
      const agent = waiter.agent as string
      await store.write(async (tx) => {
        const locked = await lockThread(tx, waiter.thread)
        if (isFinished(locked.state.thread)) return {}
        const holder = await holderOf(tx, locked, agent, waiter.lease_token)
        const lease_seconds = locked.state.lease?.lease_seconds ?? 0
        const want = { holder, lease_seconds, silent: true }
        tx.record(locked.state, renew(locked.state, want, stamp(context, locked.now)))
        return {}
      })
    },
  }
}
