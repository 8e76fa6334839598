// Tells a listening client that its agent was mentioned: `notifications/mention`. Over standard output in both eras,
// over HTTP on the stream of `subscriptions/listen`, or in the older era on the stream that GET opens.
//
// (1) Listening begins before the client is told that it does, so no mention falls between.
// (2) In the newer era a notification names the subscription that it belongs to.
// (3) A reader that does not read is let go: everything is still in the store, and inbox_check shows it.

import { SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server'
import {
  type Mention,
  type NoticeOptions,
  noticeMentions,
} from '../../ops/server/mention-notice.ts'

/** The request by which the newer era listens; it is answered when it ends. */
export const LISTEN = 'subscriptions/listen'

export type RequestId = string | number

/** Notifications that a reader has not taken; each has at most an entry of a channel in it. */
const MOST_WAITING = 1000

export function mentionMessage(mention: Mention, subscription?: RequestId) {
  // (2)
  const of = subscription !== undefined && { _meta: { [SUBSCRIPTION_ID_META_KEY]: subscription } }
  const params = { ...mention, ...of }
  return { jsonrpc: '2.0' as const, method: 'notifications/mention', params }
}

/** The stream of the package, with mentions between its events. It ends when the package ends it. */
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
        // Each piece of the package is one whole event.
        const { done, value } = await reader.read()
        if (done) return
        write(value)
      }
    },
    () => reader.cancel(),
  )
}

/** A stream of mentions alone, until `ending` aborts or its reader leaves; then `over` is called, once. */
export function mentionStream(
  options: NoticeOptions,
  { ending, over }: { ending: AbortSignal | undefined; over: () => void },
): Response {
  const ended = Promise.withResolvers<void>()
  const end = () => ended.resolve()
  if (ending?.aborted) end()
  // The server lives longer than the stream, so its signal must let go of it.
  ending?.addEventListener('abort', end)
  void ended.promise.then(() => {
    ending?.removeEventListener('abort', end)
    over()
  })
  const rest = (write: (piece: Uint8Array) => void) => {
    // The first bytes open the stream for a client that waits for its head.
    write(new TextEncoder().encode(': listening\n\n'))
    return ended.promise
  }
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' }
  return new Response(listening(options, undefined, rest, end), { headers })
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
        // (3)
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
      // (1)
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
