import { isPerson, isReserved } from '../../core/agents/agent.ts'
import { operation, quote, Refusal, refuse, type Sentence, sentence } from '../../core/error.ts'
import type { Workspace } from '../../core/identity/workspace.ts'
import { WORKSPACES } from '../../core/identity/workspace-record.ts'
import type { Tx } from '../../core/store.ts'
import { aRow, aText, orNull } from '../kit/answer.ts'

export type WorkspaceView = Workspace

export const WORKSPACE = aRow<WorkspaceView>('workspace', 'the workspace', {
  workspace_id: aText('its id'),
  label: aText('its label'),
  path: aText('the folder'),
  default_agent: aText('the agent that pushes from it, unless another is named'),
  added_at: aText('when it was added'),
  updated_at: aText('when it last changed'),
  removed_at: orNull(aText('when it was removed')),
})

/** Returns the workspace, or throws if it was removed or never existed. */
export async function presentWorkspace(
  tx: Pick<Tx, 'rowOf'>,
  workspaceId: string,
): Promise<Workspace> {
  const workspace = await tx.rowOf(WORKSPACES, workspaceId)
  if (workspace !== null && workspace.removed_at === null) return workspace
  throw new Refusal(
    'not_found',
    workspace === null
      ? sentence`there is no workspace ${quote(workspaceId)}; see ${operation('workspace list')}`
      : sentence`workspace ${workspaceId} was removed; add its folder again with ${operation('workspace add')}`,
    { workspace_id: workspaceId },
  )
}

/** Labels must be unique: people tell workspaces apart by label. */
export function mustBeFreeLabel(
  workspaces: readonly Workspace[],
  label: string,
  own?: string,
): void {
  const other = workspaces.find(
    (one) => one.label === label && one.removed_at === null && one.workspace_id !== own,
  )
  if (other === undefined) return
  throw new Refusal(
    'invalid_state',
    `workspace ${other.workspace_id} already has the label ${quote(label)}; choose another`,
    { workspace_id: other.workspace_id },
  )
}

export function mustBeAgent(name: string, label: Sentence): void {
  if (!isPerson(name) && (!isReserved(name) || name === 'orchestrator')) return
  throw refuse.invalid_input`${label} ${quote(name)} does not name an agent`
}
