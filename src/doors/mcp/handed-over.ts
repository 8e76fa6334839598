// When an answer has gone out. A whole one is with the connection in the next turn of the event loop; a
// stream when its reader has taken the last of it.

import { isStream, passOn } from '../../ops/kit/pass-on.ts'

export type Ending = {
  /** The answer is out; what is left is then done. */
  out: () => Promise<void>
  /** The request is over, answered or not. */
  over: () => void
}

export function handedOver(request: Request, response: Response, { out, over }: Ending): Response {
  if (!isStream(response) || response.body === null) {
    setImmediate(async () => {
      if (!request.signal.aborted) await out()
      over()
    })
    return response
  }
  const ended = async (how: 'whole' | 'broken' | 'left') => {
    if (how === 'whole') await out()
    over()
  }
  return new Response(passOn(response.body, { ended }), response)
}
