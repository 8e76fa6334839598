// Opening a push's session in a terminal from a page: only the owner's page can do it, on the owner's machine.

import { describe, expect, test } from 'bun:test'
import { chmodSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../worlds/world.ts'
import { byPort, bySocket, op, type Running, servers, signedIn, tokenFor } from './serving.ts'

const { start, folder } = servers()

/** A terminal that records the folder and arguments it was started with. */
function terminal() {
  const place = folder()
  const told = join(place, 'told.txt')
  const program = join(place, 'terminal.sh')
  const script = `printf '%s\\n' "$PWD" "$@" > ${told}.part && mv ${told}.part ${told}`
  writeFileSync(program, `#!/bin/sh\n${script}\n`)
  chmodSync(program, 0o755)
  return { place, env: { INBOX_TERMINAL: program }, told: () => readFile(told, 'utf8') }
}

async function pushedFrom(server: Running, place: string): Promise<string> {
  const added = await op(server, 'workspace-add', { path: place, label: 'Site' })
  const { workspace_id: workspace } = added.body.workspace as { workspace_id: string }
  const headers = { 'x-inbox-backend': 'codex', 'x-inbox-session': '0199-ab' }
  const push = { workspace, comments: 'Done' }
  const { body } = await bySocket(server, '/api/ops/push', push, { headers })
  return String(body.entry_id)
}

describe('open', () => {
  test('starts a terminal for the owner’s page, with the command that resumes the session', async () => {
    const { place, env, told } = terminal()
    const server = await start({ env })
    const entry = await pushedFrom(server, place)
    const { page } = await signedIn(server)
    const { status, body } = await byPort(server, '/api/ops/open', { entry }, { headers: page })
    expect({ status, opened: body.opened }).toEqual({ status: 200, opened: true })
    const words = await until(() => told().catch(() => undefined), 'the terminal')
    expect(words).toBe(`${place}\ncodex\nresume\n0199-ab\n`)
  })

  test('is refused to a stolen cookie, to tokens, agents, and other people', async () => {
    const { place, env, told } = terminal()
    const server = await start({ env })
    const entry = await pushedFrom(server, place)
    await op(server, 'person-add', { name: 'eve' })
    const { session } = await signedIn(server)
    const eve = await signedIn(server, { agent: 'user:eve' })
    const token = await tokenFor(server, { name: 'user' })
    const callers = [
      { headers: session },
      { headers: { ...session, 'x-inbox-page-key': `mr_page_${'0'.repeat(64)}` } },
      { headers: eve.page },
      { token },
      { as: 'ann' },
      {},
    ]
    for (const [at, caller] of callers.entries()) {
      const { status } = await byPort(server, '/api/ops/open', { entry }, caller)
      expect({ at, isRefused: status === 401 || status === 403 }).toEqual({ at, isRefused: true })
    }
    expect((await op(server, 'open', { entry })).status).toBe(403)
    expect(await told().catch(() => 'nothing')).toBe('nothing')
  })

  test('returns the command to copy if other machines can reach the server, or no terminal is set', async () => {
    const { place, env, told } = terminal()
    const lan = ['--host', '0.0.0.0', '--auth', 'tokens']
    const named = ['--allow-host', 'inbox.example', '--auth', 'tokens']
    for (const how of [{ env, args: lan }, { env, args: named }, {}]) {
      const server = await start(how)
      const url = `http://127.0.0.1:${server.port}`
      const near = { ...server, url }
      const entry = await pushedFrom(near, place)
      const { page } = await signedIn(near)
      const { status, body } = await byPort(near, '/api/ops/open', { entry }, { headers: page })
      expect({ status, opened: body.opened, shell: body.shell }).toEqual({
        status: 200,
        opened: false,
        shell: `cd ${place} && codex resume 0199-ab`,
      })
    }
    expect(await told().catch(() => 'nothing')).toBe('nothing')
  })
})
