// Serves MCP over standard input and output to one visitor, for as long as its input is open.

import type { Server } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { CallOutcome } from '../../ops/call.ts'
import { type LaterWork, trackLaterWork } from '../../ops/kit/afterwards.ts'
import { hasRepeatedName, isReadOtherwise, parseExactJson } from '../../ops/kit/exact-json.ts'
import { takeQuota } from '../../ops/kit/quota.ts'
import { noticeMail } from '../../ops/server/notice.ts'
import { trackVisitorCalls } from './call-tool.ts'
import { LISTEN, makeStdioMentions } from './mentions.ts'
import { makeServer, type ServedVisit } from './server.ts'
import { UNREAD } from './unread.ts'

type Streams = ConstructorParameters<typeof StdioServerTransport>
type StdioVisit = Omit<ServedVisit, 'owe' | 'settled' | 'calls' | 'news'>
type WireMessage = Parameters<StdioServerTransport['send']>[0]

/** A visitor that closed its input waits for the program to end. Quick calls are still answered. */
const GRACE_MS = 3000

/** The same limit as for a request over HTTP. */
const LINE_BYTES = 8 * 1024 * 1024
/** The error for a line that was skipped. The line wasn't read, so its request's id is unknown. */
function passedOver(code: number, message: string): WireMessage {
  return { jsonrpc: '2.0', id: null, error: { code, message } } as unknown as WireMessage
}

const TOO_LONG = passedOver(
  -32600,
  `a message can have at most ${LINE_BYTES} bytes; this one was skipped`,
)
const NOT_JSON = passedOver(-32700, 'the line is not JSON; it was skipped')
const NOT_TEXT = passedOver(-32700, 'the line is not valid UTF-8; it was skipped')
const ODD = passedOver(-32600, 'the line is ambiguous JSON; it was skipped')

/** The whole line as text; undefined if it isn't UTF-8. */
function textOf(pieces: readonly Uint8Array[]): string | undefined {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    return `${pieces.map((piece) => decoder.decode(piece, { stream: true })).join('')}${decoder.decode()}`
  } catch {
    return undefined
  }
}

/** Parses a message that the package would misread, so that the refusal can name the field. */
function oddMessage(text: string): WireMessage | undefined {
  if (!isReadOtherwise(text)) return undefined
  try {
    const read = parseExactJson(text) as { jsonrpc?: unknown; method?: unknown }
    const isCall = read.jsonrpc === '2.0' && typeof read.method === 'string'
    if (isCall) return read as WireMessage
    return hasRepeatedName(text) ? ODD : undefined
  } catch {
    // The package handles lines that aren't JSON.
    return undefined
  }
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 32 || (byte >= 9 && byte <= 13))
}

/** Tracks which requests are open and when their answers have been sent. */
class Wire extends StdioServerTransport {
  readonly #open = new Set<string | number>()
  readonly #owed = new Map<string | number, CallOutcome>()
  readonly #laterWork: LaterWork
  readonly #output: Streams[1]
  #isBroken = false
  #onAllAnswered = () => {}
  #isHeard = true

  constructor(
    [input, output]: [input: Streams[0], output: Streams[1]],
    { report, onInputEnd }: { report: (error: unknown) => void; onInputEnd: () => Promise<void> },
  ) {
    super(input, output)
    this.#output = output
    this.#laterWork = trackLaterWork(report)
    // When input ends, the package would drop unanswered calls, even ones that have been carried out.
    const { _onstdinclose: close, _ondata: data } = this
    const refuse = (message: WireMessage) => void this.#write(message).catch(report)
    // The package would also shut down silently on a line that is too long.
    this._ondata = limitLines({
      limit: LINE_BYTES,
      pass: (pieces) => {
        this.#isHeard = pieces.every(isBlank)
        const text = textOf(pieces)
        if (text === undefined) return refuse(NOT_TEXT)
        const odd = oddMessage(text)
        if (odd === ODD) return refuse(ODD)
        if (odd !== undefined) return this.onmessage?.(odd)
        for (const piece of pieces) data(piece as Parameters<typeof data>[0])
        // The package silently skips a line that does not parse.
        if (!this.#isHeard) refuse(NOT_JSON)
      },
      tooLong: () => refuse(TOO_LONG),
    })
    this._onstdinclose = () => void onInputEnd().finally(close)
  }

  /** Records that the line was a message, whether or not it can be answered. */
  hearSomething(): void {
    this.#isHeard = true
  }

  hear(message: WireMessage): void {
    this.hearSomething()
    if (!('method' in message)) return
    if (message.method === 'notifications/cancelled') this.#close(message.params?.requestId)
    else if ('id' in message && message.method !== LISTEN) this.#open.add(message.id)
  }

  owe = (request: string | number, called: CallOutcome): void => {
    this.#owed.set(request, called)
  }

  override async send(message: WireMessage): Promise<void> {
    const id = 'method' in message || !('id' in message) ? undefined : message.id
    const called = id === undefined ? undefined : this.#owed.get(id)
    if (id !== undefined) this.#owed.delete(id)
    try {
      await this.#write(message)
      this.#laterWork.begin(called?.afterAnswer())
    } catch (error) {
      this.#laterWork.begin(called?.drop())
      throw error
    } finally {
      this.#close(id)
    }
  }

  /**
   * Resolves when the system has accepted the whole line. The package only waits for free buffer space, and space can
   * become free because an earlier line was written while this one is still waiting.
   */
  #write(message: WireMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#isBroken) return reject(new Error('no one reads the output anymore'))
      this.#output?.write(`${JSON.stringify(message)}\n`, (error) => {
        if (!error) return resolve()
        this.#isBroken = true
        reject(error)
      })
    })
  }

  #close(id: unknown): void {
    this.#open.delete(id as string | number)
    if (this.#open.size === 0) this.#onAllAnswered()
  }

  async answered(graceMs: number): Promise<void> {
    if (this.#open.size === 0) return
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, graceMs)
      this.#onAllAnswered = () => {
        clearTimeout(late)
        resolve()
      }
    })
  }

  settled = (): Promise<unknown> | undefined => this.#laterWork.done()
}

