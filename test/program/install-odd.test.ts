// Odd or broken files are either understood, or refused and left unchanged.

import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { folders, run } from './process.ts'

const folder = folders()

function withFile(path: string, content: string | Uint8Array): string {
  const here = folder()
  mkdirSync(dirname(join(here, path)), { recursive: true })
  writeFileSync(join(here, path), content)
  return here
}

const bytesOf = (here: string, path: string) => readFileSync(join(here, path))

const CODEX = '.codex/config.toml'

test.each([
  ['an inline table', 'mcp_servers = { other = { command = "x" } }\n', 'in one line'],
  ['a quoted name', '[mcp_servers."mailroom"]\ncommand = "mine"\n', 'already has'],
  ['spaces in the name', '[ mcp_servers . mailroom ]\ncommand = "mine"\n', 'already has'],
  ['a dotted key', 'mcp_servers.mailroom.command = "mine"\n', 'already has'],
  ['a key of a table', '[mcp_servers]\nmailroom = { command = "mine" }\n', 'already has'],
  ['invalid TOML', 'model = \n', 'is not TOML'],
])('install codex into %s refuses, and does not change it', async (_, own, why) => {
  const here = withFile(CODEX, own)
  const ran = await run(['install', 'codex'], { folder: here })
  expect(ran).toMatchObject({ code: 30, err: expect.stringContaining(why) })
  expect(bytesOf(here, CODEX).toString()).toBe(own)
  expect(readdirSync(join(here, '.codex'))).toEqual(['config.toml'])
})

test('install codex into a file with other tables makes valid TOML that has both', async () => {
  const own = 'when = 1979-05-27T07:32:00Z\n[mcp_servers.other]\ncommand = "x" # mine'
  const here = withFile(CODEX, own)
  expect((await run(['install', 'codex'], { folder: here })).code).toBe(0)
  const { mcp_servers } = Bun.TOML.parse(bytesOf(here, CODEX).toString()) as {
    mcp_servers: Record<string, { command: string }>
  }
  expect(Object.keys(mcp_servers)).toEqual(['other', 'mailroom'])
  expect((await run(['uninstall', 'codex'], { folder: here })).code).toBe(0)
  expect(bytesOf(here, CODEX).toString()).toBe(own)
})

test('decisions that codex stores in our entry do not prevent an update', async () => {
  const here = folder()
  const file = join(here, CODEX)
  const install = async () => (await run(['install', 'codex'], { folder: here })).code
  expect(await install()).toBe(0)
  const decided = '\n[mcp_servers.mailroom.tools.mark_read]\napproval_mode = "approve"\n'
  writeFileSync(file, `${bytesOf(here, CODEX)}${decided}`)
  expect((await run(['install', 'codex', '--as', 'other'], { folder: here })).code).toBe(0)
  const text = bytesOf(here, CODEX).toString()
  expect(Bun.TOML.parse(text)).toMatchObject({
    mcp_servers: { mailroom: { tools: { mark_read: { approval_mode: 'approve' } } } },
  })
  expect([text.includes('"other"'), text.endsWith(decided)]).toEqual([true, true])
  // Without our entry, this table would keep codex from starting.
  const own = '# my notes about the next one\n# in two lines\n[mcp_servers.mine]\ncommand = "x"\n'
  writeFileSync(file, `${text}${own}`)
  expect((await run(['uninstall', 'codex'], { folder: here })).code).toBe(0)
  expect(bytesOf(here, CODEX).toString().trim()).toBe(own.trim())
})

test("a person's table below an entry of our name counts as theirs and is kept", async () => {
  const own = '[mcp_servers.mailroom.env]\nA = "mine"\n'
  const here = withFile(CODEX, Buffer.from(own))
  expect((await run(['install', 'codex'], { folder: here })).code).toBe(30)
  expect(bytesOf(here, CODEX).toString()).toBe(own)
})

test('bytes that are not UTF-8 are refused and kept', async () => {
  const own = Buffer.from('{ "name": "J\xfcrgen" }\n', 'latin1')
  const here = withFile('.mcp.json', own)
  const ran = await run(['install', 'claude'], { folder: here })
  expect(ran).toMatchObject({ code: 30, err: expect.stringContaining('is not UTF-8 text') })
  expect(bytesOf(here, '.mcp.json').equals(own)).toBe(true)
})

test.each([
  ['a byte order mark', 'claude', '.mcp.json', '\uFEFF{ "a": 1 }\r\n'],
  ['no content', 'claude', '.mcp.json', ''],
  ['only spaces', 'gemini', '.gemini/settings.json', ' \n'],
  ['an empty object', 'cursor', '.cursor/hooks.json', '{}'],
  ['no hooks yet', 'cursor', '.cursor/hooks.json', '{ "hooks": {} }\n'],
])('a file with %s is installed into, and restored by uninstall', async (_, client, file, own) => {
  const here = withFile(file, own)
  expect((await run(['install', client], { folder: here })).code).toBe(0)
  const there = bytesOf(here, file).toString()
  expect(there).toContain('inbox')
  expect(there.startsWith('\uFEFF')).toBe(own.startsWith('\uFEFF'))
  expect((await run(['install', client], { folder: here })).out).toStartWith('up to date\n')
  expect((await run(['uninstall', client], { folder: here })).code).toBe(0)
  expect(bytesOf(here, file).toString()).toBe(own)
})

test("the version that a person's own hooks need stays with them", async () => {
  const here = folder()
  await run(['install', 'cursor'], { folder: here })
  const file = '.cursor/hooks.json'
  const { version, hooks } = JSON.parse(bytesOf(here, file).toString())
  const mine = { command: './mine.sh' }
  hooks.stop.push(mine)
  writeFileSync(join(here, file), JSON.stringify({ version, hooks }))
  expect((await run(['uninstall', 'cursor'], { folder: here })).code).toBe(0)
  expect(JSON.parse(bytesOf(here, file).toString())).toEqual({ version, hooks: { stop: [mine] } })
})

test('a file with a duplicate key is refused, because programs and people read it differently', async () => {
  const own = '{ "mcpServers": {}, "mcpServers": { "other": {} } }'
  const here = withFile('.mcp.json', own)
  const ran = await run(['install', 'claude'], { folder: here })
  expect(ran).toMatchObject({ code: 30, err: expect.stringContaining('has mcpServers twice') })
  expect(bytesOf(here, '.mcp.json').toString()).toBe(own)
})

test.each(['', '{', '{}', '{"pieces":[{}]}', '[]'])(
  'an invalid receipt %p is named and refused',
  async (words) => {
    const here = folder()
    await run(['install', 'claude'], { folder: here })
    const receipts = join(here, '.config/mailroom/installed')
    const [name = ''] = readdirSync(receipts)
    writeFileSync(join(receipts, name), words)
    for (const command of ['install', 'uninstall']) {
      const ran = await run([command, 'claude'], { folder: here })
      expect(ran).toMatchObject({ code: 30, err: expect.stringContaining(name) })
    }
  },
)
