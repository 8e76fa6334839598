import { expect } from 'bun:test'
import { mkdir, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { behaves } from '../../worlds/behaves.ts'
import { refused } from '../../worlds/refused.ts'
import { everything, logAgrees } from '../../worlds/scenes.ts'
import type { World } from '../../worlds/world.ts'

/** Makes a folder in the world's folder, and returns its real path. */
async function folder(world: World, name: string): Promise<string> {
  const path = join(await realpath(world.folder), name)
  await mkdir(path, { recursive: true })
  return path
}

async function added(world: World, name: string) {
  return (await world.inbox.workspaceAdd({ path: await folder(world, name) })).workspace
}

behaves('workspace/add', async (world) => {
  const path = await folder(world, 'app')
  await symlink(path, join(world.folder, 'link'))
  const answer = await world.inbox.workspaceAdd({ path: join(world.folder, 'link') })
  expect(world.exitOf(answer)).toBe(0)
  expect(answer.added).toBe(true)
  expect(answer.workspace).toEqual({
    workspace_id: expect.stringMatching(/^ws_[0-9a-z]{26}$/),
    label: 'app',
    path,
    default_agent: 'app',
    added_at: world.clock.now(),
    updated_at: world.clock.now(),
    removed_at: null,
  })
  const { workspaces } = await world.inbox.workspaceList({})
  expect(workspaces).toEqual([answer.workspace])
  const { agents } = await world.inbox.agentList({})
  expect(agents.map(({ agent_id }) => agent_id)).toEqual(['app'])
  expect(await logAgrees(world)).toBe(true)
})

behaves('workspace/again', async (world) => {
  const first = await added(world, 'app')
  const later = await world.clock.advance(60)
  const same = await world.inbox.workspaceAdd({ path: first.path })
  expect(same).toMatchObject({ added: false, workspace: first })
  const { workspace } = await world.inbox.workspaceAdd({ path: first.path, label: 'The app' })
  expect(workspace).toEqual({ ...first, label: 'The app', updated_at: later })
  const changed = await world.inbox.workspaceAdd({ path: first.path, default_agent: 'ann' })
  expect(changed).toMatchObject({
    added: false,
    workspace: { ...first, label: 'The app', default_agent: 'ann', updated_at: later },
  })
  expect((await world.inbox.workspaceList({})).workspaces).toHaveLength(1)
  expect(await logAgrees(world)).toBe(true)
})

behaves('workspace/at-once', async (world) => {
  const path = await folder(world, 'app')
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => world.inbox.workspaceAdd({ path })),
  )
  expect(answers.filter(({ added }) => added)).toHaveLength(1)
  expect(new Set(answers.map(({ workspace }) => workspace.workspace_id)).size).toBe(1)
  expect(await world.sql('select path from workspaces')).toEqual([{ path }])
})

behaves('workspace/names', async (world) => {
  await world.inbox.agentRegister({ agent: 'app' })
  const one = await added(world, 'one/app')
  const two = await added(world, 'two/app')
  expect([one.label, one.default_agent]).toEqual(['app', 'app-2'])
  expect([two.label, two.default_agent]).toEqual(['app-2', 'app-2-2'])
  const before = await everything(world)
  const path = await folder(world, 'three')
  const taken = await refused(world.inbox.workspaceAdd({ path, label: 'app' }), 'invalid_state')
  expect(taken.details).toEqual({ workspace_id: one.workspace_id })
  const rename = { workspace: two.workspace_id, label: 'app' }
  await refused(world.inbox.workspaceRename(rename), 'invalid_state')
  expect(await everything(world)).toEqual(before)
})

behaves('workspace/default-agent', async (world) => {
  const path = await folder(world, 'app')
  const { workspace } = await world.inbox.workspaceAdd({ path, default_agent: 'ann' })
  expect(workspace.default_agent).toBe('ann')
  expect((await world.inbox.agentStatus({ agent: 'ann' })).agent.role).toBe('')
})