/** Serves until the visitor closes its input, or `signal` aborts. */
export async function serveOverStdio(
  visit: StdioVisit,
  streams: [input: Streams[0], output: Streams[1]],
  signal: AbortSignal,
): Promise<void> {
  const { report } = visit
  const ending = new AbortController()
  let finishing: Promise<void> | undefined
  // Runs only once, even if the input ends, then closes, and a signal arrives as well.
  const finish = () => {
    ending.abort()
    finishing ??= wire.answered(GRACE_MS)
    return finishing
  }
  const wire = new Wire(streams, { report, onInputEnd: finish })
  const { owe, settled } = wire
  const calls = trackVisitorCalls(() =>
    takeQuota('ownTools', { store: { place: 'stdio' }, principal: visit.principal }),
  )
  const telling = makeTelling(visit)
  const mentions = visit.sets.includes('workflow')
    ? makeStdioMentions(visit, (message) => wire.send(message))
    : undefined
  const inOrder = makeOrder()
  const handle = serveStdio(
    async ({ era }) => {
      const subscribe = era === 'legacy' ? telling.want : undefined
      const news = { canTell: true, ...(subscribe && { subscribe }) }
      const serving = { ...visit, calls, owe, settled, news, ending: ending.signal }
      const server = await makeServer(serving)
      telling.server = server
      return server
    },
    { transport: wire, onerror: report },
  )
  const closed = Promise.withResolvers<void>()
  // The package has set its handlers on the wire; ours run as well.
  const { onclose, onmessage, onerror } = wire
  wire.onerror = (error) => {
    wire.hearSomething()
    onerror?.(error)
  }
  wire.onclose = () => {
    onclose?.()
    closed.resolve()
  }
  wire.onmessage = (message) => {
    wire.hear(message)
    if ('method' in message && message.method === LISTEN) telling.want(true)
    inOrder(mentions?.hear(message), () => onmessage?.(message))
  }
  const stop = () => void finish().finally(() => handle.close())
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  await closed.promise
  telling.want(false)
  mentions?.end()
  await wire.settled()
}

/** Runs work in order if some of it has to wait, and immediately otherwise. */
function makeOrder(): (first: Promise<void> | undefined, work: () => void) => void {
  let waiting = 0
  let last = Promise.resolve()
  return (first, work) => {
    if (first === undefined && waiting === 0) return work()
    waiting += 1
    last = last
      .then(() => first)
      .then(work)
      .finally(() => {
        waiting -= 1
      })
  }
}

/** Notifies a subscribed visitor of new mail. In the newer protocol, the package notifies only those who listen. */
function makeTelling(visit: StdioVisit) {
  let stopNotices: (() => void) | undefined
  const telling = {
    server: undefined as Server | undefined,
    want(isWanted: boolean) {
      if (isWanted) stopNotices ??= noticeMail(visit, tell)
      else {
        stopNotices?.()
        stopNotices = undefined
      }
    },
  }
  const tell = () => void telling.server?.sendResourceUpdated({ uri: UNREAD }).catch(visit.report)
  return telling
}

// Filters overlong lines out of a stream of bytes before they are buffered. Such a line is reported once and skipped;
// the next line is read normally.

const NEWLINE = 10

export type LineLimit = {
  limit: number
  pass: (pieces: readonly Uint8Array[]) => void
  tooLong: () => void
}

function limitLines({ limit, pass, tooLong }: LineLimit): (chunk: Uint8Array) => void {
  let kept: Uint8Array[] = []
  let length = 0
  let isSkipped = false
  const end = () => {
    if (!isSkipped) pass(kept)
    kept = []
    length = 0
    isSkipped = false
  }
  const keep = (piece: Uint8Array) => {
    length += piece.length
    if (isSkipped) return
    kept.push(piece)
    if (length <= limit) return
    kept = []
    isSkipped = true
    tooLong()
  }
  return (chunk) => {
    for (let from = 0; from < chunk.length; ) {
      const at = chunk.indexOf(NEWLINE, from)
      const to = at < 0 ? chunk.length : at + 1
      keep(chunk.subarray(from, to))
      if (at >= 0) end()
      from = to
    }
  }
}
