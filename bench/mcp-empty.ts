// Serves a tool that does nothing, built on the same package, as the floor for comparison.

import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import { answer, nextMessage } from './child.ts'

await nextMessage()
const tool = { name: 'empty', description: 'Nothing.', inputSchema: { type: 'object' as const } }
const handler = createMcpHandler(() => {
  const server = new Server({ name: 'empty', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', async () => ({ tools: [tool] }))
  server.setRequestHandler('tools/call', async () => ({
    content: [{ type: 'text' as const, text: '{"ok":true}' }],
  }))
  return server
})
const { url } = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: (request) => handler.fetch(request),
})
answer(`${url}mcp`)
