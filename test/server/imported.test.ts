// Importing a file never starts a command or stops an agent.

import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, connect } from '../../src/index.ts'
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

/** The log of a store where an agent has a command, a due timer, and mail. */
async function foreignLog(mark: string): Promise<string> {
  const inbox = await connect(join(folder(), 'foreign.db'), { agent: 'user' })
  const wake_command = JSON.stringify(['touch', mark])
  await inbox.agentRegister({ agent: 'ann', wake_command, wake_every_seconds: 60 })
  await inbox.mailSend({ to: 'ann', type: 'question', body: 'Old' })
  return exportOf(inbox)
}

async function exportOf(inbox: Client): Promise<string> {
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
  '%s: commands from an imported log start only after someone allows them',
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

test.each(ENGINES)(
  '%s: a store whose import was killed is readable but not ready',
  async (engine) => {
    const store = await freshStore(engine)
    const source = await connect(join(folder(), 'source.db'), { agent: 'lead' })
    for (let n = 0; n < 30; n += 1) await source.send({ to: 'worker', subject: `one of ${n}` })
    const text = await exportOf(source)
    const child = Bun.spawn([PROGRAM, 'import', '-', '--db', store.address], {
      stdin: 'pipe',
      cwd: folder(),
      stdout: 'ignore',
    })
    // Fills the first batch with invalid lines, so that the import then waits for more.
    child.stdin.write(text + 'no\n'.repeat(1000))
    child.stdin.flush()
    const loaded = () => store.sql('select count(*) as n from events').catch(() => [])
    await until(async () => Number((await loaded())[0]?.n ?? 0) > 0, 'a first batch')
    child.kill('SIGKILL')
    await child.exited
    const server = await start({ db: [store.address] })
    expect((await bySocket(server, '/readyz')).status).toBe(503)
    const listed = await op(server, 'list')
    expect(listed.status).toBe(200)
    expect(listed.body.threads).toHaveLength(30)
    const { status, body } = await op(server, 'send', { to: 'worker', subject: 'Lost' })
    const error = { code: 'store_unusable', message: expect.stringContaining('has not finished') }
    expect({ status, body }).toMatchObject({ status: 503, body: { error } })
    expect(server.log().filter(({ what }) => what === 'bug')).toEqual([])
    await server.stop()
    await store.remove()
  },
)

test('an agent that reads its mail over MCP sees which messages were imported', async () => {
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
  expect(text).toContain('what the file said')
  expect(text).not.toContain('STOP')
})
