import { USER } from '../../core/agents/agent.ts'
import { TOKEN_KINDS } from '../../core/identity/token-record.ts'
import { WORKSPACES } from '../../core/identity/workspace-record.ts'
import { evolveRecord } from '../../core/record.ts'
import { aNumber, CURSOR } from '../kit/answer.ts'
import { commit } from '../kit/commit.ts'
import { id, required } from '../kit/field.ts'
import { mutation, PEOPLE } from '../kit/operation.ts'
import { presentWorkspace, WORKSPACE } from './workspace-view.ts'

/** More tokens than a workspace will ever have. All of them are revoked in one transaction. */
const MOST_TOKENS = 10_000

export const workspaceRemove = mutation({
  name: 'workspace remove',
  example: 'workspace remove w5n1bd',
  summary: 'Remove a workspace: its files can no longer be read, and its tokens are revoked.',
  about:
    'No files are touched. Pushes from the workspace stay and show that it is gone. Adding the folder again brings the workspace back, but not its tokens.',
  fields: {
    workspace: required(id('the workspace', { positional: true })),
  },
  set: 'none',
  callers: PEOPLE,
  guarded: true,
  refusals: ['invalid_input', 'not_found'],
  async run(context, input) {
    const by = context.caller.agent ?? USER
    return commit(context, { op: 'workspace remove', agent: by, input }, async (tx) => {
      await tx.lockRecords()
      const [now, before] = await Promise.all([tx.now(), presentWorkspace(tx, input.workspace)])
      const { workspace_id } = before
      const tokens = await tx.tokens({
        kinds: TOKEN_KINDS,
        workspace: workspace_id,
        goodAt: now,
        limit: MOST_TOKENS,
      })
      for (const { token_id } of tokens) {
        const facts = { type: 'token_revoke', token_id } as const
        tx.recordStoreEvent({ agent: by, at: now, facts })
      }
      const facts = { type: 'workspace_remove', workspace_id } as const
      tx.recordStoreEvent({ agent: by, at: now, facts })
      return {
        workspace: evolveRecord(WORKSPACES, before, facts, { agent: by, at: now }),
        revoked: tokens.length,
      }
    })
  },
  answer: {
    workspace: WORKSPACE,
    revoked: aNumber('how many tokens were revoked with it'),
    next_event_id: CURSOR,
  },
  lines: async (answer, page) => (await import('./drawing.ts')).drawRemoved(answer, page),
})
