// Tests the hook written by install --approvals the way an agent's program runs it: a shell command that gets the call
// on stdin. Whatever goes wrong, it never allows a call.

import { describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { serve } from '../mcp/serving.ts'
import { ask, DIST, folders, run } from './process.ts'

const folder = folders()
const PATH = `${DIST}:${process.env.PATH}`
const CLIENTS = ['claude', 'codex'] as const
type Client = (typeof CLIENTS)[number]

const FILE = { claude: '.claude/settings.json', codex: '.codex/hooks.json' }
const OWN =
  '{\n\t// mine\n  "hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "true"}]}]}\n}'

type HookEntry = { command: string; timeout: number; onFailure?: string }
type Settings = { hooks: Record<string, { hooks: HookEntry[] }[]> }

function entryIn(here: string, client: Client, event = 'PreToolUse'): HookEntry {
  const settings = JSON.parse(readFileSync(join(here, FILE[client]), 'utf8')) as Settings
  const [group] = settings.hooks[event] ?? []
  return group?.hooks[0] as HookEntry
}

async function installed(client: Client, ...words: string[]): Promise<string> {
  const here = folder()
  expect((await run(['install', client, '--approvals', ...words], around(here))).code).toBe(0)
  return here
}

const around = (here: string) => ({ folder: here, env: { PATH } })

type Said = { code: number; out: string; err: string }

/** Runs the command as the program's shell does, except that a waiting hook gives up after a second. */
function hook(here: string, line: string, call: object | string, env = {}): Promise<Said> {
  const stdin = typeof call === 'string' ? call : JSON.stringify(call)
  const short = line.replace(' --event ', ' --timeout-seconds 1 --event ')
  const program = ['/bin/sh', '-c', short]
  return run([], { folder: here, env: { PATH, ...env }, stdin, program })
}

const bash = (command: string) => ({
  session_id: 's1',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command, description: `Runs ${command}` },
})

/** The verdict as the programs read it. Exit code 2 with a message on stderr also denies. */
function verdictOf({ code, out, err }: Said): 'allow' | 'deny' | 'none' | 'unsaid' {
  if (code === 2) return err.trim() === '' ? 'unsaid' : 'deny'
  if (code !== 0) return 'unsaid'
  const { hookSpecificOutput: said } = JSON.parse(out) as {
    hookSpecificOutput?: { permissionDecision?: 'allow' | 'deny'; decision?: { behavior: 'allow' } }
  }
  return said === undefined
    ? 'none'
    : (said.permissionDecision ?? said.decision?.behavior ?? 'none')
}

const policy = (here: string, client: string, requires = 'tool:Bash(rm *)') =>
  ask(['agent', 'policy', client, '--require', requires], { folder: here })

function written(here: string): Record<string, string> {
  const files = readdirSync(here, { recursive: true, withFileTypes: true }).filter(
    (one) => one.isFile() && !one.parentPath.includes('.agents'),
  )
  const paths = files.map((one) => join(one.parentPath, one.name)).sort()
  return Object.fromEntries(paths.map((path) => [path, readFileSync(path, 'utf8')]))
}

