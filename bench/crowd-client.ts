// Part of a crowd: event streams over bare connections, which are cheap on this side.

import { connect, type Socket } from 'node:net'
import { answer, nextMessage } from './child.ts'
import { sharedMs } from './clock.ts'

export type CrowdTask = { port: number; tokens: string[]; streams: number }

/** How many connections got each status, and the longest wait for a response. */
export type Answered = { statuses: Record<number, number>; slowestMs: number }

const { port, tokens, streams } = await nextMessage<CrowdTask>()

type Stream = { socket: Socket; status: number; ms: number; heardAt: number }

function open(token: string): Promise<Stream> {
  return new Promise((resolve) => {
    const startedAt = sharedMs()
    const stream: Stream = { socket: connect(port, '127.0.0.1'), status: 0, ms: 0, heardAt: 0 }
    const settle = () => {
      if (stream.ms > 0) return
      stream.ms = sharedMs() - startedAt
      resolve(stream)
    }
    let text = ''
    stream.socket.on('data', (chunk) => {
      if (stream.heardAt > 0) return
      text += chunk.toString('latin1')
      stream.status ||= Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
      if (text.includes('"mail_send"')) stream.heardAt = sharedMs()
      if (text.includes('\r\n\r\n')) settle()
    })
    stream.socket.on('error', settle)
    stream.socket.on('close', settle)
    stream.socket.write(
      `GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    )
  })
}

const all = await Promise.all(
  Array.from({ length: streams }, (_, i) => open(tokens[i % tokens.length] as string)),
)
const statuses: Record<number, number> = {}
for (const { status } of all) statuses[status] = (statuses[status] ?? 0) + 1
answer({ statuses, slowestMs: Math.max(...all.map(({ ms }) => ms)) } satisfies Answered)

// The parent has sent a message. Wait until every connected stream receives it.
await nextMessage()
const listening = all.filter(({ status }) => status === 200)
while (listening.some(({ heardAt }) => heardAt === 0)) await Bun.sleep(5)
answer(Math.max(0, ...listening.map(({ heardAt }) => heardAt)))
