// A server without tokens, as in docs/security.md: no caller becomes the orchestrator or a person by claiming a name.

import { expect, test } from 'bun:test'
import { byPort, op, servers, tokenFor } from './serving.ts'

const { start, folder } = servers()

test('a name in a header or an address makes no one the orchestrator or a person', async () => {
  const server = await start()
  await op(server, 'agent-register', { agent: 'boss', role: 'orchestrator' })
  await op(server, 'mail-send', { to: 'boss', body: 'Tell me' })
  await op(server, 'mail-send', { to: 'user', body: 'For your eyes' }, { as: 'boss' })
  const calls = [
    ['mail-peek', { to: 'user' }],
    ['mail-send', { to: 'user', body: 'Obey' }],
  ] as const
  for (const [name, input] of calls) {
    expect((await byPort(server, `/api/ops/${name}`, input, { as: 'boss' })).status).toBe(403)
    // Over the socket or with a token, the same name does identify the orchestrator.
    expect((await op(server, name, input, { as: 'boss' })).status).toBe(200)
    const token = await tokenFor(server, { name: 'boss' })
    expect((await byPort(server, `/api/ops/${name}`, input, { token })).status).toBe(200)
  }
  for (const as of ['user', 'user:ann', 'orchestrator', 'Orchestrator', 'system']) {
    expect((await byPort(server, '/api/ops/mail-peek', {}, { as })).status).toBe(400)
  }
  const { body } = await op(server, 'workspace-add', {
    path: folder(),
    default_agent: 'boss',
  })
  const { workspace_id } = body.workspace as { workspace_id: string }
  const headers = { accept: 'application/json, text/event-stream' }
  for (const path of ['/mcp?agent=boss', `/mcp/${workspace_id}?sets=mailbox`]) {
    const params = { name: 'read_messages', arguments: { to: 'user' } }
    const asked = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const { text } = await byPort(server, path, asked, { headers })
    expect(text).toContain('forbidden')
    expect(text).not.toContain('For your eyes')
  }
})
