import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { isAgentId } from '../agents/address.ts'
import { isReserved } from '../agents/agent.ts'
import { evolveRecord } from '../record.ts'
import { agentNameFrom, basename, freeName, type Workspace } from './workspace.ts'
import { WORKSPACES, type WorkspaceFacts } from './workspace-record.ts'

const AT = '2026-03-01T08:00:00.000Z'
const LATER = '2026-03-02T08:00:00.000Z'
const ADD: WorkspaceFacts = {
  type: 'workspace_add',
  workspace_id: 'ws_1',
  label: 'app',
  path: '/home/eve/app',
  default_agent: 'app',
}

test('turns every label into a valid agent name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (label) => {
      const name = agentNameFrom(label)
      expect(isAgentId(name)).toBe(true)
      expect(isReserved(name)).toBe(false)
      expect(isAgentId(`${name}-9999999`)).toBe(true)
    }),
  )
  expect(agentNameFrom('My App')).toBe('My-App')
  expect(agentNameFrom('Über-Café')).toBe('Uber-Cafe')
  expect(agentNameFrom('2048')).toBe('workspace')
  expect(agentNameFrom('user')).toBe('workspace-user')
  expect(agentNameFrom('orchestrator')).toBe('workspace-orchestrator')
})

test('adds a number to a name that is taken', () => {
  const taken = ['app', 'app-2']
  expect(freeName('app', (name) => taken.includes(name))).toBe('app-3')
  expect(freeName('web', (name) => taken.includes(name))).toBe('web')
})

test('a folder’s name is the last part of its path', () => {
  expect(basename('/home/eve/app')).toBe('app')
  expect(basename('/home/eve/app/')).toBe('app')
  expect(basename('C:\\work\\app')).toBe('app')
  expect(basename('/')).toBe('/')
})

function evolveWorkspace(before: Workspace | null, facts: WorkspaceFacts, at: string): Workspace {
  return evolveRecord(WORKSPACES, before, facts, { agent: 'user', at })
}

test('a workspace can be added, changed, removed, and added again under its id', () => {
  const added = evolveWorkspace(null, ADD, AT)
  expect(added).toMatchObject({ label: 'app', added_at: AT, removed_at: null })
  const change = {
    type: 'workspace_change',
    workspace_id: 'ws_1',
    label: 'App',
    default_agent: 'ann',
  } as const
  const changed = evolveWorkspace(added, change, LATER)
  expect(changed).toEqual({ ...added, label: 'App', default_agent: 'ann', updated_at: LATER })
  const remove = { type: 'workspace_remove', workspace_id: 'ws_1' } as const
  const removed = evolveWorkspace(changed, remove, LATER)
  expect(removed.removed_at).toBe(LATER)
  expect(evolveWorkspace(removed, ADD, LATER)).toMatchObject({ added_at: AT, removed_at: null })
  expect(() => evolveWorkspace(added, ADD, AT)).toThrow('is there')
  for (const facts of [change, remove]) {
    expect(() => evolveWorkspace(null, facts, AT)).toThrow('not there')
    expect(() => evolveWorkspace(removed, facts, AT)).toThrow('not there')
  }
})
