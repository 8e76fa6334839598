// Tells when somebody's inbox has changed: something came, or something was read. For doors that can tell
// their caller without being asked.

import { Refusal } from '../core/error.ts'
import type { Store } from '../core/store.ts'
import { waitFor } from '../wake/wait.ts'
import type { Context } from './operation.ts'

export type Noticing = Pick<Context, 'store' | 'bell'> & {
  recipient: string
  signal: AbortSignal
  tell: () => void
}

/** Until `signal` ends it. What was there before is no news. */
export async function noticeMail({ store, bell, recipient, signal, tell }: Noticing) {
  let known = await standing(store, recipient, Number.MAX_SAFE_INTEGER)
  const look = async (): Promise<null> => {
    const seen = await standing(store, recipient, known.end)
    if (seen.isNew || seen.unread !== known.unread) tell()
    known = seen
    return null
  }
  while (!signal.aborted) {
    try {
      await waitFor({ bell, look, lookout: store.lookout(), chores: [], timeoutMs: 0, signal })
    } catch (error) {
      // Away for long: whoever listens still wants to know when it is back.
      if (!(error instanceof Refusal && error.code === 'busy')) throw error
    }
  }
}

async function standing(store: Store, recipient: string, after: number) {
  // The log's end first: what is sent after it is ahead of it at the next look.
  const [end, found, unread] = await Promise.all([
    store.lastEventId(),
    store.inbox({ recipient, unreadOnly: true, after, since: undefined, limit: 1 }),
    store.unread(recipient),
  ])
  return { end, isNew: found.length > 0, unread }
}
