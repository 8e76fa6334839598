// Tells when somebody's inbox has changed: something came, or something was read. For doors that can tell
// their caller without being asked.

import { Refusal } from '../../core/error.ts'
import type { Store } from '../../core/store.ts'
import { rest } from '../../wake/rest.ts'
import { waitFor } from '../../wake/wait.ts'
import type { House } from '../call.ts'

export type Noticing = {
  /** Null where there is no store yet: others may make one. */
  lookIn: () => House | null | Promise<House | null>
  recipient: string
  signal: AbortSignal
  tell: () => void
}

/** Until `signal` ends it. What was there before is no news. */
export async function noticeMail({ lookIn, recipient, signal, tell }: Noticing): Promise<void> {
  const there = await lookIn()
  const house = there ?? (await whenThere(lookIn, signal))
  if (house === null) return
  const { store, bell } = house
  // In a store that is newer than the wish to know, everything is news.
  let known = there ? await standing(store, recipient, Number.MAX_SAFE_INTEGER) : NOTHING
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

/** For a store that is not there nobody rings. */
const LOOK_AGAIN_MS = 2000
const NOTHING = { end: 0, isNew: false, unread: 0 }

async function whenThere(lookIn: Noticing['lookIn'], signal: AbortSignal): Promise<House | null> {
  while (!signal.aborted) {
    await rest(LOOK_AGAIN_MS, signal)
    const house = signal.aborted ? null : await lookIn()
    if (house !== null) return house
  }
  return null
}

async function standing(store: Store, recipient: string, after: number) {
  // The log's end first: what is sent after it is ahead of it at the next look.
  const [end, found, unread] = await Promise.all([
    store.lastEventId(),
    store.heads({ recipient, after, limit: 1 }),
    store.unread(recipient),
  ])
  return { end, isNew: found.length > 0, unread }
}
