import { isAgentId } from '../agents/address.ts'
import { isPerson } from '../agents/agent.ts'
import type { StoreRecord, WithIds } from '../record.ts'
import { type FactsOf, ID, INSTANT, nullOr, PATH, pick, text, word } from '../shape.ts'
import { LONGEST_LABEL, type Workspace } from './workspace.ts'

const NOT_AGENTS = ['system', 'broadcast']

export const WORKSPACE_FIELDS = {
  workspace_id: ID,
  label: text({ max: LONGEST_LABEL }),
  /** The folder's real path on the machine where it was added. */
  path: PATH,
  /** The agent that pushes when only the workspace is known. It also gets the replies. */
  default_agent: word(
    'an agent',
    (name) => isAgentId(name) && !isPerson(name) && !NOT_AGENTS.includes(name),
  ),
  added_at: INSTANT,
  updated_at: INSTANT,
  removed_at: nullOr(INSTANT),
}

const FACTS = {
  workspace_add: pick(WORKSPACE_FIELDS, 'workspace_id', 'label', 'path', 'default_agent'),
  workspace_change: pick(WORKSPACE_FIELDS, 'workspace_id', 'label', 'default_agent'),
  workspace_remove: pick(WORKSPACE_FIELDS, 'workspace_id'),
}
export type WorkspaceFacts = FactsOf<typeof FACTS>

export const WORKSPACES: StoreRecord<Workspace, WorkspaceFacts> & WithIds<'workspace'> = {
  table: 'workspaces',
  one: 'workspace',
  key: 'workspace_id',
  prefix: 'ws',
  fields: WORKSPACE_FIELDS,
  facts: FACTS,
  events: {
    workspace_add: {
      makes: (facts, { at }) => ({ ...facts, added_at: at, updated_at: at }),
      // A removed workspace can be restored under its id, along with the pushes from it.
      keeps: ['added_at'],
    },
    workspace_change: {
      changes: ({ label, default_agent }, { at }) => ({ label, default_agent, updated_at: at }),
    },
    workspace_remove: {
      changes: (_, { at }) => ({ updated_at: at, removed_at: at }),
    },
  },
  mustFollow(before, { type }) {
    const isThere = before !== null && before.removed_at === null
    if (type === 'workspace_add' && isThere) throw new Error('a workspace that is there is added')
    if (type !== 'workspace_add' && !isThere) {
      throw new Error(`${type} of a workspace that is not there`)
    }
  },
  admit(facts, { rows }) {
    if (facts.type !== 'workspace_add') return
    for (const other of rows(WORKSPACES).values()) {
      if (other.path !== facts.path) continue
      if (other.removed_at === null || other.workspace_id !== facts.workspace_id) {
        throw new Error(`its folder is that of workspace ${other.workspace_id}`)
      }
    }
  },
}
