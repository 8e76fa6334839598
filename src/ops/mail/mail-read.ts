import { queueOf } from '../../core/agents/address.ts'
import { isOutOfSight, isPerson, type SeenAgent, UNSEEN } from '../../core/agents/agent.ts'
import { AGENT_SEEN } from '../../core/agents/sighting.ts'
import { type DeliveryState, isOverdue } from '../../core/inbox/delivery.ts'
import type { Store } from '../../core/store.ts'
import { introduce } from '../agents/introduce.ts'
import {
  checkLook,
  INBOX,
  type Inbox,
  type InboxLook,
  LOOK_FIELDS,
  look,
  lookingAt,
  present,
} from '../inbox/inbox.ts'
import { hasRoleQueue, takeRoleQueue } from '../inbox/role-queue.ts'
import { INTERRUPTED } from '../kit/answer.ts'
import { int } from '../kit/field.ts'
import { ANYONE, action } from '../kit/operation.ts'
import { secondsToWait } from '../kit/tool.ts'
import { describeWait, waitAs } from '../kit/waiting.ts'

export const mailRead = action({
  name: 'mail read',
  example: 'mail read --agent worker',
  summary: 'Read your mail. With a timeout, wait for mail that was not shown yet.',
  about:
    'Lists unread mail, oldest first. A message that was shown but not marked as read is shown again; a wait ends with one that was not shown yet, and lists both. A message counts as presented once the answer is out. The reader takes mail queued for its role. With a cursor (--since with next_event_id) each message comes once; with a time, later messages come, and those from the same millisecond that were not shown yet.',
  fields: {
    ...LOOK_FIELDS,
    timeout_seconds: int(
      'wait this many seconds for new mail; without it, or with 0, do not wait',
      {
        max: 31_536_000,
      },
    ),
  },
  writes: 'marks',
  set: 'mailbox',
  callers: ANYONE,
  blocks: true,
  refusals: ['invalid_input', 'invalid_state', 'not_found', 'forbidden', 'cursor_expired'],
  check: checkLook,
  async run(context, input): Promise<Inbox & { interrupted?: true }> {
    const { store, bell, signal } = context
    let looking = await lookingAt(context, input)
    const { recipient } = looking
    const isWait = (input.timeout_seconds ?? 0) > 0
    // Reading another agent's inbox doesn't present its mail, so a wait there ignores mail that has already arrived.
    if (isWait && !looking.isOwn && input.since === undefined) {
      looking = { ...looking, after: await store.lastEventId(), isCursor: true }
    }
    const isReader = looking.isOwn && !isPerson(recipient)
    const { reader, isUnseen } = isReader ? await arrive(store, recipient) : NOBODY
    const handOver = ({ items }: Look) => {
      if (!looking.isOwn || !items.some(isFresh)) return
      context.later(() => present(context, recipient, items, context.door))
    }
    let seen = await look(store, looking)
    const fresh = isWait ? await withFresh(store, looking, seen) : seen
    if (fresh !== null) {
      // This is needed only if the caller doesn't wait, because a wait records the sighting itself.
      if (isUnseen) context.later(() => sight(store, recipient), 'anyway')
      handOver(fresh)
      context.stopCheck.notStopped = fresh.notStopped
      return fresh.inbox
    }
    const { after: cursor, isCursor } = looking
    const isPassed = isCursor && seen.items.length === 0
    looking = isPassed
      ? // Nothing up to here was for this reader, so pruning it during the wait loses nothing.
        { ...looking, after: seen.inbox.next_event_id, reader: null }
      : // Mail that was shown but not marked is still listed, and isn't pruned while unread.
        { ...looking, isCursor: false, reader: null }
    let isAtOnce = true
    const wait = {
      bell,
      about: [recipient, queueOf(reader?.role ?? '')],
      async look() {
        // Both are read in one round trip. A role's queue is usually empty; if it isn't, the inbox is read again.
        const [hasTaken, first] = await Promise.all([
          reader !== null && hasRoleQueue(store, reader),
          look(store, looking),
        ])
        if (hasTaken) await come(store, recipient)
        seen = hasTaken ? await look(store, looking) : first
        const found = await withFresh(store, looking, seen)
        isAtOnce = found === null || found === first
        return found
      },
      askedAtOnce: () => isAtOnce,
      lookout: store.lookout(),
      chores: [],
      timeoutMs: (input.timeout_seconds ?? 0) * 1000,
      signal,
    }
    const waited = await waitAs(context, input.agent, wait, handOver)
    if (waited.outcome === 'found') return waited.value.inbox
    return {
      ...seen.inbox,
      // Mail that was shown before isn't new. The cursor doesn't move past mail that wasn't listed.
      messages: [],
      has_more: false,
      ...(isCursor && seen.items.length > 0 ? { next_event_id: cursor } : {}),
      ...(waited.outcome === 'interrupted' ? { interrupted: true as const } : {}),
    }
  },
  nothing: ({ messages }) => messages.length === 0,
  takesLong: ({ timeout_seconds }, agent) =>
    timeout_seconds ? describeWait('mail', agent) : undefined,
  answer: { ...INBOX, interrupted: INTERRUPTED },
  lines: async (answer, page) => (await import('./drawing.ts')).drawInbox(answer, page),
  tool: {
    name: 'read_messages',
    does: 'Read your mail, oldest first. Call it when a turn begins, after each piece of work, and before you end. Unread mail comes again until mark_read. To wait for new mail, set timeoutSeconds.',
    args: {
      to: { about: "another's inbox: orchestrator only" },
      since: { about: 'nextEventId of an earlier answer, or an ISO time', orNumber: true },
      unreadOnly: { field: 'all', opposite: true, about: 'default true' },
      limit: { about: 'at most' },
      timeoutSeconds: {
        field: 'timeout_seconds',
        ...secondsToWait(0),
        about: 'block until there is new mail',
      },
    },
    nothing: 'Nothing new. To wait, call again with timeoutSeconds.',
  },
})

