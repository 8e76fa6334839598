// The setup that tests of visits share: a server in its own folder, and people in the shell next to it.

import { afterAll, beforeAll, expect } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ask, folders } from '../program/process.ts'
import { type Serving, serve } from './serving.ts'
import type { ToolAnswer, Way } from './visitors.ts'

export type Any = Record<string, unknown>

/** Call this at the top of a test file. */
export function scene() {
  const folder = folders()
  const here = folder()
  let server: Serving
  beforeAll(async () => {
    server = await serve(here)
  })
  afterAll(async () => {
    await server.stop()
  })
  const shell = async <T = Any>(...words: string[]): Promise<T> =>
    (await ask(words, { folder: here })) as unknown as T
  return {
    here,
    folder,
    shell,
    server: () => server,
    http: (agent: string): Way => ({ kind: 'http', url: `${server.url}/mcp`, agent }),
    stdio: (agent: string, ...args: string[]): Way => ({
      kind: 'stdio',
      folder: here,
      agent,
      args,
    }),
    async addWorkspace(): Promise<{ id: string; agent: string; path: string }> {
      const path = join(here, unique('place'))
      mkdirSync(path)
      writeFileSync(join(path, 'report.md'), '# Done\n')
      type Added = { workspace: { workspace_id: string; default_agent: string } }
      const { workspace } = await shell<Added>('workspace', 'add', path)
      return { id: workspace.workspace_id, agent: workspace.default_agent, path }
    },
  }
}

export function data<T = Any>({ structuredContent, isError }: ToolAnswer): T {
  expect({ isError: isError ?? false, structuredContent }).toMatchObject({ isError: false })
  return structuredContent as T
}

let made = 0
export const unique = (name: string) => `${name}${++made}`
