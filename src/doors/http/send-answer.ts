// Hands responses to their connections and reports when one has been delivered: when the system has accepted its last
// byte and the connection is still open. A response that was only partly accepted wasn't delivered.
//
// A large response is handed over in pieces and counts against its caller until it's accepted completely. A caller that
// keeps making requests without reading the responses is refused.

import { passOn } from '../../ops/kit/pass-on.ts'
import { hold, type QuotaHolder } from '../../ops/kit/quota.ts'
import type { OwedWork } from '../../ops/server/visitor.ts'

/** Responses of at least this size count against their caller until they're accepted. */
const LARGE = 256 * 1024
const PIECE = 64 * 1024
/** Every system accepts at least this much in one write to a connection, even with three bytes per character. */
const AT_ONCE = 16 * 1024

const texts = new WeakMap<Response, string>()

export function textAnswer(text: string, init: ResponseInit): Response {
  const response = new Response(text, init)
  if (text.length >= AT_ONCE) texts.set(response, text)
  return response
}

export type AnswerOut = {
  request: Request
  holder: QuotaHolder
  owed: readonly OwedWork[]
}

/** Returns the same response, counted and watched until it's delivered. */
export function handOver(response: Response, { request, holder, owed }: AnswerOut): Response {
  const over = (isTaken: boolean) => {
    for (const one of owed) one.over(isTaken && !request.signal.aborted)
  }
  const text = texts.get(response)
  const isWatched = text !== undefined && owed.some(({ isLeft }) => isLeft())
  if (text === undefined || !(isWatched || text.length >= LARGE)) {
    // The response is written in this turn of the event loop and accepted completely.
    setImmediate(over, true)
    return response
  }
  const letGo = text.length >= LARGE ? hold('answers', holder, text.length) : () => {}
  const { status, headers } = response
  const stream = streamOfText(text, (how) => {
    letGo()
    over(how === 'whole')
  })
  return new Response(stream, { status, headers })
}

/** Each piece is requested once the system has accepted the previous one. */
function streamOfText(
  text: string,
  onEnd: (how: 'whole' | 'left') => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let at = 0
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const end = at + PIECE
        // Don't split surrogate pairs.
        const isParted = /[\uD800-\uDBFF]/.test(text[end - 1] ?? '')
        const piece = text.slice(at, isParted ? end + 1 : end)
        at += piece.length
        if (piece !== '') return controller.enqueue(encoder.encode(piece))
        controller.close()
        onEnd('whole')
      },
      cancel: () => onEnd('left'),
    },
    // Don't buffer: whatever leaves this stream has been accepted by the connection.
    { highWaterMark: 0 },
  )
}

/** Large pieces of the stream count against the caller until the next one is requested. */
export function countStream(
  from: ReadableStream<Uint8Array>,
  holder: QuotaHolder,
): ReadableStream<Uint8Array> {
  let letGo = () => {}
  return passOn(from, {
    asked: () => letGo(),
    given(piece) {
      if (piece.length >= LARGE) letGo = hold('answers', holder, piece.length)
    },
    ended: () => letGo(),
  })
}

export type OutgoingStream = {
  stream: ReadableStream<Uint8Array>
  begun: Promise<void>
  write: (text: string) => Promise<void>
  end: () => void
  fail: (error: unknown) => void
}

const ROOM_BYTES = 64 * 1024

export function makeOutgoing(): OutgoingStream {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let onRoom = () => {}
  let isOver = false
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const stream = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given
      },
      pull: () => onRoom(),
      cancel() {
        isOver = true
        onRoom()
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: ROOM_BYTES }),
  )
  const hasRoom = () => isOver || (controller?.desiredSize ?? 0) > 0
  return {
    stream,
    begun,
    async write(text) {
      begin()
      if (isOver) return
      controller?.enqueue(encoder.encode(text))
      while (!hasRoom()) {
        await new Promise<void>((resolve) => {
          onRoom = resolve
        })
      }
    },
    end() {
      if (!isOver) controller?.close()
      isOver = true
    },
    fail(error) {
      if (!isOver) controller?.error(error)
      isOver = true
    },
  }
}

/** Makes a stream from the pieces. The generator ends if the reader leaves. */
export function streamPieces(
  pieces: AsyncGenerator<Uint8Array>,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next()
        if (!done) return controller.enqueue(value)
        onEnd()
        controller.close()
      } catch (error) {
        onEnd()
        controller.error(error)
      }
    },
    async cancel() {
      onEnd()
      await pieces.return(undefined)
    },
  })
}
