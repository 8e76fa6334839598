// Sends a listening client `notifications/mention` when its agent is mentioned: over standard output in both protocol
// versions, and over HTTP on the `subscriptions/listen` stream or, in the older version, the stream that GET opens.
//
// (1) Listening begins before the client is told that it has, so no mention is missed in between.
// (2) In the newer protocol, a notification names the subscription it belongs to.
// (3) A client that doesn't read is disconnected. Nothing is lost: the store has every mention, and inbox_check shows
//     it.

import { SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server'
import {
  type Mention,
  type MentionNotices,
  type NoticeOptions,
  noticeMentions,
} from '../../ops/server/notice.ts'

/** The request that subscribes in the newer protocol. It's answered when the subscription ends. */
export const LISTEN = 'subscriptions/listen'

export type RequestId = string | number

/** The most notifications that can be queued for a reader. Each holds at most one channel entry. */
const MOST_WAITING = 1000

function mentionMessage(mention: Mention, subscription?: RequestId) {
  // Name the subscription; see (2).
  const of = subscription !== undefined && { _meta: { [SUBSCRIPTION_ID_META_KEY]: subscription } }
  const params = { ...mention, ...of }
  return { jsonrpc: '2.0' as const, method: 'notifications/mention', params }
}

/** The package's stream, with mentions inserted between its events. It ends when the package's stream ends. */
export function withMentions(
  from: ReadableStream<Uint8Array>,
  options: NoticeOptions,
  subscription: RequestId,
): ReadableStream<Uint8Array> {
  const reader = from.getReader()
  return listening(
    options,
    subscription,
    async (write) => {
      for (;;) {
        // Each chunk from the package is one whole event.
        const { done, value } = await reader.read()
        if (done) return
        write(value)
      }
    },
    () => reader.cancel(),
  )
}

/** A stream of mentions only. When `ending` aborts or its reader leaves, it ends and calls `over` once. */
export function mentionStream(
  options: NoticeOptions,
  { ending, over }: { ending: AbortSignal | undefined; over: () => void },
): Response {
  const ended = Promise.withResolvers<void>()
  const end = () => ended.resolve()
  if (ending?.aborted) end()
  // The server outlives the stream, so the listener is removed from its signal when the stream ends.
  ending?.addEventListener('abort', end)
  void ended.promise.then(() => {
    ending?.removeEventListener('abort', end)
    over()
  })
  const keepOpen = (write: (piece: Uint8Array) => void) => {
    // Some clients wait for the first bytes before they consider the stream open.
    write(new TextEncoder().encode(': listening\n\n'))
    return ended.promise
  }
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' }
  return new Response(listening(options, undefined, keepOpen, end), { headers })
}

function listening(
  options: NoticeOptions,
  subscription: RequestId | undefined,
  rest: (write: (piece: Uint8Array) => void) => Promise<void>,
  left: () => unknown = () => {},
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let isOver = false
  let stop = () => {}
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const end = () => {
        if (isOver) return
        stop()
        controller.close()
      }
      const write = (piece: Uint8Array) => {
        if (isOver) return
        controller.enqueue(piece)
        // Disconnect a client that doesn't read; see (3).
        if ((controller.desiredSize ?? 0) >= -MOST_WAITING) return
        end()
        void left()
      }
      const notices = noticeMentions(options, (mention) => {
        const message = JSON.stringify(mentionMessage(mention, subscription))
        write(encoder.encode(`event: message\ndata: ${message}\n\n`))
      })
      stop = () => {
        isOver = true
        notices.stop()
      }
      // Wait until listening has begun; see (1).
      void notices.ready
        .then(() => rest(write))
        .catch(options.report)
        .finally(end)
    },
    cancel() {
      stop()
      return left() as Promise<void>
    },
  })
}

type HeardMessage = { method?: unknown; id?: unknown; params?: { requestId?: unknown } }
type MentionMessage = ReturnType<typeof mentionMessage>

export type StdioMentions = {
  /** Sees every message before the package does. If this returns a promise, the package waits for it. */
  hear: (message: unknown) => Promise<void> | undefined
  end: () => void
}

/** Sends mentions over stdout: in the older protocol from the handshake on, in the newer one per subscription. */
export function makeStdioMentions(
  options: NoticeOptions,
  send: (message: MentionMessage) => Promise<void>,
): StdioMentions {
  const subscriptions = new Set<RequestId | 'all'>()
  /** Mentions that occur during the handshake, to be sent afterward. */
  let early: Mention[] | null = []
  let notices: MentionNotices | undefined
  const tell = (mention: Mention) => {
    if (early !== null && subscriptions.has('all')) return void early.push(mention)
    for (const one of subscriptions) {
      const message = one === 'all' ? mentionMessage(mention) : mentionMessage(mention, one)
      void send(message).catch(options.report)
    }
  }
  const begin = (subscription: RequestId | 'all') => {
    subscriptions.add(subscription)
    notices ??= noticeMentions(options, tell)
    return notices.ready
  }
  return {
    hear(message) {
      const { method, id, params } = Object(message) as HeardMessage
      if (method === 'initialize') return begin('all')
      if (method === LISTEN) return begin(id as RequestId)
      if (method === 'notifications/cancelled') {
        subscriptions.delete(params?.requestId as RequestId)
      }
      if (method === 'notifications/initialized') {
        const held = early ?? []
        early = null
        for (const mention of held) tell(mention)
      }
      return undefined
    },
    end: () => notices?.stop(),
  }
}
