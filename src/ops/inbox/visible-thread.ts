// Who sees which thread: one table, for every door. At a server's doors it is known who asks; at the shell it
// holds for whoever says a name. What is hidden is refused as if it were not there: that two write to each
// other is theirs alone.

import { isPerson } from '../../core/agents/agent.ts'
import type { ThreadKind } from '../../core/kinds.ts'
import type { Caller, Principal, ToolSet } from '../../core/principal.ts'
import type { Reads } from '../../core/store.ts'
import type { Thread } from '../../core/threads/thread.ts'
import { type Context, unknownThread } from '../kit/operation.ts'
import { seesEverything } from './inbox.ts'

export type Viewer = Pick<Principal, 'kind' | 'name' | 'sets' | 'workspace_id'>

type Seen = Pick<Thread, 'thread_id' | 'kind' | 'created_by'>

/** `own`: threads it began; of mail also those in which it has said or got something. */
const SEES: Record<Caller | 'orchestrator', Record<ThreadKind, 'all' | 'own'>> = {
  person: { work: 'all', mail: 'all', push: 'all' },
  system: { work: 'all', mail: 'all', push: 'all' },
  service: { work: 'all', mail: 'own', push: 'all' },
  orchestrator: { work: 'all', mail: 'all', push: 'all' },
  agent: { work: 'all', mail: 'own', push: 'own' },
}

/** A token for some sets sees the threads of these. */
const SET_OF: Record<ThreadKind, ToolSet> = { work: 'threads', mail: 'mailbox', push: 'workspace' }

export function viewerNamed(name: string): Viewer {
  return { kind: isPerson(name) ? 'person' : 'agent', name }
}

export async function mustSee({ store }: Context, viewer: Viewer, thread: Thread): Promise<void> {
  if (!(await sees(store, viewer, thread))) throw unknownThread(thread.thread_id)
}

export async function sees(store: Reads, viewer: Viewer, thread: Seen): Promise<boolean> {
  const { thread_id, kind, created_by } = thread
  const { name, sets } = viewer
  if (sets?.includes(SET_OF[kind]) === false) return false
  if (kind === 'push') {
    const only = await pushesSeenBy(store, viewer)
    if (only.workspaceId === undefined) return (only.from ?? created_by) === created_by
    return (await store.pushRow(thread_id))?.workspace_id === only.workspaceId
  }
  if (created_by === name || (await sightOf(store, viewer, kind)) === 'all') return true
  const [hasWritten, hasGot] = await Promise.all([
    store.hasWritten(thread_id, name),
    store.hasGot(thread_id, name),
  ])
  return hasWritten || hasGot
}

/** Of all pushes, those from one workspace or by one agent. */
export type OnlyPushes = { workspaceId?: string; from?: string }

/** With a token for one workspace, the pushes from there: all of them, and no other. */
export async function pushesSeenBy(store: Reads, viewer: Viewer): Promise<OnlyPushes> {
  const { name, workspace_id } = viewer
  if (workspace_id !== undefined) return { workspaceId: workspace_id }
  return (await sightOf(store, viewer, 'push')) === 'all' ? {} : { from: name }
}

async function sightOf(store: Reads, { kind, name }: Viewer, of: ThreadKind) {
  if (kind !== 'agent' || SEES.agent[of] === 'all') return SEES[kind][of]
  return SEES[(await seesEverything(store, name)) ? 'orchestrator' : 'agent'][of]
}
