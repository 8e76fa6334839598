// The setup for tests of pushes: a registered folder with files, and pushes from it.

import { mkdir, realpath, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { World } from './world.ts'

export type Desk = {
  workspace: string
  /** The folder's real path. */
  folder: string
  write(path: string, text: string | Uint8Array): Promise<void>
}

/** A workspace called Thesis, whose agent has the same name. */
export async function desk(world: World, name = 'thesis'): Promise<Desk> {
  const folder = join(await realpath(world.folder), name)
  await mkdir(folder, { recursive: true })
  const label = name[0]?.toUpperCase() + name.slice(1)
  const { workspace } = await world.inbox.workspaceAdd({ path: folder, label })
  return {
    workspace: workspace.workspace_id,
    folder,
    async write(path, text) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    },
  }
}

type Pushing = Parameters<World['inbox']['push']>[0]

/** Pushes one second after the previous call. Returns the entry's id. */
export async function pushed(world: World, input: Pushing): Promise<string> {
  await world.clock.advance(1)
  return (await world.inbox.push(input)).entry_id
}

export async function comment(world: World, comments: string, agent = 'ann'): Promise<string> {
  return pushed(world, { agent, comments })
}

export async function ailments(world: World) {
  const { findings } = await world.inbox.doctor({})
  return findings.filter(({ ok, check }) => !ok && check !== 'durability')
}

/** The comments of the pushes in a person's list. */
export async function listed(
  world: World,
  input: Parameters<World['inbox']['pushHistory']>[0] = {},
): Promise<string[]> {
  const { entries } = await world.inbox.pushHistory(input)
  return entries.map(({ comments, unread }) => (unread ? `${comments}*` : comments))
}
