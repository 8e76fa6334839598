// A crowd of waiters, each a separate agent with its own request.

import { answer, nextMessage } from './child.ts'
import { sharedMs } from './clock.ts'
import { as } from './serving.ts'

/** The version of the protocol. */
export type Era = 'older' | 'newer'

export type WaitersTask = {
  url: string
  how: Era | 'sse'
  /** Tokens of services, because agents see only what concerns them. */
  tokens: string[]
  waiters: number
  events: number
}

/** What a client of each protocol version sends. The newer version sends all of it with every request. */
const SAID: Record<Era, { headers: Record<string, string>; params: object }> = {
  older: { headers: { 'mcp-protocol-version': '2025-11-25' }, params: {} },
  newer: {
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'read_messages',
    },
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
      },
    },
  },
}

const task = await nextMessage<WaitersTask>()
if (task.how === 'sse') await bySse(task)
else await byMcp(task, task.how)

/** Reports when each waiter was woken. */
async function byMcp({ url, waiters }: WaitersTask, era: Era): Promise<void> {
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'read_messages', arguments: { timeoutSeconds: 45 }, ...SAID[era].params },
  }
  const headers = (agent: string) => ({
    ...as(agent),
    accept: 'application/json, text/event-stream',
    ...SAID[era].headers,
  })
  const body = JSON.stringify(call)
  const woken = Promise.all(
    Array.from({ length: waiters }, async (_, i) => {
      const response = await fetch(`${url}/mcp`, {
        method: 'POST',
        headers: headers(`w${i}`),
        body,
      })
      const text = await response.text()
      if (!text.includes('Everybody')) throw new Error(`woken by something else: ${text}`)
      return sharedMs()
    }),
  )
  answer(await woken)
}

/** Reports when all are listening, when each received the first event, and how many received all events in order. */
async function bySse({ url, tokens, waiters, events }: WaitersTask): Promise<void> {
  const first: number[] = []
  let whole = 0
  let listening = 0
  let onListening = () => {}
  const allListen = new Promise<void>((resolve) => {
    onListening = resolve
  })
  const all = Promise.all(
    Array.from({ length: waiters }, async (_, i) => {
      const response = await fetch(`${url}/api/events?types=mail_send`, {
        headers: { authorization: `Bearer ${tokens[i % tokens.length]}` },
      })
      if (!response.ok) throw new Error(await response.text())
      let text = ''
      let last = 0
      let seen = 0
      for await (const chunk of response.body as ReadableStream<Uint8Array>) {
        if (text === '' && seen === 0) {
          listening += 1
          if (listening === waiters) onListening()
        }
        text += new TextDecoder().decode(chunk)
        const lines = text.split('\n')
        text = lines.pop() ?? ''
        for (const line of lines) {
          if (!line.startsWith('id:')) continue
          const id = Number(line.slice(3))
          if (id <= last) throw new Error(`event ${id} after ${last}`)
          last = id
          seen += 1
          if (seen === 1) first.push(sharedMs())
        }
        if (seen >= events) break
      }
      if (seen === events) whole += 1
    }),
  )
  await allListen
  answer('waiting')
  while (first.length < waiters) await Bun.sleep(1)
  answer(first)
  await all
  answer(whole)
}
