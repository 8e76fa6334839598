// Work is for every agent of a store to see. What is said in mail and in pushes is between those it was
// said by and to: at a server's doors, where it is known who asks, and at the shell for whoever says a name.

import type { Principal } from '../core/principal.ts'
import type { Store } from '../core/store.ts'
import type { Thread } from '../core/thread.ts'
import { seesEverything } from './inbox.ts'
import { type Context, unknownThread } from './operation.ts'

export type Viewer = Pick<Principal, 'kind' | 'name'>

/** What is hidden is refused as if it were not there: that two write to each other is theirs alone. */
export async function mustSee({ store }: Context, viewer: Viewer, thread: Thread): Promise<void> {
  if (viewer.kind === 'person' || viewer.kind === 'system') return
  const isSeen = await sees(store, viewer, thread)
  if (!isSeen) throw unknownThread(thread.thread_id)
}

async function sees(store: Store, { kind, name }: Viewer, thread: Thread): Promise<boolean> {
  if (thread.kind === 'work' || thread.created_by === name) return true
  // A push names the session it came from, with which one could go on: it is for people and its agent.
  if (thread.kind === 'push') return kind !== 'agent'
  if (await seesEverything(store, name)) return true
  const { thread_id } = thread
  const [hasWritten, hasGot] = await Promise.all([
    store.hasWritten(thread_id, name),
    store.hasGot(thread_id, name),
  ])
  return hasWritten || hasGot
}
