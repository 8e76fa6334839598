// Works out who pushes, and from which workspace and session, from what the door knows.

import { isPerson } from '../../core/agents/agent.ts'
import { callerBy, field, operation, refuse } from '../../core/error.ts'
import type { Workspace } from '../../core/identity/workspace.ts'
import { credibleOrigin, type Origin, TURN_SECONDS, type Turn } from '../../core/pushes/push.ts'
import type { Tx } from '../../core/store.ts'
import { type Instant, plusSeconds } from '../../core/time.ts'
import { presentWorkspace } from '../identity/workspace-view.ts'
import type { Context } from '../kit/operation.ts'

export type PushSender = { from: string; workspace: Workspace | null }

/** An agent pushes from its own workspace. People and services name a workspace and push as its default agent. */
export async function senderOf(
  { store, caller, origin }: Context,
  want: { agent?: string | undefined; workspace?: string | undefined },
): Promise<PushSender> {
  const { principal } = caller
  const own = principal?.workspace_id
  if (own !== undefined && want.workspace !== undefined && want.workspace !== own)
    throw refuse.forbidden`you push from workspace ${own}; leave out workspace`
  const isAgent = principal === undefined ? true : principal.kind === 'agent'
  const from = isAgent && want.agent !== undefined && !isPerson(want.agent) ? want.agent : undefined
  const named = own ?? want.workspace
  const workspace =
    named !== undefined
      ? await presentWorkspace(store, named)
      : principal === undefined
        ? await workspaceAround(store, origin?.folder)
        : null
  if (from === undefined) {
    if (workspace !== null) return { from: workspace.default_agent, workspace }
    throw refuse.invalid_input`say who pushes (${callerBy('agent')}), or from which workspace: be in one (see ${operation('workspace add')}), or name it with ${field('workspace')}`
  }
  // A caller whose name is only claimed may also claim a workspace, since /mcp/WORKSPACE requires only the id. The same
  // goes for a caller that has the store's file.
  const isShown = principal !== undefined && !['claim', 'file'].includes(principal.proof)
  const isOthers = own === undefined && isShown && workspace?.default_agent !== from
  if (workspace !== null && isOthers)
    throw refuse.forbidden`${from} may not push from workspace ${workspace.workspace_id}; ask for a token of that workspace`
  return { from, workspace }
}

/** The innermost workspace that contains the folder. */
export async function workspaceAround(
  store: Pick<Tx, 'workspaces'>,
  folder: string | undefined,
): Promise<Workspace | null> {
  if (folder === undefined) return null
  const around = (await store.workspaces()).filter(
    ({ path, removed_at }) =>
      removed_at === null && (folder === path || folder.startsWith(`${path}/`)),
  )
  around.sort((a, b) => b.path.length - a.path.length)
  return around[0] ?? null
}

type PushMoment = { now: Instant; wake: { wake_id: string } | null; turns: readonly Turn[] }

/**
 * Returns the origin given by the call. Missing parts are filled in if the agent has exactly one session in this place,
 * as recorded by its program's hooks.
 */
export function originOf(
  { origin = {} }: Pick<Context, 'origin'>,
  workspace: Workspace | null,
  { now, wake, turns }: PushMoment,
): Origin {
  const { backend, session } = origin
  const place = workspace?.path ?? origin.folder
  const current = turns.filter(
    (turn) =>
      plusSeconds(turn.began_at, TURN_SECONDS) > now &&
      [turn.backend, undefined].includes(backend as Turn['backend'] | undefined) &&
      [turn.session, undefined].includes(session) &&
      isNear(turn.folder, place),
  )
  const turn = current.length === 1 ? current[0] : undefined
  return credibleOrigin({
    backend: backend ?? turn?.backend,
    session: session ?? turn?.session,
    // Programs can find a session only from the folder where it began.
    folder: turn?.folder || place,
    wake: wake?.wake_id,
  })
}

/** Whether one folder contains the other. An unknown folder counts as near. */
function isNear(folder: string, place: string | undefined): boolean {
  if (folder === '' || place === undefined) return true
  return `${folder}/`.startsWith(`${place}/`) || `${place}/`.startsWith(`${folder}/`)
}
