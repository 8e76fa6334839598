// How the operations for reading, peeking and waiting look at an inbox. Messages that a reader gets from its own inbox
// count as presented.

import { parseAddress, queueOf } from '../../core/agents/address.ts'
import { isOrchestrator, isPerson, ORCHESTRATOR } from '../../core/agents/agent.ts'
import { field, operation, refuse } from '../../core/error.ts'
import { type Evidence, expireIfOverdue } from '../../core/inbox/delivery.ts'
import type { InboxItem } from '../../core/inbox/inbox-reads.ts'
import { step } from '../../core/mail/mail.ts'
import { isClaimed } from '../../core/principal.ts'
import type { Reads, Store, Tx } from '../../core/store.ts'
import { type AnswerOf, aList, aNumber, CURSOR, MORE } from '../kit/answer.ts'
import { mustBeAbove, mustBeInLog, parseSince, type Since } from '../kit/cursor.ts'
import { address, byDefault, flag, int, required, self, text } from '../kit/field.ts'
import type { Context, StopCheck } from '../kit/operation.ts'
import { readPage } from '../kit/page.ts'
import { INBOX_MAIL, viewItem } from './mail-view.ts'
import type { Viewer } from './visible-thread.ts'

export const LOOK_FIELDS = {
  agent: required(self('who is reading', { orOwner: true })),
  to: address('whose inbox; only people and the orchestrator may read another’s', {
    leftOut: 'your own',
  }),
  since: text('only later messages: an event id, or a time', { max: 40 }),
  all: flag('include messages that were read'),
  limit: byDefault(int('how many to list at most', { min: 1, max: 500 }), 50),
}

export type LookInput = {
  agent: string
  to?: string | undefined
  since?: string | undefined
  all?: boolean | undefined
  limit: number
}

export const INBOX = {
  messages: aList(INBOX_MAIL, 'oldest first'),
  unread: aNumber('how many messages in it are unread'),
  next_event_id: CURSOR,
  has_more: MORE,
}

export type Inbox = AnswerOf<typeof INBOX>

export type InboxLook = Since & {
  recipient: string
  isOwn: boolean
  /** The reader whose stop message is read as well, or null if it's read elsewhere. */
  reader: string | null
  unreadOnly: boolean
  limit: number
  caller: Context['caller']
}

/** Validates the input before a store is touched. */
export function checkLook({ to, since }: Pick<LookInput, 'to' | 'since'>): void {
  parseSince(since, field('since'))
  if (to !== undefined && ['broadcast', 'instance'].includes(parseAddress(to).to))
    throw refuse.invalid_input`${field('to')} ${to} has no inbox of its own; name one agent or person`
}

export async function lookingAt(
  context: Pick<Context, 'store' | 'caller'>,
  input: LookInput,
): Promise<InboxLook> {
  const { store } = context
  const since = parseSince(input.since, field('since'))
  const [recipient] = await Promise.all([
    recipientFor(context, input),
    since.isCursor ? mustBeInLog(store, since.after) : undefined,
  ])
  return {
    ...since,
    recipient,
    isOwn: recipient === input.agent,
    reader: input.agent,
    unreadOnly: input.all !== true,
    limit: input.limit,
    caller: context.caller,
  }
}

async function recipientFor(
  { store, caller: { principal } }: Pick<Context, 'store' | 'caller'>,
  { agent, to }: LookInput,
): Promise<string> {
  const recipient = to === undefined ? agent : await recipientOf(store, to)
  if (recipient === agent) return agent
  if (!(await seesEverything(store, { name: agent, proof: principal?.proof }))) {
    const remedy = isClaimed(principal) ? 'come with a token' : 'ask the orchestrator'
    throw refuse.forbidden`${agent} may read its own mail only; leave out ${field('to')}, or ${remedy}`
  }
  if (!(await isKnown(store, recipient)))
    throw refuse.not_found`${recipient} has no inbox here; see ${operation('agent list')}`
  return recipient
}

async function recipientOf(store: Reads, to: string): Promise<string> {
  const parsed = parseAddress(to)
  switch (parsed.to) {
    case 'agent':
      return parsed.agent_id
    case 'person':
      return parsed.person_id
    case 'role':
      return parsed.role === ORCHESTRATOR ? orchestrator(store) : queueOf(parsed.role)
    case 'orchestrator':
      return orchestrator(store)
    default:
      throw refuse.invalid_input`${field('to')} ${to} has no inbox of its own; name one agent or person`
  }
}

