import { isRole } from '../../core/agents/address.ts'
import { type Delivery, isBeforeRead } from '../../core/inbox/delivery.ts'
import { takeFromQueue } from '../../core/mail/mail.ts'
import type { LockedThread, Tx } from '../../core/store.ts'
import { claim as decideClaim } from '../../core/threads/commands.ts'
import { DEFAULT_LEASE_SECONDS, isLive, MAX_LEASE_SECONDS } from '../../core/threads/lease.ts'
import type { Thread } from '../../core/threads/thread.ts'
import { introduceStrangers, makeKnown, sortKnown } from '../agents/introduce.ts'
import {
  GRANT,
  grant,
  type LeaseGrant,
  MESSAGE,
  type MessageView,
  THREAD,
  viewMessage,
} from '../inbox/view.ts'
import { CURSOR, orNull } from '../kit/answer.ts'
import { commit, isCaller, lockThread, stamp, type WithCursor } from '../kit/commit.ts'
import { id, int, required, self, text } from '../kit/field.ts'
import { ANYONE, mutation } from '../kit/operation.ts'
import { TOKEN_ARG } from './message-fields.ts'

type ClaimAnswer = {
  thread: Thread | null
  lease: LeaseGrant | null
  message: MessageView | null
}

export const claim = mutation({
  name: 'claim',
  example: 'claim --agent worker',
  summary: 'Take a lease on a thread, so that only you work on it.',
  about:
    'With --thread, any agent that has the id may claim the thread. Without it, claims the best thread assigned to the agent or to its role: high priority first, then oldest. A claim that finds nothing returns a cursor; a watch from there misses no work. The answer contains the lease token and the message that asks for the work; the other messages are in the inbox or in show. A holder that gives its token gets its existing lease.',
  fields: {
    agent: required(self('the agent that claims it')),
    thread: id('the thread to claim', { positional: true, leftOut: 'the best for the agent' }),
    lease_seconds: int('how long the lease lasts unless renewed', {
      min: 1,
      max: MAX_LEASE_SECONDS,
      leftOut: String(DEFAULT_LEASE_SECONDS),
    }),
    lease_token: text('the token of a lease you already hold', { max: 128 }),
  },
  set: 'threads',
  callers: ANYONE,
  refusals: ['invalid_input', 'invalid_state', 'lease_conflict', 'not_found'],
  async run(context, input): Promise<WithCursor<ClaimAnswer>> {
    const { agent } = input
    const call = { op: 'claim', agent, input }
    let looked: number | undefined
    const answer = await commit<ClaimAnswer>(context, call, async (tx) => {
      // These are sent together and answered in this order. The end of the log is read before looking for work, so that
      // work that arrives afterward is ahead of the cursor.
      const [end, locked, asked, { strangers }] = await Promise.all([
        input.thread === undefined ? tx.lastEventId() : 0,
        input.thread === undefined ? tx.lockNext(agent) : lockNamed(tx, input.thread),
        tx.now(),
        sortKnown(tx, [agent]),
      ])
      looked = locked === null ? end : undefined
      if (locked === null) {
        // An agent that asks for work counts as seen even if it finds none, so it becomes known. That's a separate
        // write, because no answer is stored for a call that did nothing.
        if (isCaller(context, call)) tx.sightCaller(agent, asked)
        if (strangers.length > 0) context.later(() => makeKnown(context, agent, 'agent'), 'anyway')
        return { thread: null, lease: null, message: null }
      }
      const { state, now, asking } = locked
      const message = asking === null ? null : viewMessage(asking)
      const { lease } = state
      if (isLive(lease, now) && input.lease_token === lease.lease_token) {
        return { thread: state.thread, lease: grant(lease), message }
      }
      const isOwn = state.thread.assigned_to === agent
      const there = isOwn ? [] : await tx.deliveriesOf({ thread_id: state.thread.thread_id })
      const instead_of = othersTold(there, state.thread, agent)
      const handed = asking === null ? [] : [asking.message_id]
      const event = decideClaim(
        state,
        {
          agent,
          lease_token: context.makeId('lease'),
          lease_seconds: input.lease_seconds ?? DEFAULT_LEASE_SECONDS,
          instead_of,
          handed,
        },
        stamp(context, now),
      )
      await introduceStrangers(tx, strangers, { by: agent, now })
      await takeOver(tx, locked, there, { agent, instead_of, handed })
      const after = tx.record(state, event)
      return { thread: after.thread, lease: grant(after.lease), message }
    })
    return { ...answer, next_event_id: looked ?? answer.next_event_id }
  },
  nothing: ({ thread }) => thread === null,
  answer: {
    thread: orNull(THREAD),
    lease: orNull(GRANT),
    message: orNull(MESSAGE),
    next_event_id: CURSOR,
  },
  lines: async (answer, page) => (await import('./drawing.ts')).drawClaim(answer, page),
  tool: {
    name: 'thread_claim',
    does: 'Take work before you do any of it: the best for you, or this thread. Keep the lease token.',
    args: {
      thread: { about: 'its id' },
      lease_seconds: { about: 'length of the lease', unlisted: true },
      lease_token: TOKEN_ARG,
    },
    nothing:
      'Nothing to claim. Wait with thread_watch, after_event = next_event_id, until woke; then claim again.',
  },
})

/** The other members of the role who got this work and haven't read it yet. */
function othersTold(there: Delivery[], thread: Thread, agent: string): string[] {
  const { assigned_to, created_by } = thread
  if (!isRole(assigned_to)) return []
  const told = there.filter(({ state }) => isBeforeRead(state)).map(({ recipient }) => recipient)
  return [...new Set(told)].filter((one) => ![agent, assigned_to, created_by].includes(one))
}

async function lockNamed(tx: Tx, threadId: string) {
  const [locked, asking] = await Promise.all([lockThread(tx, threadId), tx.asking(threadId)])
  return { ...locked, asking }
}

/** Messages to former holders that were never shown go to the claimer, unless it already has them. */
export async function takeOver(
  tx: Tx,
  { state, now }: LockedThread,
  there: Delivery[],
  { agent, instead_of, handed }: { agent: string; instead_of: string[]; handed: string[] },
): Promise<void> {
  const { thread } = state
  const before = [thread.assigned_to, ...instead_of].filter((one) => one !== thread.created_by)
  const known = new Set([...handed, ...there.filter(isTo([agent])).map((one) => one.message_id)])
  const waiting = there
    .filter(isTo(before))
    .filter((one) => one.state === 'queued' && !known.has(one.message_id))
  if (waiting.length === 0) return
  const [mark, messages] = await Promise.all([
    tx.readMark(thread.thread_id, agent),
    Promise.all(waiting.map(({ message_id }) => tx.message(message_id))),
  ])
  const own = new Set(messages.filter((one) => one?.from_agent === agent).map((one) => one?.seq))
  for (const { message_id, seq, kind, expires_at, recipient: from } of waiting) {
    if (seq <= (mark?.last_read_seq ?? 0) || own.has(seq) || known.has(message_id)) continue
    known.add(message_id)
    const taken = [{ message_id, seq, kind, expires_at }]
    tx.record(state, takeFromQueue(thread, { recipient: agent, from, taken }, now))
  }
}

function isTo(names: string[]) {
  return ({ recipient }: Delivery) => names.includes(recipient)
}
