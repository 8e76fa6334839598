// People's own entries with the same names in the same files aren't replaced, removed or damaged.

import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { folders, run } from './process.ts'

const folder = folders()

function withFile(path: string, content: string | Uint8Array, here = folder()): string {
  mkdirSync(dirname(join(here, path)), { recursive: true })
  writeFileSync(join(here, path), content)
  return here
}

const textOf = (here: string, path: string) => readFileSync(join(here, path), 'utf8')

async function install(here: string, client: string, ...more: string[]) {
  return run(['install', client, ...more], { folder: here })
}

async function uninstall(here: string, client: string, ...more: string[]) {
  return run(['uninstall', client, ...more], { folder: here })
}

const MINE = { claude: '.mcp.json', cursor: '.cursor/mcp.json', gemini: '.gemini/settings.json' }

test.each([...Object.entries(MINE), ['opencode', 'opencode.json']])(
  "install %s refuses to replace a person's own entry, and changes no file",
  async (client, file) => {
    const key = client === 'opencode' ? 'mcp' : 'mcpServers'
    const own = `{ "${key}": { "mailroom": { "command": "mine" } } }\n`
    const here = withFile(file, own)
    const { code, err } = await install(here, client)
    const why = `${file} already has ${key}.mailroom, not written by us; remove it first`
    expect([code, err]).toEqual([30, expect.stringContaining(why)])
    expect(textOf(here, file)).toBe(own)
    expect((await uninstall(here, client)).code).toBe(40)
  },
)

test('an identical entry that existed before is not removed', async () => {
  const here = folder()
  await install(here, 'claude', '--no-hooks')
  const shared = textOf(here, '.mcp.json')
  const there = withFile('.mcp.json', shared)
  expect((await install(there, 'claude', '--no-hooks')).code).toBe(0)
  expect((await uninstall(there, 'claude')).code).toBe(0)
  expect(textOf(there, '.mcp.json')).toBe(shared)
})

test('an update keeps what a person added to our entry, and leaves an entry that replaced it', async () => {
  const here = folder()
  await install(here, 'opencode')
  const file = 'opencode.json'
  const added = JSON.parse(textOf(here, file))
  Object.assign(added.mcp.mailroom, { enabled: false, timeout: 9000 })
  writeFileSync(join(here, file), JSON.stringify(added, null, 2))
  expect((await install(here, 'opencode', '--as', 'painter')).code).toBe(0)
  const { mailroom } = JSON.parse(textOf(here, file)).mcp
  expect(mailroom).toMatchObject({ enabled: false, timeout: 9000 })
  expect(mailroom.command.slice(-2)).toEqual(['--as', 'painter'])

  const own = '{ "mcp": { "mailroom": { "type": "local", "command": ["mine"] } } }'
  writeFileSync(join(here, file), own)
  const again = await install(here, 'opencode')
  expect(again).toMatchObject({ code: 30, err: expect.stringContaining('changed since') })
  const gone = await uninstall(here, 'opencode')
  expect(gone).toMatchObject({ code: 0, out: expect.stringContaining(`left: ${file}`) })
  expect(textOf(here, file)).toBe(own)
})

test("a person's hook in the same group as ours stays", async () => {
  const here = folder()
  await install(here, 'claude')
  const file = '.claude/settings.json'
  const settings = JSON.parse(textOf(here, file))
  const mine = { type: 'command', command: './mine.sh' }
  settings.hooks.Stop[0].hooks.push(mine)
  settings.hooks.UserPromptSubmit[0].hooks.unshift(mine)
  writeFileSync(join(here, file), JSON.stringify(settings, null, 2))
  expect((await install(here, 'claude', '--as', 'other')).code).toBe(0)
  const { hooks } = JSON.parse(textOf(here, file))
  const ours = expect.stringMatching(/--as other$/)
  expect(hooks.Stop).toMatchObject([{ hooks: [{ command: ours }, mine] }])
  expect(hooks.UserPromptSubmit).toMatchObject([{ hooks: [mine, { command: ours }] }])
  expect((await uninstall(here, 'claude')).code).toBe(0)
  const left = { Stop: [{ hooks: [mine] }], UserPromptSubmit: [{ hooks: [mine] }] }
  expect(JSON.parse(textOf(here, file))).toEqual({ hooks: left })
})

test("a person's hook that calls ours stays", async () => {
  const command = 'nice inbox hook --client claude --event stop --agent me; ./mine.sh'
  const own = JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } })
  const here = withFile('.claude/settings.json', own)
  expect((await install(here, 'claude')).code).toBe(0)
  expect(JSON.parse(textOf(here, '.claude/settings.json')).hooks.Stop).toHaveLength(2)
  expect((await uninstall(here, 'claude')).code).toBe(0)
  expect(textOf(here, '.claude/settings.json')).toBe(own)
})

test('uninstall also removes hooks that a later install did not touch', async () => {
  const here = folder()
  await install(here, 'gemini')
  expect((await install(here, 'gemini', '--no-hooks', '--no-skills')).code).toBe(0)
  expect(textOf(here, '.gemini/settings.json')).toContain('AfterAgent')
  expect((await uninstall(here, 'gemini')).code).toBe(0)
  expect(readdirSync(here)).not.toContain('.gemini')
})

test('a moved folder is updated and uninstalled by naming its old path', async () => {
  const home = folder()
  const env = { HOME: home }
  const [was, here] = [join(home, 'was'), join(home, 'here')]
  mkdirSync(was)
  const at = (place: string) => ({ folder: place, env })
  expect((await run(['install', 'claude'], at(was))).code).toBe(0)
  const receipts = () => readdirSync(join(home, '.config/mailroom/installed'))
  const first = receipts()
  // The skill as an older version wrote it.
  const skill = '.claude/skills/inbox/SKILL.md'
  const place = join(home, '.config/mailroom/installed', first[0] ?? '')
  const text = JSON.stringify(textOf(was, skill))
  writeFileSync(place, readFileSync(place, 'utf8').replace(text, '"older"'))
  writeFileSync(join(was, skill), 'older')
  renameSync(was, here)
  const lost = await run(['uninstall', 'claude'], at(here))
  expect(lost).toMatchObject({ code: 40, err: expect.stringContaining('--was if the folder') })
  expect((await run(['install', 'claude'], at(here))).err).toContain('--was')
  expect((await run(['install', 'claude', '--was', was], at(here))).code).toBe(0)
  expect(textOf(here, skill)).not.toBe('older')
  expect([receipts().length, receipts()]).toEqual([1, expect.not.arrayContaining(first)])
  renameSync(here, was)
  expect((await run(['uninstall', 'claude', '--was', here], at(was))).code).toBe(0)
  expect(readdirSync(was).filter((name) => /mcp|claude/.test(name))).toEqual([])
})
