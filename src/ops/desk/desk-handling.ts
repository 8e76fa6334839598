// Snooze, unsnooze, mark: what a person does with threads on their desk, by id, in one transaction.

import { BACK_ABOVE } from '../../core/desk/desk-reads.ts'
import { type Snooze, snoozeId } from '../../core/desk/snooze.ts'
import { SNOOZES } from '../../core/desk/snooze-record.ts'
import { Refusal, refuse } from '../../core/error.ts'
import type { Delivery } from '../../core/inbox/delivery.ts'
import { field, operation, sentence } from '../../core/sentence.ts'
import type { LockedThread, Tx } from '../../core/store.ts'
import { sees } from '../inbox/visible-thread.ts'
import { aList, aText, CURSOR } from '../kit/answer.ts'
import { int, list, required, self } from '../kit/field.ts'
import type { PushViewer } from '../pushes/push-view.ts'

const MOST_THREADS = 500

export const DESK_HANDLING = {
  agent: self('the person whose desk it is', { leftOut: 'user' }),
  threads: required(list('a thread', { max: MOST_THREADS, positional: true })),
}

export const UPTO = int(
  'skip threads that changed after this event, such as the next_event_id of an earlier answer',
)

export type DeskChange = {
  /** The ids of the threads that changed. */
  changed: string[]
  next_event_id: number
}

export const DESK_CHANGED = {
  changed: aList(aText('an id'), 'those that changed'),
  next_event_id: CURSOR,
}

export function checkThreads({ threads }: { threads?: string[] | undefined }): void {
  if ((threads ?? []).length > 0) return
  throw refuse.invalid_input`${field('threads')} is empty: name a thread`
}

/** A thread on a desk, under its lock: everything delivered to the person in it, and whether they snoozed it. */
export type ThreadOnDesk = LockedThread & {
  thread_id: string
  own: Delivery[]
  /** The latest delivery. */
  last: Delivery
  snoozed: Snooze | null
  /** The thread's snooze has ended, and it's at the top until it's read. */
  isBack: boolean
}

/** Locks these threads. A thread that isn't on the desk is refused as if it didn't exist. */
export async function lockDesk(
  tx: Tx,
  { name: person, by }: PushViewer,
  threads: readonly string[],
): Promise<ThreadOnDesk[]> {
  // Pruning removes old snoozes under this lock. It's always taken before the locks of threads.
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
    if (lock === undefined || last === undefined) {
      throw new Refusal(
        'not_found',
        sentence`thread ${thread_id} is not on the desk of ${person}; see ${operation('desk list')}`,
        { thread_id },
      )
    }
    held.push({ ...lock, thread_id, own, last, snoozed, isBack: (place ?? 0) > BACK_ABOVE })
  }
  return held
}

/** The latest message that was read: it can be marked unread again. */
export function latestRead(own: readonly Delivery[]): Delivery | undefined {
  return own.findLast(({ state }) => state === 'read' || state === 'acted')
}