behaves('workspace/rename', async (world) => {
  const before = await added(world, 'app')
  const at = await world.clock.advance(60)
  const { workspace_id } = before
  const { workspace } = await world.inbox.workspaceRename({
    workspace: workspace_id,
    label: 'Über alles',
  })
  expect(workspace).toEqual({ ...before, label: 'Über alles', updated_at: at })
  const { next_event_id } = await world.inbox.workspaceRename({
    workspace: workspace_id,
    label: 'Über alles',
  })
  expect((await world.sql('select max(event_id) as n from events'))[0]?.n).toBe(next_event_id)
  expect((await world.inbox.workspaceList({})).workspaces).toEqual([workspace])
  expect(await logAgrees(world)).toBe(true)
})

behaves('workspace/remove', async (world) => {
  const before = await added(world, 'app')
  const at = await world.clock.advance(60)
  const removed = await world.inbox.workspaceRemove({ workspace: before.workspace_id })
  const { workspace } = removed
  expect(workspace).toEqual({ ...before, updated_at: at, removed_at: at })
  expect(removed.revoked).toBe(0)
  expect((await world.inbox.workspaceList({})).workspaces).toEqual([])
  expect((await world.inbox.workspaceList({ removed: true })).workspaces).toEqual([workspace])
  const which = { workspace: before.workspace_id }
  await refused(world.inbox.workspaceRemove(which), 'not_found')
  await refused(world.inbox.workspaceRename({ ...which, label: 'x' }), 'not_found')
  await refused(world.inbox.workspaceRemove({ workspace: 'ws_none' }), 'not_found')
  expect(await logAgrees(world)).toBe(true)
})

behaves('workspace/back', async (world) => {
  const before = await added(world, 'app')
  await world.inbox.workspaceRename({ workspace: before.workspace_id, label: 'Mine' })
  await world.inbox.workspaceRemove({ workspace: before.workspace_id })
  // Another workspace may have taken the label by the time the folder is added back.
  await world.inbox.workspaceAdd({ path: await folder(world, 'other'), label: 'Mine' })
  const at = await world.clock.advance(60)
  const back = await world.inbox.workspaceAdd({ path: before.path })
  expect(back).toMatchObject({
    added: true,
    workspace: { ...before, label: 'Mine-2', updated_at: at, removed_at: null },
  })
  expect(await logAgrees(world)).toBe(true)
})

behaves('workspace/bad-input', async (world) => {
  const before = await everything(world)
  const path = await folder(world, 'app')
  await writeFile(join(path, 'file'), '')
  await symlink(join(path, 'nowhere'), join(path, 'broken'))
  await symlink(join(path, 'round'), join(path, 'round'))
  await refused(world.inbox.workspaceAdd({ path: join(path, 'nothing') }), 'not_found')
  await refused(world.inbox.workspaceAdd({ path: join(path, 'broken') }), 'not_found')
  await refused(world.inbox.workspaceAdd({ path: join(path, 'file', 'x') }), 'not_found')
  await refused(world.inbox.workspaceAdd({ path: join(path, 'file') }), 'invalid_input')
  await refused(world.inbox.workspaceAdd({ path: join(path, 'round') }), 'invalid_input')
  await refused(world.inbox.workspaceAdd({ path: '/' }), 'invalid_input')
  await refused(world.inbox.workspaceAdd({ path: '/dev/null' }), 'invalid_input')
  for (const default_agent of ['user', 'user:eve', 'broadcast', 'a b']) {
    await refused(world.inbox.workspaceAdd({ path, default_agent }), 'invalid_input')
  }
  await refused(world.inbox.workspaceAdd({ path, label: 'x'.repeat(201) }), 'invalid_input')
  await refused(world.inbox.workspaceAdd({ path, label: ' ' }), 'invalid_input')
  expect(await everything(world)).toEqual(before)
  // If a registered folder disappears, its files are missing, but its workspace can still be removed.
  const { workspace } = await world.inbox.workspaceAdd({ path })
  await rm(path, { recursive: true })
  await world.inbox.workspaceRemove({ workspace: workspace.workspace_id })
})
