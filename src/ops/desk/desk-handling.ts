// Snoozes, unsnoozes and marks threads on a person's desk, by id, in one transaction.

import { BACK_ABOVE } from '../../core/desk/desk-reads.ts'
import { SNOOZES, type Snooze, snoozeId } from '../../core/desk/snooze-record.ts'
import { field, refuse } from '../../core/error.ts'
import type { Delivery } from '../../core/inbox/delivery.ts'
import type { LockedThread, Tx } from '../../core/store.ts'
import { sees } from '../inbox/visible-thread.ts'
import { type AnswerOf, aList, aText, CURSOR } from '../kit/answer.ts'
import { commit } from '../kit/commit.ts'
import { type Input, int, list, required, self } from '../kit/field.ts'
import { type Context, PEOPLE, type WithKey } from '../kit/operation.ts'
import { type PushViewer, personLooking } from '../pushes/push-view.ts'
import { notOnDesk } from './desk-page.ts'

const MOST_THREADS = 500

export const DESK_FIELDS = {
  agent: self('the person whose desk it is', { leftOut: 'user' }),
  threads: required(list('a thread', { max: MOST_THREADS, positional: true })),
}

export const UPTO = int(
  'skip threads that changed after this event, such as the next_event_id of an earlier answer',
)

const DESK_CHANGED = {
  changed: aList(aText('an id'), 'the ones that changed'),
  next_event_id: CURSOR,
}

export type DeskChange = AnswerOf<typeof DESK_CHANGED>

export const DESK_HANDLING = {
  set: 'mailbox',
  callers: PEOPLE,
  refusals: ['invalid_input', 'not_found', 'forbidden'],
  check: checkThreads,
  answer: DESK_CHANGED,
} as const

export function checkThreads({ threads }: { threads: string[] }): void {
  if (threads.length > 0) return
  throw refuse.invalid_input`${field('threads')} is empty: name a thread`
}

/** A thread on a person's desk, under its lock, with all of the person's deliveries in it and any snooze. */
export type ThreadOnDesk = LockedThread & {
  thread_id: string
  own: Delivery[]
  last: Delivery
  snoozed: Snooze | null
  /** True if the thread's snooze has ended and the thread stays at the top until it's read. */
  isBack: boolean
}

/** Applies `act` to the threads in one transaction. Returns the ids of the threads it changed. */
export async function handleDesk(
  context: Context,
  op: string,
  input: Input<WithKey<typeof DESK_FIELDS>>,
  act: (tx: Tx, threads: ThreadOnDesk[]) => string[] | Promise<string[]>,
): Promise<DeskChange> {
  const viewer = personLooking(context, input.agent)
  return commit(context, { op, agent: viewer.name, input }, async (tx) => {
    return { changed: await act(tx, await lockDesk(tx, viewer, input.threads)) }
  })
}

/** Locks these threads. A thread that isn't on the desk is refused as if it didn't exist. */
async function lockDesk(
  tx: Tx,
  { name: person, by }: PushViewer,
  threads: readonly string[],
): Promise<ThreadOnDesk[]> {
  // Pruning removes old snoozes under this lock, which is always taken before the locks of threads.
  await tx.lockRecords()
  const locks = await tx.lockAll(threads)
  const found = new Map(locks.map((lock) => [lock.state.thread.thread_id, lock]))
  const held: ThreadOnDesk[] = []
  for (const thread_id of new Set(threads)) {
    const lock = found.get(thread_id)
    const isSeen = lock !== undefined && (await sees(tx, by, lock.state.thread))
    const [all, snoozed, place] = await Promise.all([
      isSeen ? tx.deliveriesOf({ thread_id }) : [],
      tx.rowOf(SNOOZES, snoozeId(person, thread_id)),
      tx.deskPlace(person, thread_id),
    ])
    const own = all.filter(({ recipient }) => recipient === person)
    const last = own.at(-1)
    if (lock === undefined || last === undefined) throw notOnDesk(thread_id, person)
    held.push({ ...lock, thread_id, own, last, snoozed, isBack: (place ?? 0) > BACK_ABOVE })
  }
  return held
}

/** The latest message that was read: it can be marked unread again. */
export function latestRead(own: readonly Delivery[]): Delivery | undefined {
  return own.findLast(({ state }) => state === 'read' || state === 'acted')
}
