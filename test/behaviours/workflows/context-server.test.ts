import { expect } from 'bun:test'
import fs from 'node:fs'
import { join } from 'node:path'
import type { Mailroom } from '../../../src/bin/compose.ts'
import { openInstanceServer } from '../../../src/bin/instance-server.ts'
import type { ServedTools } from '../../../src/workflows/host.ts'
import { behaves } from '../../worlds/behaves.ts'
import { begin, beginIn, besideDoor, speak } from '../../worlds/instances.ts'
import { runProgram } from '../../worlds/program.ts'
import type { World } from '../../worlds/world.ts'

type Around = { room: Mailroom; context: ServedTools }

async function inInstance(world: World, work: (around: Around) => Promise<void>): Promise<void> {
  const dir = join(world.folder, 'pr-1')
  fs.mkdirSync(dir)
  await besideDoor(world, async (room) => {
    await begin(room, { dir })
    const { close: _, ...house } = room
    const runtimeFolder = join(world.folder, 'run')
    const context = await openInstanceServer({ house, instance: 'pr-1', dir, runtimeFolder })
    try {
      await work({ room, context })
    } finally {
      await context.close()
    }
  })
}

const USUAL = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }

async function call(
  { context }: Around,
  headers: Record<string, string>,
  name: string,
  args: object = {},
) {
  const params = { name, arguments: args }
  const response = await fetch(context.url, {
    method: 'POST',
    headers: { ...USUAL, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  const body = (await response.json()) as { result?: { structuredContent: object } }
  return { status: response.status, answer: body.result?.structuredContent }
}

behaves('context-server/callers', async (world) => {
  await inInstance(world, async (around) => {
    const { token } = await world.inbox.tokenIssue({ name: 'coder@pr-1' })
    const status = async (headers: Record<string, string>) =>
      (await call(around, headers, 'team')).status
    expect(await status({ 'x-agent-id': 'coder@pr-1' })).toBe(200)
    expect(await status({ 'x-agent-id': 'coder' })).toBe(200)
    expect(await status({ authorization: `Bearer ${token}` })).toBe(200)
    expect(await status({})).toBe(401)
    expect(await status({ authorization: `Bearer ${token}x` })).toBe(401)
    for (const name of ['coder@pr-2', 'stranger', 'user']) {
      expect([name, await status({ 'x-agent-id': name })]).toEqual([name, 403])
    }
    expect(await status({ authorization: `Bearer ${token}`, 'x-agent-id': 'reviewer' })).toBe(403)
  })
})

behaves('context-server/channel', async (world) => {
  await inInstance(world, async (around) => {
    const blocked = call(around, { 'x-agent-id': 'coder' }, 'inbox_check', { timeout_seconds: 40 })
    const message = '@coder please fix it'
    const sent = await call(around, { 'x-agent-id': 'reviewer' }, 'channel_send', { message })
    const { id } = sent.answer as { id: string }
    expect((await blocked).answer).toMatchObject({
      messages: [{ entry: { id, from: 'reviewer', message, mentions: ['coder'] }, unread: true }],
    })
  })
})

behaves('context-server/listening', async (world) => {
  await inInstance(world, async ({ room, context }) => {
    const headers = { accept: 'text/event-stream', 'x-agent-id': 'coder' }
    const { body } = await fetch(context.url, { headers })
    const said = ['@coder one', 'nobody', '@reviewer not you', '@coder two']
    for (const text of said) await speak(room, 'user', text)
    room.bell.ring()
    const heard: unknown[] = []
    const decoder = new TextDecoder()
    let text = ''
    for await (const piece of body as ReadableStream<Uint8Array>) {
      const events = (text + decoder.decode(piece, { stream: true })).split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) {
        const [, data] = /^data: (.*)$/m.exec(event) ?? []
        if (data !== undefined) heard.push(JSON.parse(data))
      }
      if (heard.length === 2) break
    }
    const told = (message: string) => ({
      jsonrpc: '2.0',
      method: 'notifications/mention',
      params: { from: 'user', target: 'coder', message, timestamp: expect.any(String) },
    })
    expect(heard).toEqual([told('@coder one'), told('@coder two')])
  })
})

behaves('context-server/place', async (world) => {
  const dir = join(world.folder, 'shared')
  fs.mkdirSync(dir)
  fs.chmodSync(dir, 0o777)
  const runtimeFolder = join(world.folder, 'run')
  await besideDoor(world, async (room) => {
    await begin(room, { dir })
    const { close: _, ...house } = room
    const context = await openInstanceServer({ house, instance: 'pr-1', dir, runtimeFolder })
    expect(context.socket).toStartWith(join(runtimeFolder, 'context-'))
    expect(context.note).toContain(`other users may change "${dir}"`)
    const health = await fetch('http://localhost/healthz', { unix: context.socket })
    expect(await health.json()).toMatchObject({ ok: true, instance: 'pr-1' })
    await context.close()
    expect(fs.existsSync(context.socket)).toBe(false)
  })
})

behaves('context-server/stranger', async (world) => {
  await beginIn(world)
  const speak = (agent: string) =>
    runProgram(['mcp', '--sets', 'workflow', '--agent', agent, '--db', world.address], world)
  for (const [agent, exit, why] of [
    ['ghost@x', 40, 'there is no instance "x"'],
    ['ghost@pr-1', 40, 'its agents are reviewer@pr-1, coder@pr-1'],
    ['user', 30, 'name one as NAME@INSTANCE'],
  ] as const) {
    expect(await speak(agent)).toMatchObject({ exit, stderr: expect.stringContaining(why) })
  }
  expect((await world.inbox.agentList({})).agents.map((one) => one.agent_id)).toEqual([
    'coder@pr-1',
    'reviewer@pr-1',
  ])
  expect(await speak('coder@pr-1')).toMatchObject({ exit: 0 })
})

behaves('backend/key', async ({ folder, address }) => {
  const text = 'agents:\n  a: { system_prompt: x, model: anthropic/m }\nkickoff: "@a go"\n'
  fs.writeFileSync(join(folder, 'flow.yaml'), text)
  const words = ['workflow', 'run', 'flow.yaml', '--db', address]
  const { exit, stdout, stderr } = await runProgram(words, { folder })
  expect([exit, stdout + stderr]).toEqual([
    30,
    expect.stringContaining('set ANTHROPIC_API_KEY, or AI_GATEWAY_API_KEY for the gateway'),
  ])
})
