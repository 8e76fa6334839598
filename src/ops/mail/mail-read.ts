import { queueOf } from '../../core/agents/address.ts'
import { isOutOfSight, isPerson, type SeenAgent } from '../../core/agents/agent.ts'
import type { Store } from '../../core/store.ts'
import { introduce } from '../agents/introduce.ts'
import {
  checkLook,
  INBOX,
  type Inbox,
  LOOK_FIELDS,
  look,
  lookingAt,
  present,
} from '../inbox/inbox.ts'
import { hasQueued, takeQueued } from '../inbox/take.ts'
import { INTERRUPTED } from '../kit/answer.ts'
import { int } from '../kit/field.ts'
import { ANYONE, action, type StopNote } from '../kit/operation.ts'
import { secondsToWait } from '../kit/tool.ts'
import { waitAs } from '../kit/waiting.ts'

export const mailRead = action({
  name: 'mail read',
  summary: 'Read the mail. With a timeout, block until there is some.',
  about:
    'Lists unread mail, oldest first. A message that was shown and not marked as read is shown again. A message counts as presented once the answer is out. The reader takes what is queued for its role. With a cursor (--since with next_event_id) each message comes once; with a time come later messages and, of that millisecond, those not shown yet.',
  fields: {
    ...LOOK_FIELDS,
    timeout_seconds: int('wait this many seconds for mail; without it, or with 0, do not wait', {
      max: 31_536_000,
    }),
  },
  writes: 'marks',
  set: 'mailbox',
  callers: ANYONE,
  blocks: true,
  refusals: ['invalid_input', 'invalid_state', 'not_found', 'forbidden', 'cursor_expired'],
  check: checkLook,
  async run(context, input): Promise<Inbox & { interrupted?: true } & StopNote> {
    const { store, bell, signal } = context
    let looking = await lookingAt(store, input)
    const { recipient } = looking
    const isReader = looking.isOwn && !isPerson(recipient)
    const { reader, isUnseen } = isReader ? await arrive(store, recipient) : NOBODY
    const handOver = ({ items }: Awaited<ReturnType<typeof look>>) => {
      if (!looking.isOwn || !items.some(({ state }) => state === 'queued')) return
      context.later(() => present(context, recipient, items, context.door))
    }
    let seen = await look(store, looking)
    let { notStopped } = seen
    let interrupted = {}
    if (seen.items.length === 0 && (input.timeout_seconds ?? 0) > 0) {
      // Nothing up to here was for this reader, so pruning it during the wait loses nothing.
      const after = looking.isCursor ? seen.inbox.next_event_id : looking.after
      looking = { ...looking, after, reader: null }
      let hasTaken = false
      const wait = {
        bell,
        about: [recipient, queueOf(reader?.role ?? '')],
        async look() {
          // Both are read in one round trip. The role's queue is seldom filled; if it is, the inbox is read
          // again.
          ;[hasTaken, seen] = await Promise.all([
            reader !== null && hasQueued(store, reader),
            look(store, looking),
          ])
          if (hasTaken) {
            await come(store, recipient)
            seen = await look(store, looking)
          }
          return seen.items.length > 0 ? seen : null
        },
        askedAtOnce: () => !hasTaken,
        lookout: store.lookout(),
        chores: [],
        timeoutMs: (input.timeout_seconds ?? 0) * 1000,
        signal,
      }
      const waited = await waitAs(context, input.agent, wait, handOver)
      if (waited.outcome === 'interrupted') interrupted = { interrupted: true }
      notStopped = waited.notStopped
    } else {
      // A caller that waits notes its own sighting.
      if (isUnseen) context.later(() => sight(store, recipient), 'anyway')
      handOver(seen)
    }
    return { ...seen.inbox, ...interrupted, notStopped }
  },
  nothing: ({ messages }) => messages.length === 0,
  answer: { ...INBOX, interrupted: INTERRUPTED },
  lines: async (answer, page) => (await import('./drawing.ts')).drawInbox(answer, page),
  tool: {
    name: 'read_messages',
    does: 'Read your mail, oldest first. Call it when a turn begins, after each piece of work, and before you end. Unread mail comes again until mark_read. To wait for mail, set timeoutSeconds and repeat with since = next_event_id.',
    args: {
      to: { about: "another's inbox: orchestrator only" },
      since: { about: 'next_event_id of an earlier answer, or an ISO time', orNumber: true },
      unreadOnly: { field: 'all', opposite: true, about: 'default true' },
      limit: {},
      timeoutSeconds: {
        field: 'timeout_seconds',
        ...secondsToWait(0),
        about: 'block until there is some',
      },
    },
    nothing: 'Nothing unread. To wait, call again with timeoutSeconds, and since = next_event_id.',
  },
})

/** A reader is known from now on, seen now, and takes its role's queue. */
async function arrive(store: Store, agentId: string): Promise<Arrival> {
  const [known, now] = await Promise.all([store.agent(agentId), store.now()])
  if (known === null || (await hasQueued(store, known))) {
    return { reader: await come(store, agentId), isUnseen: false }
  }
  return { reader: known, isUnseen: isOutOfSight(known, now) }
}

/** The reader, and whether its sighting is still to be noted. */
type Arrival = { reader: SeenAgent | null; isUnseen: boolean }

const NOBODY: Arrival = { reader: null, isUnseen: false }

async function sight(store: Store, agentId: string): Promise<void> {
  await store.write(async (tx) => {
    tx.sight(agentId, await tx.now())
    return {}
  })
}

async function come(store: Store, agentId: string): Promise<SeenAgent> {
  const { value } = await store.write(async (tx) => {
    const now = await tx.now()
    const before = await tx.agent(agentId)
    // The queue is taken once: mail that is taken twice in one transaction is delivered twice.
    const agent = before ?? {
      ...(await introduce(tx, agentId, { by: agentId, now, takes: false })),
      seen_at: null,
      waiting_until: null,
      leased_until: null,
    }
    const seen = { ...agent, seen_at: now }
    await takeQueued(tx, seen, now)
    if (isOutOfSight(before, now)) tx.sight(agentId, now)
    return seen
  })
  return value
}
