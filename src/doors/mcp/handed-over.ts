// When an answer has gone out. A whole one is with the connection in the next turn of the event loop; a
// stream when its reader has taken the last of it.

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
  return new Response(watched(response.body, { out, over }), response)
}

function isStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') ?? false
}

function watched(body: ReadableStream<Uint8Array>, { out, over }: Ending) {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (value !== undefined) controller.enqueue(value)
          if (!done) return
          controller.close()
          await out()
          over()
        } catch (error) {
          over()
          controller.error(error)
        }
      },
      cancel(reason) {
        over()
        return reader.cancel(reason).catch(() => {})
      },
    },
    // Nothing is read ahead: what is taken from here is taken by the connection.
    { highWaterMark: 0 },
  )
}