async function orchestrator(store: Reads): Promise<string> {
  const [agent] = await store.agents({ role: ORCHESTRATOR })
  return agent?.agent_id ?? queueOf(ORCHESTRATOR)
}

async function isKnown(store: Reads, recipient: string): Promise<boolean> {
  if (recipient === 'user' || recipient.startsWith('role:')) return true
  if (isPerson(recipient)) return store.hasPerson(recipient)
  return (await store.agent(recipient)) !== null
}

/**
 * True for people and the orchestrator. Any other agent, and a caller whose name isn't proven, sees only what it sent
 * or received.
 */
export async function seesEverything(
  store: Reads,
  { name, proof }: Pick<Viewer, 'name' | 'proof'>,
): Promise<boolean> {
  if (isPerson(name)) return true
  return !isClaimed({ proof }) && isOrchestrator(name, await store.agent(name))
}

/** Reads a page of the inbox, with the items that a caller would present. Changes nothing. */
export async function look(
  store: Store,
  { recipient, isOwn, reader, unreadOnly, after, since, isCursor, limit, caller }: InboxLook,
): Promise<{ inbox: Inbox; items: InboxItem[] } & Pick<StopCheck, 'notStopped'>> {
  // Read the log's end first, so that messages sent later come after the cursor in the answer.
  const [{ end, now }, found, unread, stop, floor] = await Promise.all([
    store.standing(),
    readPage<InboxItem>({ store, caller }, limit, (count, last) =>
      store.inbox({
        recipient,
        unreadOnly,
        after: last?.event_id ?? after,
        since,
        limit: count,
      }),
    ),
    store.unread(recipient),
    reader === null ? undefined : store.stopFor(reader),
    // Read the floor after the messages. If it were read before, a prune in between would go unnoticed.
    isCursor ? store.floor() : 0,
  ])
  const isLater = isCursor && found.reads > 1
  mustBeAbove({ floor: isLater ? await store.floor() : floor, end }, after)
  const items = found.items.map((one) => expireIfOverdue(one, now))
  const { has_more } = found
  const last = items.at(-1)?.event_id ?? 0
  const next_event_id = has_more ? last : Math.max(end, last, after)
  let messages = items.map(viewItem)
  // Only people get pushes, so other calls don't load the code that describes them.
  if (isPerson(recipient) && items.length > 0) {
    const { addEntries } = await import('./pushed-mail.ts')
    messages = await addEntries(store, { recipient, isOwn }, items, messages)
  }
  const inbox = { messages, unread, next_event_id, has_more }
  return { inbox, items, notStopped: stop === null ? (reader ?? undefined) : undefined }
}

/** Runs once the answer has been delivered. Skips messages that have been read or presented since. */
export async function present(
  { store }: Pick<Context, 'store'>,
  recipient: string,
  items: readonly Pick<InboxItem, 'state' | 'event_id' | 'thread_id'>[],
  by: Evidence,
): Promise<void> {
  const fresh = items.filter(({ state }) => state === 'queued')
  const ids = fresh.map(({ event_id }) => event_id)
  if (ids.length === 0) return
  await store.write(async (tx: Tx) => {
    // Both queries are sent together and executed in this order, so the queued messages are read under the locks.
    const [locks, places] = await Promise.all([
      tx.lockAll(fresh.map(({ thread_id }) => thread_id)),
      tx.unreadPlaces(recipient, Math.min(...ids), Math.max(...ids)),
    ])
    const shown = Map.groupBy(
      places.filter(({ event_id, state }) => state === 'queued' && ids.includes(event_id)),
      ({ thread_id }) => thread_id,
    )
    for (const lock of locks) {
      const messages = shown.get(lock.state.thread.thread_id)
      if (messages === undefined) continue
      const which = { recipient, messages: messages.map(({ message_id }) => message_id) }
      const event = step(lock.state.thread, { type: 'delivery_present', by }, which, lock.now)
      tx.record(lock.state, event)
    }
    return {}
  })
}
