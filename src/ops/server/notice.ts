// Tells when somebody's inbox has changed because something came or was read, for doors that can tell their
// caller without being asked.

import { Refusal } from '../../core/error.ts'
import type { Store } from '../../core/store.ts'
import { rest } from '../../wake/rest.ts'
import { waitFor } from '../../wake/wait.ts'
import type { House } from '../call.ts'

export type NoticeOptions = {
  /** Null where there is no store yet; another program may make one. */
  lookIn: () => House | null | Promise<House | null>
  recipient: string
  signal: AbortSignal
  tell: () => void
}

/** Runs until `signal` aborts. Mail that was there before is not news. */
export async function noticeMail({
  lookIn,
  recipient,
  signal,
  tell,
}: NoticeOptions): Promise<void> {
  const there = await lookIn()
  const house = there ?? (await whenThere(lookIn, signal))
  if (house === null) return
  const { store, bell } = house
  // In a store that is newer than the subscription, everything is news.
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
      // The store is away for long, and the listener still wants to know when it is back.
      if (!(error instanceof Refusal && error.code === 'busy')) throw error
    }
  }
}

/** Nobody rings for a store that does not exist yet. */
const LOOK_AGAIN_MS = 2000
const NOTHING = { end: 0, isNew: false, unread: 0 }

async function whenThere(
  lookIn: NoticeOptions['lookIn'],
  signal: AbortSignal,
): Promise<House | null> {
  while (!signal.aborted) {
    await rest(LOOK_AGAIN_MS, signal)
    const house = signal.aborted ? null : await lookIn()
    if (house !== null) return house
  }
  return null
}

async function standing(store: Store, recipient: string, after: number) {
  // The log's end is read first, so mail that is sent after it lies ahead at the next look.
  const [end, found, unread] = await Promise.all([
    store.lastEventId(),
    store.heads({ recipient, after, limit: 1 }),
    store.unread(recipient),
  ])
  return { end, isNew: found.length > 0, unread }
}
