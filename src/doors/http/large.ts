// An answer that is large is given to its connection piece by piece, as it is taken, and counts against its
// caller until then: who asks for much and does not read it is not given more.

import { passOn } from '../../ops/kit/pass-on.ts'
import { hold, type QuotaHolder } from '../../ops/kit/quota.ts'

/** Smaller ones are with the system as soon as they are written. */
const LARGE = 256 * 1024
const PIECE = 64 * 1024

const texts = new WeakMap<Response, string>()

export function textAnswer(text: string, init: ResponseInit): Response {
  const response = new Response(text, init)
  if (text.length >= LARGE) texts.set(response, text)
  return response
}

/** The same answer, counted while it is under way. */
export function countAnswer(response: Response, holder: QuotaHolder): Response {
  const text = texts.get(response)
  if (text === undefined) return response
  const letGo = hold('answers', holder, text.length)
  const { status, headers } = response
  return new Response(streamOfText(text, letGo), { status, headers })
}

function streamOfText(text: string, onEnd: () => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let at = 0
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const end = at + PIECE
        // Letters that take two are not parted.
        const isParted = /[\uD800-\uDBFF]/.test(text[end - 1] ?? '')
        const piece = text.slice(at, isParted ? end + 1 : end)
        at += piece.length
        if (piece !== '') return controller.enqueue(encoder.encode(piece))
        controller.close()
        onEnd()
      },
      cancel: onEnd,
    },
    // Nothing is made ahead: what is taken from here is taken by the connection.
    { highWaterMark: 0 },
  )
}

/** A stream whose large pieces count until the next one is asked for. */
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
