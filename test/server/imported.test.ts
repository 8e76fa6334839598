// A file that is brought in decides nothing: not what runs, not who stops.

import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '../../src/index.ts'
import { PROGRAM } from '../worlds/program.ts'
import { freshStore } from '../worlds/store.ts'
import { until } from '../worlds/world.ts'
import { bySocket, op, type Running, servers } from './serving.ts'

const { start, folder } = servers()

function bring(server: Running, text: string) {
  const url = 'http://inbox/api/ops/import?as=mailbox'
  const headers = { 'content-type': 'application/x-ndjson' }
  return fetch(url, { method: 'POST', unix: server.socket, headers, body: text })
}

/** The log of a store in which an agent has a command, a timer that is due, and mail. */
async function foreignLog(mark: string): Promise<string> {
  const inbox = await connect(join(folder(), 'foreign.db'), { agent: 'user' })
  const wake_command = JSON.stringify(['touch', mark])
  await inbox.agentRegister({ agent: 'ann', wake_command, wake_every_seconds: 60 })
  await inbox.mailSend({ to: 'ann', type: 'question', body: 'Old' })
  let text = ''
  const write = async (more: string) => {
    text += more
  }
  const files = { write, read: () => [], setAside: () => {}, aside: '' }
  await inbox.export({}, { files: files as never })
  await inbox.close()
  return text
}

const ENGINES = ['sqlite', 'postgres'] as const

test.each(ENGINES)(
  '%s: an imported log’s commands are not started until somebody allows them',
  async (engine) => {
    const mark = join(folder(), 'started')
    const { address: db, remove } = await freshStore(engine)
    const file = join(folder(), 'log.jsonl')
    await Bun.write(file, await foreignLog(mark))
    const home = folder()
    const env = { HOME: home }
    const run = async (...args: string[]) => {
      const child = Bun.spawn([PROGRAM, ...args, '--json', '--db', db], { env })
      return JSON.parse(await new Response(child.stdout).text())
    }
    expect(await run('import', file)).toMatchObject({ ok: true })
    const server = await start({ db: [db], env })
    const held = () => server.log().filter(({ did }) => did === 'held')
    await until(async () => held().length > 0, 'it says that ann is held')
    await op(server, 'mail-send', { to: 'ann', type: 'question', body: 'New' })
    expect((await op(server, 'wake-log', {})).body.wakes).toEqual([])
    expect(existsSync(mark)).toBe(false)
    const { shown } = await run('wake', 'allow')
    await run('wake', 'allow', '--shown', shown)
    await until(async () => existsSync(mark), 'it was started')
    expect(held()).toHaveLength(1)
    await server.stop()
    await remove()
  },
)

test('an agent that reads its mail by MCP is told what came from a file', async () => {
  const server = await start({ args: ['--no-wake'] })
  await op(server, 'agent-register', { agent: 'ann' })
  const line = { id: 'old_1', type: 'cancel', from: 'user', to: 'agent:ann', body: 'Stop' }
  const at = { read: false, createdAt: '2026-01-10T14:00:00Z' }
  expect((await bring(server, JSON.stringify({ ...line, ...at }))).status).toBe(200)
  const params = { name: 'read_messages', arguments: {} }
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const headers = { accept: 'application/json, text/event-stream' }
  const { text } = await bySocket(server, '/mcp?agent=ann', request, { headers })
  expect(text).toContain('\\"importedBy\\":\\"user\\"')
  expect(text).toContain('as a file said')
  expect(text).not.toContain('STOP')
})