describe.each([...CLIENTS])('%s', (client) => {
  test('uninstall restores every byte, and an update keeps the hook', async () => {
    const here = folder()
    mkdirSync(dirname(join(here, FILE[client])), { recursive: true })
    writeFileSync(join(here, FILE[client]), OWN)
    const before = written(here)
    const plain = await run(['install', client], around(here))
    expect(plain.code).toBe(0)
    const without = written(here)
    const first = await run(['install', client, '--approvals'], around(here))
    expect(first.code).toBe(0)
    const text = readFileSync(join(here, FILE[client]), 'utf8')
    expect(text).toContain('inbox tool-hook --event use')
    // An update without the flag keeps and updates the hook, so that forgetting the flag doesn't remove a guard.
    expect((await run(['install', client, '--as', 'painter'], around(here))).code).toBe(0)
    const renamed = readFileSync(join(here, FILE[client]), 'utf8')
    expect(renamed).toContain('tool-hook --event use --as painter ||')
    expect(renamed.match(/tool-hook/g)).toHaveLength(client === 'claude' ? 1 : 2)
    expect((await run(['uninstall', client], around(here))).code).toBe(0)
    expect(written(here)).toEqual(before)
    expect((await run(['install', client], around(here))).code).toBe(0)
    expect(written(here)).toEqual(without)
  })

  test('it ignores free calls, holds the others until they are approved, and allows each once', async () => {
    const here = await installed(client)
    const { command, timeout, onFailure } = entryIn(here, client)
    const expected = client === 'claude' ? [180, 'block'] : [3600, undefined]
    expect([timeout, onFailure]).toEqual(expected as never)
    const at = (call: object) => hook(here, command, call)
    expect(await at(bash('rm x'))).toEqual({ code: 0, out: '{}\n', err: '' })
    await policy(here, client)
    expect(verdictOf(await at(bash('ls')))).toBe('none')
    const held = await at(bash('rm x'))
    expect(verdictOf(held)).toBe('deny')
    const [request = ''] = /req_[0-9a-z]+/.exec(held.out) ?? []
    await ask(['approve', request, '--revision', '1'], { folder: here })
    expect(verdictOf(await at(bash('rm y')))).toBe('deny')
    expect(verdictOf(await at(bash('rm x')))).toBe('allow')
    if (client === 'codex') {
      const permission = entryIn(here, client, 'PermissionRequest').command
      expect(verdictOf(await hook(here, permission, bash('rm x')))).toBe('allow')
      expect(verdictOf(await hook(here, permission, bash('ls')))).toBe('none')
      expect(verdictOf(await hook(here, permission, bash('rm z')))).toBe('deny')
    }
    expect(verdictOf(await at(bash('rm x')))).toBe('deny')
  })

  test('it denies with a reason, whatever goes wrong', async () => {
    const here = await installed(client)
    const { command } = entryIn(here, client)
    await policy(here, client, 'tool:*')
    const denies = async (call: object | string, env = {}, line = command) => {
      const said = await hook(here, line, call, env)
      expect([call, said, verdictOf(said)]).toEqual([call, said, 'deny'])
    }
    // A call that can't be parsed.
    for (const words of ['', 'null', '[]', '{', '"Bash"', '{"tool_name":7}', '{"tool_input":{}}']) {
      await denies(words)
    }
    await denies('{"tool_name":"Bash","tool_input":{"command":"ls","command":"rm x"}}')
    await denies('{"tool_name":"Bash","tool_input":{"id":9007199254740993}}')
    await denies({ tool_name: 'Bash', tool_input: ['rm'] })
    await denies({ tool_name: 'Write', tool_input: { content: 'x'.repeat(2_000_000) } })
    // A program that is missing, can't start, or is killed.
    await denies(bash('ls'), { PATH: '/usr/bin:/bin' })
    await denies(bash('ls'), {}, command.replace('inbox tool-hook', "sh -c 'kill -9 $$' x"))
    await denies(bash('ls'), {}, command.replace('tool-hook', 'no-such-hook'))
    await denies(bash('ls'), {}, command.replace(`--as ${client}`, '--as "a name"'))
    // Its output can't be written.
    await denies(bash('ls'), {}, command.replace(' ||', ' >/dev/full ||'))
    // A store that refuses writes: an approval that can't be marked as used allows nothing.
    const db = join(here, '.agents/coord.db')
    const held = await hook(here, command, bash('rm x'))
    const [request = ''] = /req_[0-9a-z]+/.exec(held.out) ?? []
    await ask(['approve', request, '--revision', '1'], { folder: here })
    const store = new DatabaseSync(db)
    const no = "begin select raise(abort, 'full'); end"
    store.exec(`create trigger full before insert on events ${no}`)
    await denies(bash('rm x'))
    await denies(bash('rm y'))
    store.exec('drop trigger full')
    store.close()
    expect(verdictOf(await hook(here, command, bash('rm x')))).toBe('allow')
    // A store that is missing, damaged or unreachable.
    await denies(bash('ls'), { INBOX_DB: join(here, 'nowhere/x.db') })
    await denies(bash('ls'), { INBOX_DB: 'postgres://nobody@127.0.0.1:1/none' })
    renameSync(db, `${db}.away`)
    await denies(bash('ls'))
    writeFileSync(db, 'not a store at all'.repeat(1000))
    await denies(bash('ls'))
    // An emptied or unfilled store must stay empty: the next call would find no requirements in a new one.
    writeFileSync(db, '')
    await denies(bash('ls'))
    await denies(bash('ls'))
    expect(readFileSync(db, 'utf8')).toBe('')
    rmSync(db)
    const bare = new DatabaseSync(db)
    bare.exec('vacuum')
    bare.close()
    await denies(bash('ls'))
    rmSync(join(here, '.agents'), { recursive: true })
    await denies(bash('ls'))
  })

  test('with a server it does the same, and denies if the server is down, refuses, or sends something else', async () => {
    const here = folder()
    const server = await serve(here)
    const other = Bun.serve({ port: 0, fetch: () => new Response('{"decision":"yes"}') })
    try {
      const url = `${server.url}/mcp`
      expect((await run(['install', client, '--approvals', '--url', url], around(here))).code).toBe(
        0,
      )
      const { command } = entryIn(here, client)
      const at = async (call: object, env = {}, line = command) => {
        return verdictOf(await hook(here, line, call, env))
      }
      expect(await at(bash('rm x'))).toBe('none')
      await policy(here, client)
      const held = await hook(here, command, bash('rm x'))
      expect(verdictOf(held)).toBe('deny')
      const [request = ''] = /req_[0-9a-z]+/.exec(held.out) ?? []
      const { revisions } = (await ask(['request', 'get', request], { folder: here })) as never as {
        revisions: { payload: object; description: string }[]
      }
      expect(revisions[0]).toMatchObject({ payload: { arguments: { command: 'rm x' } } })
      expect(revisions[0]?.description).toStartWith('Runs rm x')
      await ask(['approve', request, '--revision', '1'], { folder: here })
      expect(await at(bash('rm x'))).toBe('allow')
      const tokened = command.replace(' --agent', ' --token-variable TOK --agent')
      expect(await at(bash('ls'), {}, tokened)).toBe('deny')
      expect(await at(bash('ls'), { TOK: 'wrong' }, tokened)).toBe('deny')
      expect(await at(bash('ls'), {}, command.replace(server.url, `${other.url}x`))).toBe('deny')
      await server.stop()
      expect(await at(bash('ls'))).toBe('deny')
    } finally {
      await server.stop()
      await other.stop(true)
    }
  })
})

test('it is refused where it could not work, and no file is written', async () => {
  const here = folder()
  for (const words of [
    ['gemini', '--approvals'],
    ['cursor', '--approvals'],
    ['claude', '--approvals', '--no-hooks'],
    ['claude', '--approvals', '--scope', 'user'],
  ]) {
    const { code, err } = await run(['install', ...words], around(here))
    expect([words, code]).toEqual([words, 30])
    expect(err).toContain('--approvals')
  }
  expect(written(here)).toEqual({})
})
