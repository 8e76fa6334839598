// Calls one tool again and again with the package's own client.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { answer, nextMessage } from './child.ts'

export type CallerTask = {
  url: string
  tool: string
  input: Record<string, unknown>
  calls: number
  isNewer: boolean
}

const { url, tool, input, calls, isNewer } = await nextMessage<CallerTask>()
const mode = isNewer ? { pin: '2026-07-28' } : 'legacy'
const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode } })
await client.connect(
  new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { 'x-inbox-agent': 'lead' } },
  }),
)
// The number of uncounted calls made first to warm up the process.
const WARM_UP = 30
const times: number[] = []
for (let i = 0; i < calls + WARM_UP; i++) {
  const start = performance.now()
  const result = await client.callTool({ name: tool, arguments: input })
  if (result.isError) throw new Error(JSON.stringify(result.content))
  times.push(performance.now() - start)
}
answer(times.slice(WARM_UP))
await client.close()
