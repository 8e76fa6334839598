// Installs into real folders: what people wrote stays, and uninstall restores it.

import { expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { CLIENTS } from '../../src/core/clients/client.ts'
import { DIST, folders, INBOX, run } from './process.ts'

const folder = folders()

const OWN: Record<string, string> = {
  '.mcp.json': '{\n  // mine\n  "mcpServers": { "other": { "command": "x" } } // keep\n}\n',
  '.claude/settings.json': '{\n\t"hooks": {"Stop": [{"hooks": []}]}\n}',
  '.codex/config.toml': 'model = "m"\n\n[mcp_servers.other]\ncommand = "x"',
  '.cursor/hooks.json': '{ "version": 1, "hooks": {} }',
  '.gemini/settings.json': '{}\n',
  'opencode.json': '{ "$schema": "s", "mcp": {}, }\n',
}

function written(here: string): Record<string, string> {
  const files = readdirSync(here, { recursive: true, encoding: 'utf8' }).filter(
    (path) =>
      !/^\.agents\/(coord\.db|\.gitignore)/.test(path) && !readable(join(here, path)).isFolder,
  )
  return Object.fromEntries(files.sort().map((path) => [path, readable(join(here, path)).text]))
}

function readable(path: string): { isFolder: boolean; text: string } {
  try {
    return { isFolder: false, text: readFileSync(path, 'utf8') }
  } catch {
    return { isFolder: true, text: '' }
  }
}

function furnished(): string {
  const here = folder()
  for (const [path, text] of Object.entries(OWN)) {
    mkdirSync(dirname(join(here, path)), { recursive: true })
    writeFileSync(join(here, path), text)
  }
  return here
}

test.each([...CLIENTS])('install %s and uninstall it leave a folder as it was', async (client) => {
  const here = furnished()
  const before = written(here)
  const dry = await run(['install', client, '--dry-run'], { folder: here })
  const named = expect.stringMatching(/^would make \S+\/SKILL\.md \(\d+ lines\)$/m)
  expect(dry).toMatchObject({ code: 0, out: named })
  expect(written(here)).toEqual(before)

  expect((await run(['install', client, '--as', 'builder'], { folder: here })).code).toBe(0)
  const installed = written(here)
  expect(Object.keys(installed).length).toBeGreaterThan(Object.keys(before).length)
  expect(Object.values(installed).join('')).toContain('"builder"')
  const again = await run(['install', client, '--as', 'builder'], { folder: here })
  expect(again.out).toStartWith('up to date\n')
  expect(written(here)).toEqual(installed)

  expect((await run(['uninstall', client], { folder: here })).code).toBe(0)
  expect(written(here)).toEqual(before)
  const gone = await run(['uninstall', client], { folder: here })
  expect(gone.code).toBe(40)
})

test('a configuration with .jsonc in its name is the one that is edited', async () => {
  const here = folder()
  const own = '{\n  // mine\n  "mcp": {}\n}\n'
  writeFileSync(join(here, 'opencode.jsonc'), own)
  const { out } = await run(['install', 'opencode'], { folder: here })
  expect(out).toEndWith('next: restart opencode\n')
  expect(existsSync(join(here, 'opencode.json'))).toBe(false)
  const edited = readFileSync(join(here, 'opencode.jsonc'), 'utf8')
  expect(edited).toContain('// mine')
  expect(edited).toContain('"mailroom"')
  expect((await run(['install', 'opencode'], { folder: here })).out).toStartWith('up to date\n')
  expect((await run(['uninstall', 'opencode'], { folder: here })).code).toBe(0)
  expect(readFileSync(join(here, 'opencode.jsonc'), 'utf8')).toBe(own)
})

test.each([
  ['a login shell finds', `PATH=${DIST}:$PATH\n`, 'inbox'],
  ['only this shell finds', '', INBOX],
  ['another shadows', 'inbox() { :; }\n', INBOX],
  ['a profile that never ends may have', `PATH=${DIST}:$PATH\nsleep 1000\n`, INBOX],
])('a program that %s is written so that it will be found', async (_, profile, command) => {
  const here = folder()
  const home = folder()
  writeFileSync(join(home, '.profile'), profile)
  await run(['install', 'cursor'], { folder: here, env: { HOME: home, PATH: DIST } })
  const { mcpServers } = JSON.parse(readFileSync(join(here, '.cursor/mcp.json'), 'utf8'))
  expect(mcpServers.mailroom).toMatchObject({ command })
})

test('a token is named by its variable and never written', async () => {
  const here = folder()
  const words = ['--url', 'http://127.0.0.1:4000/mcp', '--token-variable', 'MAILROOM_TOKEN']
  for (const client of CLIENTS) {
    expect((await run(['install', client, ...words], { folder: here })).code).toBe(0)
  }
  const all = written(here)
  const configs = ['.mcp.json', '.codex/config.toml', '.cursor/mcp.json', '.gemini/settings.json']
  for (const file of [...configs, 'opencode.json']) expect(all[file]).toContain('MAILROOM_TOKEN')
})

test('a file that cannot be parsed is refused, and no file is changed', async () => {
  const here = furnished()
  writeFileSync(join(here, '.claude/settings.json'), '{ "hooks": ')
  const before = written(here)
  const ran = await run(['install', 'claude'], { folder: here })
  expect(ran).toMatchObject({ code: 30, err: expect.stringContaining('.claude/settings.json') })
  expect(written(here)).toEqual(before)
})

test('a skill of the same name that is not ours is not overwritten', async () => {
  const here = folder()
  mkdirSync(join(here, '.claude/skills/inbox'), { recursive: true })
  writeFileSync(join(here, '.claude/skills/inbox/SKILL.md'), 'mine')
  const ran = await run(['install', 'claude'], { folder: here })
  expect(ran).toMatchObject({ code: 30, err: expect.stringContaining('not written by us') })
  expect(existsSync(join(here, '.mcp.json'))).toBe(false)
})

test('a linked configuration stays a link', async () => {
  const here = folder()
  mkdirSync(join(here, 'dots'))
  writeFileSync(join(here, 'dots/mcp.json'), '{}\n')
  symlinkSync('dots/mcp.json', join(here, '.mcp.json'))
  await run(['install', 'claude'], { folder: here })
  expect(readFileSync(join(here, 'dots/mcp.json'), 'utf8')).toContain('mailroom')
  await run(['uninstall', 'claude'], { folder: here })
  expect(readFileSync(join(here, 'dots/mcp.json'), 'utf8')).toBe('{}\n')
})

test.each(['.mcp.json', '.claude', '.claude/skills/inbox/SKILL.md'])(
  'a link at %s that points out of the folder is not followed',
  async (path) => {
    const here = folder()
    const victim = folder()
    const target = path === '.claude' ? victim : join(victim, 'new.json')
    mkdirSync(dirname(join(here, path)), { recursive: true })
    symlinkSync(target, join(here, path))
    const ran = await run(['install', 'claude'], { folder: here })
    expect(ran).toMatchObject({ code: 30, err: expect.stringContaining('leads out of the folder') })
    expect(readdirSync(victim)).toEqual([])
  },
)

test('a receipt in the project cannot make uninstall remove other files', async () => {
  const here = folder()
  const victim = folder()
  const keys = join(victim, '.ssh/authorized_keys')
  mkdirSync(dirname(keys))
  writeFileSync(keys, 'mine')
  writeFileSync(join(here, 'settings.json'), '{ "mcp": { "a": 1 } }')
  const made = { file: true, holders: [], joint: {} }
  const pieces = [
    { piece: { file: relative(here, keys), text: 'mine' }, made },
    { piece: { file: keys, text: 'mine' }, made },
    { piece: { file: 'settings.json', put: ['mcp', 'a'], value: 1 }, made },
    { piece: { file: '.mcp.json', put: ['mcpServers', 'other'], value: 1 }, made },
  ]
  const receipt = JSON.stringify({ client: 'claude', scope: 'project', pieces })
  mkdirSync(join(here, '.agents'))
  writeFileSync(join(here, '.agents/installed-claude.json'), receipt)
  expect((await run(['uninstall', 'claude'], { folder: here })).code).toBe(40)
  // Even a receipt in the right place has no effect on things that install never writes.
  writeFileSync(join(here, '.mcp.json'), '{ "mcpServers": { "other": 1 } }')
  await run(['install', 'claude'], { folder: here })
  const [own = ''] = readdirSync(join(here, '.config/mailroom/installed'))
  writeFileSync(join(here, '.config/mailroom/installed', own), receipt)
  expect((await run(['uninstall', 'claude'], { folder: here })).code).toBe(0)
  expect(readFileSync(keys, 'utf8')).toBe('mine')
  expect(readFileSync(join(here, 'settings.json'), 'utf8')).toContain('"a": 1')
  expect(readFileSync(join(here, '.mcp.json'), 'utf8')).toContain('"other": 1')
})

test('a skill that was changed since the install is kept', async () => {
  const here = folder()
  const skill = join(here, '.claude/skills/inbox/SKILL.md')
  await run(['install', 'claude'], { folder: here })
  writeFileSync(skill, 'mine now')
  const ran = await run(['uninstall', 'claude'], { folder: here })
  expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('left: .claude/skills/inbox') })
  expect(readFileSync(skill, 'utf8')).toBe('mine now')
  expect(existsSync(join(here, '.claude/skills/mailbox'))).toBe(false)
})

test('a link at the path of the temporary file is not written through', async () => {
  const here = folder()
  const victim = join(folder(), 'victim')
  writeFileSync(victim, 'mine')
  // The program keeps the shell's pid, so the script knows the name of the temporary file.
  const trap = `ln -s ${victim} .mcp.json.$$.tmp; exec "$0" install claude`
  await run([], { folder: here, program: ['/bin/sh', '-c', trap, INBOX] })
  expect(readFileSync(join(here, '.mcp.json'), 'utf8')).toContain('mailroom')
  expect(readFileSync(victim, 'utf8')).toBe('mine')
})
