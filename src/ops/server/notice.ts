// Tells when somebody's inbox has changed because something came or was read, for doors that can tell their
// caller without being asked.

import type { Principal } from '../../core/principal.ts'
import type { Store } from '../../core/store.ts'
import { sleepUnlessAborted } from '../../wake/wait.ts'
import type { House } from '../call.ts'
import { follow } from './tail.ts'

export type NoticeOptions = {
  /** Null where there is no store yet; another program may make one. */
  lookIn: () => House | null | Promise<House | null>
  principal: Principal
  report: (error: unknown) => void
}

/** Nobody rings for a store that does not exist yet. */
const LOOK_AGAIN_MS = 2000
const NOTHING = { end: 0, isNew: false, unread: 0 }

/** Calls `tell` at every change until the returned function is called. Mail that was there before is not news. */
export function noticeMail(options: NoticeOptions, tell: () => void): () => void {
  const over = new AbortController()
  watchInbox(options, tell, over.signal).catch(options.report)
  return () => over.abort()
}

async function watchInbox(
  { lookIn, principal: { name }, report }: NoticeOptions,
  tell: () => void,
  signal: AbortSignal,
): Promise<void> {
  let house = await lookIn()
  // In a store that is newer than the wish to know, everything is news.
  let known = house === null ? NOTHING : await standing(house.store, name, Number.MAX_SAFE_INTEGER)
  while (house === null && !signal.aborted) {
    await sleepUnlessAborted(LOOK_AGAIN_MS, signal)
    house = await lookIn()
  }
  if (house === null) return
  const { store, bell } = house
  const look = async (): Promise<null> => {
    const seen = await standing(store, name, known.end)
    if (seen.isNew || seen.unread !== known.unread) tell()
    known = seen
    return null
  }
  await follow({ store, bell, look, chores: [], signal, report })
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
