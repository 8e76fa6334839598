// The files that each client gets, byte for byte, are in test/program/installed: the client must understand all of
// them. MAILROOM_WRITE_INSTALLED=1 rewrites them; read them before you commit them.

import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLIENTS } from '../../src/core/clients/client.ts'
import { DIST, folders, ROOT, run } from './process.ts'

const folder = folders()

const WAYS: Record<string, string[]> = {
  stdio: [],
  approvals: ['--approvals'],
  url: ['--url', 'http://127.0.0.1:4000/mcp/ws_1', '--token-variable', 'MAILROOM_TOKEN'],
}

const ALL = [
  ...CLIENTS.flatMap((client) => ['stdio', 'url'].map((way) => [client, way] as const)),
  ...(['claude', 'codex'] as const).map((client) => [client, 'approvals'] as const),
]

test.each(ALL)('%s gets the expected files with %s', async (client, way) => {
  const here = folder()
  const words = [client, '--as', 'painter', ...(WAYS[way] ?? [])]
  const home = folder()
  writeFileSync(join(home, '.profile'), `PATH=${DIST}:$PATH\n`)
  const { code } = await run(['install', ...words], { folder: here, env: { HOME: home } })
  expect(code).toBe(0)
  const golden = join(ROOT, 'test/program/installed', `${client}-${way}.txt`)
  if (process.env.MAILROOM_WRITE_INSTALLED === '1') writeFileSync(golden, told(here))
  expect(told(here)).toBe(readFileSync(golden, 'utf8'))
})

/** Lists every file with its content, or only its path if it's a skill, because skills have their own tests. */
function told(here: string): string {
  const entries = readdirSync(here, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(here.length + 1))
    .filter((path) => !/^\.agents\/(coord\.db|\.gitignore)/.test(path))
    .sort()
    .map(
      (path) => `== ${path}\n${path.endsWith('.md') ? '' : readFileSync(join(here, path), 'utf8')}`,
    )
    .join('\n')
}
