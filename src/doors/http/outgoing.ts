// A stream whose writer waits for its reader.

export type OutgoingStream = {
  stream: ReadableStream<Uint8Array>
  /** Resolves at the first write. */
  begun: Promise<void>
  /** Resolves when there is room for more. */
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

/** Makes a stream of pieces; a reader that leaves ends the generator. */
export function streamOf(
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