/**
 * Returns a look that shows new mail, or null if there is none. In the reader's own inbox, mail is new until it's
 * shown; elsewhere, all mail is new. If a full page has none, the look starts from the first new mail after it.
 */
async function withFresh(store: Store, looking: InboxLook, seen: Look): Promise<Look | null> {
  const { recipient, isOwn } = looking
  if (!isOwn) return seen.items.length > 0 ? seen : null
  if (seen.items.some(isFresh)) return seen
  if (!seen.inbox.has_more) return null
  const [now, places] = await Promise.all([
    store.now(),
    store.unreadPlaces(recipient, seen.inbox.next_event_id + 1, Number.MAX_SAFE_INTEGER),
  ])
  const first = places.find((place) => isFresh(place) && !isOverdue(place, now))
  if (first === undefined) return null
  const later = await look(store, { ...looking, after: first.event_id - 1 })
  return later.items.some(isFresh) ? later : null
}

type Look = Awaited<ReturnType<typeof look>>

function isFresh({ state }: { state: DeliveryState }): boolean {
  return state === 'queued'
}

/** Makes the reader known, notes that it was seen, and gives it its role's queue. */
async function arrive(store: Store, agentId: string): Promise<Arrival> {
  const [known, now] = await Promise.all([store.agent(agentId), store.now()])
  if (known === null || (await hasRoleQueue(store, known))) {
    return { reader: await come(store, agentId), isUnseen: false }
  }
  return { reader: known, isUnseen: isOutOfSight(known, now) }
}

/** The reader, and whether its sighting still has to be noted. */
type Arrival = { reader: SeenAgent | null; isUnseen: boolean }

const NOBODY: Arrival = { reader: null, isUnseen: false }

async function sight(store: Store, agentId: string): Promise<void> {
  await store.write(async (tx) => {
    tx.keep(AGENT_SEEN, { agent_id: agentId, seen_at: await tx.now() })
    return {}
  })
}

async function come(store: Store, agentId: string): Promise<SeenAgent> {
  const { value } = await store.write(async (tx) => {
    const now = await tx.now()
    const before = await tx.agent(agentId)
    // Don't take the queue twice in one transaction, because that would deliver the mail twice.
    const agent = before ?? {
      ...(await introduce(tx, agentId, { by: agentId, now, takes: false })),
      ...UNSEEN,
    }
    const seen = { ...agent, seen_at: now }
    await takeRoleQueue(tx, seen, now)
    if (isOutOfSight(before, now)) tx.keep(AGENT_SEEN, { agent_id: agentId, seen_at: now })
    return seen
  })
  return value
}
