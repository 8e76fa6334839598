// Notices when an answer has gone out. A whole answer is with the connection in the next turn of the event
// loop; a stream is out when its reader has taken the last of it.

import { isStream, passOn } from '../../ops/kit/pass-on.ts'

/** Calls `over` at the end of the request, with whether somebody took its answer. */
export function watchHandover(
  request: Request,
  response: Response,
  over: (isTaken: boolean) => void,
): Response {
  if (!isStream(response) || response.body === null) {
    setImmediate(() => over(!request.signal.aborted))
    return response
  }
  const ended = (how: 'whole' | 'broken' | 'left') => over(how === 'whole')
  return new Response(passOn(response.body, { ended }), response)
}
