// The record of a workspace.

import { isAgentId } from '../agents/address.ts'
import { isPerson } from '../agents/agent.ts'
import { ID, PATH, text, word } from '../fact-shape.ts'
import type { StoreRecord } from '../record.ts'
import { LONGEST_LABEL, type Workspace } from './workspace.ts'

export type WorkspaceFacts =
  | ({ type: 'workspace_add' } & Pick<
      Workspace,
      'workspace_id' | 'label' | 'path' | 'default_agent'
    >)
  | ({ type: 'workspace_change' } & Pick<Workspace, 'workspace_id' | 'label' | 'default_agent'>)
  | { type: 'workspace_remove'; workspace_id: string }

const NOBODY = ['system', 'broadcast']
const named = {
  workspace_id: ID,
  label: text({ max: LONGEST_LABEL }),
  default_agent: word(
    'an agent',
    (name) => isAgentId(name) && !isPerson(name) && !NOBODY.includes(name),
  ),
}

export const WORKSPACES: StoreRecord<Workspace, WorkspaceFacts> & {
  one: 'workspace'
  prefix: string
} = {
  table: 'workspaces',
  one: 'workspace',
  key: 'workspace_id',
  prefix: 'ws',
  columns: {
    workspace_id: 'plain',
    label: 'plain',
    path: 'plain',
    default_agent: 'plain',
    added_at: 'plain',
    updated_at: 'plain',
    removed_at: 'plain',
  },
  events: {
    workspace_add: {
      facts: { ...named, path: PATH },
      makes: ({ type: _, ...fields }, { at }) => ({
        ...fields,
        added_at: at,
        updated_at: at,
        removed_at: null,
      }),
      // A removed workspace comes back under its id, and with it the pushes from it.
      keeps: ['added_at'],
    },
    workspace_change: {
      facts: named,
      changes: ({ label, default_agent }, { at }) => ({ label, default_agent, updated_at: at }),
    },
    workspace_remove: {
      facts: { workspace_id: ID },
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
