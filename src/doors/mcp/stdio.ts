// MCP over standard input and output: one visitor, for as long as its input is open.

import type { Server } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Called } from '../../ops/call.ts'
import { makeGate } from './gate.ts'
import { makeServer, type Serving } from './server.ts'
import { onMail, UNREAD } from './unread.ts'

const MOST_AT_ONCE = 256

type Streams = ConstructorParameters<typeof StdioServerTransport>
type Visiting = Omit<Serving, 'owe' | 'settled' | 'gate' | 'news'>
type Message = Parameters<StdioServerTransport['send']>[0]

/** Knows when an answer has gone out. */
class Wire extends StdioServerTransport {
  readonly #owed = new Map<string | number, Called['settle']>()
  readonly #report: (error: unknown) => void
  readonly #settling = new Set<Promise<void>>()

  constructor(input: Streams[0], output: Streams[1], report: (error: unknown) => void) {
    super(input, output)
    this.#report = report
  }

  owe = (request: string | number, settle: Called['settle']): void => {
    this.#owed.set(request, settle)
  }

  override async send(message: Message): Promise<void> {
    await super.send(message)
    if (!('id' in message) || 'method' in message || message.id === undefined) return
    const settle = this.#owed.get(message.id)
    this.#owed.delete(message.id)
    const work = settle?.()?.catch(this.#report)
    if (work === undefined) return
    this.#settling.add(work)
    void work.finally(() => this.#settling.delete(work))
  }

  settled = (): Promise<unknown> => Promise.all(this.#settling)
}

/** Until the visitor closes its side, or `signal` ends it. */
export async function serveOverStdio(
  visit: Visiting,
  [input, output]: [input: Streams[0], output: Streams[1]],
  signal: AbortSignal,
): Promise<void> {
  const { report } = visit
  const wire = new Wire(input, output, report)
  const gate = makeGate(MOST_AT_ONCE)
  const telling = makeTelling(visit)
  const handle = serveStdio(
    ({ era }) => {
      const subscribe = era === 'legacy' ? telling.want : undefined
      const news = { canTell: true, ...(subscribe && { subscribe }) }
      telling.server = makeServer({ ...visit, gate, owe: wire.owe, settled: wire.settled, news })
      return telling.server
    },
    { transport: wire, onerror: report },
  )
  const closed = Promise.withResolvers<void>()
  // The package has put its own ears on the wire; ours come beside them.
  const { onclose, onmessage } = wire
  wire.onclose = () => {
    onclose?.()
    closed.resolve()
  }
  wire.onmessage = (message) => {
    if ('method' in message && message.method === 'subscriptions/listen') telling.want(true)
    onmessage?.(message)
  }
  const stop = () => void handle.close()
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  await closed.promise
  telling.want(false)
  await wire.settled()
}

/** News of mail for whoever asked for it. In the newer era the package sends it only to who listens. */
function makeTelling(visit: Visiting) {
  let over: (() => void) | undefined
  const telling = {
    server: undefined as Server | undefined,
    want(isWanted: boolean) {
      if (!isWanted) over?.()
      const tell = () => {
        telling.server?.sendResourceUpdated({ uri: UNREAD }).catch(visit.report)
      }
      if (!isWanted) over = undefined
      else over ??= onMail(visit, tell)
    },
  }
  return telling
}
