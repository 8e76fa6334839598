// GET /api/events: the log as it grows, as server-sent events. The id of each is its place in the log, so
// that whoever lost the connection comes back with Last-Event-ID and misses nothing.
//
// A reader that does not read is dropped once so much waits for it: it comes back where it was.

import type { EventView } from '../../core/event.ts'
import type { Listener } from '../../ops/feed.ts'
import { decline } from './answer.ts'
import type { AskedByKnown } from './route.ts'

/** A listener costs a socket and a few kilobytes; more than this is no use of one machine. */
const STREAMS_LIMIT = 4000
const HEARTBEAT_MS = 15_000
/** A few thousand events. */
const WAITING_BYTES = 1024 * 1024
const ROOM_BYTES = 16 * 1024
/** How long one that is dropped may take to notice. */
const DROP_SECONDS = 5

export async function streamEvents(asked: AskedByKnown): Promise<Response> {
  const { site, served, connection, request } = asked
  if (site.metrics.streams() >= STREAMS_LIMIT) {
    throw decline(503, `${STREAMS_LIMIT} streams are open; try again later`)
  }
  const want = { after: cursorOf(asked), filter: filterFor(asked) }
  connection.allowSeconds(0)
  site.metrics.streamed(1)
  const pipe = makePipe(onEnd)
  const { signal, end: forget } = site.underWay.signalFor(request)
  signal.addEventListener('abort', pipe.end)
  const heartbeat = setInterval(pipe.beat, HEARTBEAT_MS)
  let leave = () => {}
  function onEnd(why: 'left' | 'slow' | 'ended'): void {
    clearInterval(heartbeat)
    site.metrics.streamed(-1)
    signal.removeEventListener('abort', pipe.end)
    forget()
    leave()
    if (why !== 'slow') return
    site.metrics.dropped()
    connection.allowSeconds(DROP_SECONDS)
  }
  pipe.say('retry: 1000\n\n')
  served.feed.listen(want, pipe.listener).then(
    (stop) => {
      if (pipe.isOver()) stop()
      leave = stop
    },
    (error: Error) => {
      site.log({ level: 'warn', what: 'stream', why: error.message })
      pipe.end()
    },
  )
  return new Response(pipe.stream, {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' },
  })
}

function cursorOf({ request, url }: AskedByKnown): number | undefined {
  const given = request.headers.get('last-event-id') ?? url.searchParams.get('after')
  if (given === null || given === '') return undefined
  if (/^\d{1,15}$/.test(given)) return Number(given)
  throw decline(400, 'the cursor is not an event id')
}

function filterFor({ url, principal }: AskedByKnown) {
  const { searchParams } = url
  const one = (name: string) => searchParams.get(name) ?? undefined
  const isAgent = principal.kind === 'agent'
  return {
    types: one('types')?.split(','),
    thread: one('thread'),
    workspace: one('workspace'),
    // An agent sees its own; who else looks may ask for one agent's.
    agent: isAgent ? principal.name : one('agent'),
  }
}

const texts = new WeakMap<EventView, Uint8Array>()
const encoder = new TextEncoder()

function makePipe(onEnd: (why: 'left' | 'slow' | 'ended') => void) {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let waiting: Uint8Array[] = []
  let bytes = 0
  let isOver = false
  let cursor = 0
  let said = 0
  let onRoom = () => {}
  const stream = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given
      },
      pull: flush,
      cancel: () => over('left'),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: ROOM_BYTES }),
  )
  function over(why: 'left' | 'slow' | 'ended'): void {
    if (isOver) return
    isOver = true
    waiting = []
    if (why !== 'left') controller?.close()
    onRoom()
    onEnd(why)
  }
  function flush(): void {
    while (!isOver && waiting.length > 0 && (controller?.desiredSize ?? 0) > 0) {
      const chunk = waiting.shift() as Uint8Array
      bytes -= chunk.length
      controller?.enqueue(chunk)
    }
    if (waiting.length === 0) onRoom()
  }
  function put(chunk: Uint8Array): void {
    if (isOver) return
    waiting.push(chunk)
    bytes += chunk.length
    flush()
    if (bytes > WAITING_BYTES) over('slow')
  }
  const say = (text: string) => put(encoder.encode(text))
  const listener: Listener = {
    take(event) {
      said = event.event_id
      put(textOf(event))
    },
    reset(from, why) {
      said = from
      say(`id: ${from}\nevent: reset\ndata: ${JSON.stringify({ next_event_id: from, why })}\n\n`)
    },
    reached(at) {
      cursor = at
    },
    async ready() {
      while (!isOver && waiting.length > 0) {
        await new Promise<void>((resolve) => {
          onRoom = resolve
        })
      }
    },
  }
  return {
    stream,
    say,
    listener,
    isOver: () => isOver,
    end: () => over('ended'),
    /** Also moves the reader's cursor past what was not for it, or it would expire. */
    beat() {
      const place = cursor > said ? `id: ${cursor}\n` : ''
      said = Math.max(said, cursor)
      say(`${place}: \n\n`)
    },
  }
}

/** Many get the same event: it is written down once. */
function textOf(event: EventView): Uint8Array {
  const known = texts.get(event)
  if (known !== undefined) return known
  const text = encoder.encode(`id: ${event.event_id}\ndata: ${JSON.stringify(event)}\n\n`)
  texts.set(event, text)
  return text
}
