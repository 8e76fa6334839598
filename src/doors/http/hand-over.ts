// Hands answers to their connections, and says when one is out: when the system has taken its last byte for a
// connection that is still open. An answer that was taken in part went to nobody.
//
// A large answer is given piece by piece, as it is taken, and counts against its caller until then: who asks for
// much and does not read it is not given more.

import { passOn } from '../../ops/kit/pass-on.ts'
import { hold, type QuotaHolder } from '../../ops/kit/quota.ts'

/** From this length on, an answer that is not taken counts against its caller. */
const LARGE = 256 * 1024
const PIECE = 64 * 1024
/** The least that any system takes at once for a connection, with room for letters of three bytes. */
const AT_ONCE = 16 * 1024

const texts = new WeakMap<Response, string>()

export function textAnswer(text: string, init: ResponseInit): Response {
  const response = new Response(text, init)
  if (text.length >= AT_ONCE) texts.set(response, text)
  return response
}

/** The work that waits until it is known whether an answer is out. */
export type OwedWork = {
  /** False when there is nothing to do, however the answer fares. */
  isLeft: () => boolean
  over: (isTaken: boolean) => void
}

export type AnswerOut = {
  request: Request
  holder: QuotaHolder
  owed: readonly OwedWork[]
}

/** The same answer, counted and watched while it is under way. */
export function handOver(response: Response, { request, holder, owed }: AnswerOut): Response {
  const over = (isTaken: boolean) => {
    for (const one of owed) one.over(isTaken && !request.signal.aborted)
  }
  const text = texts.get(response)
  const isWatched = text !== undefined && owed.some(({ isLeft }) => isLeft())
  if (text === undefined || !(isWatched || text.length >= LARGE)) {
    // Written in this turn of the event loop, and taken whole.
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

/** The next piece is asked for when the system has taken the one before it. */
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
        // Letters that take two are not parted.
        const isParted = /[\uD800-\uDBFF]/.test(text[end - 1] ?? '')
        const piece = text.slice(at, isParted ? end + 1 : end)
        at += piece.length
        if (piece !== '') return controller.enqueue(encoder.encode(piece))
        controller.close()
        onEnd('whole')
      },
      cancel: () => onEnd('left'),
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
