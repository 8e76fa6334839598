// Determines who can see a thread, for every door, by the thread's kind (src/core/kinds.ts). A server knows its caller;
// in the shell, the rule applies to callers that give a name. A hidden thread is refused as if it didn't exist, because
// no one else needs to know that two agents write to each other.

import { isPerson } from '../../core/agents/agent.ts'
import { KINDS, type ThreadKind } from '../../core/kinds.ts'
import type { Principal, Proof } from '../../core/principal.ts'
import { PUSHES } from '../../core/pushes/push-record.ts'
import type { Reads } from '../../core/store.ts'
import type { Sight } from '../../core/threads/kind.ts'
import type { Thread } from '../../core/threads/thread.ts'
import { memberOf } from '../../core/workflows/instance.ts'
import { INSTANCES } from '../../core/workflows/instance-record.ts'
import { unknownThread } from '../kit/commit.ts'
import type { Context } from '../kit/operation.ts'
import { seesEverything } from './inbox.ts'

/** A viewer without a proof is a caller at the shell. */
export type Viewer = Pick<Principal, 'kind' | 'name' | 'sets' | 'workspace_id'> & {
  proof?: Proof | undefined
}

type ThreadHead = Pick<Thread, 'thread_id' | 'kind' | 'created_by'>

export function viewerNamed(name: string): Viewer {
  return { kind: isPerson(name) ? 'person' : 'agent', name }
}

export async function mustSee({ store }: Context, viewer: Viewer, thread: Thread): Promise<void> {
  if (!(await sees(store, viewer, thread))) throw unknownThread(thread.thread_id)
}

export async function sees(store: Reads, viewer: Viewer, thread: ThreadHead): Promise<boolean> {
  const { thread_id, kind, created_by } = thread
  const { name, sets, workspace_id } = viewer
  const { set, ofWorkspaces } = KINDS[kind]
  if (sets?.includes(set) === false) return false
  if (ofWorkspaces && workspace_id !== undefined) {
    return (await store.rowOf(PUSHES, thread_id))?.workspace_id === workspace_id
  }
  if (created_by === name) return true
  const sight = await sightOf(store, viewer, kind)
  if (sight !== 'party' && sight !== 'member') return sight === 'all'
  if (sight === 'member' && (await takesPart(store, thread_id, name))) return true
  const [hasWritten, hasGot] = await Promise.all([
    store.hasWritten(thread_id, name),
    store.hasGot(thread_id, name),
  ])
  return hasWritten || hasGot
}

/** Whether the agent belongs to the instance that owns this channel. */
async function takesPart(store: Reads, threadId: string, name: string): Promise<boolean> {
  const state = await store.thread(threadId)
  const instance = state && (await store.rowOf(INSTANCES, state.thread.run_id))
  return instance !== null && memberOf(instance, name) !== undefined
}

/** Limits a list of pushes to those from one workspace or one agent. */
export type OnlyPushes = { workspaceId?: string; from?: string }

/** A token for one workspace sees all pushes from there, and no others. */
export async function pushesSeenBy(store: Reads, viewer: Viewer): Promise<OnlyPushes> {
  const { name, workspace_id } = viewer
  if (workspace_id !== undefined) return { workspaceId: workspace_id }
  return (await sightOf(store, viewer, 'push')) === 'all' ? {} : { from: name }
}

async function sightOf(store: Reads, viewer: Viewer, of: ThreadKind): Promise<Sight> {
  const { kind } = viewer
  const { sight } = KINDS[of]
  if (kind !== 'agent' || sight.agent === 'all') return sight[kind]
  return sight[(await seesEverything(store, viewer)) ? 'orchestrator' : 'agent']
}
