import { USER } from '../../core/agents/agent.ts'
import { LONGEST_LABEL } from '../../core/identity/workspace.ts'
import { WORKSPACES } from '../../core/identity/workspace-record.ts'
import { evolveRecord } from '../../core/record.ts'
import { CURSOR } from '../kit/answer.ts'
import { commit } from '../kit/commit.ts'
import { id, required, text } from '../kit/field.ts'
import { mutation, PEOPLE } from '../kit/operation.ts'
import { mustBeFreeLabel, presentWorkspace, WORKSPACE } from './workspace-view.ts'

export const workspaceRename = mutation({
  name: 'workspace rename',
  example: 'workspace rename w5n1bd Shop',
  summary: 'Rename a workspace. Its pushes show the new label.',
  fields: {
    workspace: required(id('the workspace', { positional: true })),
    label: required(text('the new name people see', { positional: true, max: LONGEST_LABEL })),
  },
  set: 'none',
  callers: PEOPLE,
  refusals: ['invalid_input', 'invalid_state', 'not_found'],
  async run(context, input) {
    const by = context.caller.agent ?? USER
    return commit(context, { op: 'workspace rename', agent: by, input }, async (tx) => {
      await tx.lockRecords()
      const [now, all] = await Promise.all([tx.now(), tx.workspaces()])
      const before = await presentWorkspace(tx, input.workspace)
      if (before.label === input.label) return { workspace: before }
      mustBeFreeLabel(all, input.label, before.workspace_id)
      const { workspace_id, default_agent } = before
      const facts = {
        type: 'workspace_change',
        workspace_id,
        label: input.label,
        default_agent,
      } as const
      tx.recordStoreEvent({ agent: by, at: now, facts })
      return { workspace: evolveRecord(WORKSPACES, before, facts, { agent: by, at: now }) }
    })
  },
  answer: { workspace: WORKSPACE, next_event_id: CURSOR },
  lines: async (answer, page) => (await import('./drawing.ts')).drawWorkspace(answer, page),
})
