// Passes a stream through piece by piece. Pieces aren't read ahead, so any piece that was taken from here has reached
// the connection.

export type PassOnOptions = {
  /** Ends the stream when aborted. */
  until?: AbortSignal
  /** Called before the next piece is read. */
  asked?: () => void
  given?: (piece: Uint8Array) => void
  /** `whole` if the last piece was taken; `left` if the reader went away first. */
  ended?: (how: 'whole' | 'broken' | 'left') => void | Promise<void>
}

export function passOn(
  from: ReadableStream<Uint8Array>,
  { until, asked, given, ended }: PassOnOptions,
): ReadableStream<Uint8Array> {
  const reader = from.getReader()
  const stop = () => void reader.cancel().catch(() => {})
  until?.addEventListener('abort', stop, { once: true })
  if (until?.aborted) stop()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        asked?.()
        try {
          const { done, value } = await reader.read()
          if (!done && !until?.aborted) {
            given?.(value)
            return controller.enqueue(value)
          }
          controller.close()
          await ended?.('whole')
        } catch (error) {
          await ended?.('broken')
          controller.error(error)
        }
      },
      cancel(reason) {
        void ended?.('left')
        return reader.cancel(reason).catch(() => {})
      },
    },
    { highWaterMark: 0 },
  )
}

export function isStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') ?? false
}
