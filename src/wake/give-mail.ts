// Hands an agent's unread mail to its program, page by page, on standard input.

import type { InboxItem } from '../core/inbox/inbox-reads.ts'
import type { Store } from '../core/store.ts'
import type { RunningProgram } from '../core/waking/launch.ts'

/** The part of an inbox item that is needed to present it after it went to the program. */
export type PresentableItem = Pick<InboxItem, 'event_id' | 'thread_id' | 'state'>

/** How many messages one write to the program carries. */
export const PAGE = 100

/**
 * Gives the program its unread mail up to an event. Mail that comes later is for the next turn, because the program waits
 * for the end of its input.
 */
export async function giveMail(
  { store, show }: { store: Store; show: (items: InboxItem[]) => string },
  recipient: string,
  { started, given, last }: { started: RunningProgram; given: PresentableItem[]; last: number },
): Promise<{ upto: number; isAll: boolean }> {
  let upto = 0
  try {
    for (;;) {
      const page = await store.inbox({ recipient, unreadOnly: true, after: upto, limit: PAGE })
      const items = page.filter(({ event_id }) => event_id <= last)
      if (items.length > 0) {
        if (!(await started.give(show(items)))) return { upto, isAll: false }
        upto = items.at(-1)?.event_id ?? upto
        given.push(
          ...items.map(({ event_id, thread_id, state }) => ({ event_id, thread_id, state })),
        )
      }
      // A page may be short because its messages are long, so only an empty one is the last.
      if (page.length === 0 || items.length < page.length) return { upto, isAll: true }
    }
  } catch {
    // Whatever failed, the rest of the mail is still queued, and the turn goes on with what the program
    // has. The supervisor of a running program must not end for this.
    return { upto, isAll: false }
  } finally {
    started.giveEnd()
  }
}

export async function hasMore(store: Store, recipient: string, after: number): Promise<boolean> {
  return (await store.heads({ recipient, after, limit: 1 })).length > 0
}
