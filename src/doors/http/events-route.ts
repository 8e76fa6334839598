// GET /api/events sends the log as it grows, as server-sent events. Each event's id is its position in the log, so a
// reader that lost its connection can return with Last-Event-ID without missing any.
//
// A reader that doesn't keep up is dropped once too much is waiting for it, and can resume where it left off. There can
// be thousands of readers, so each is one small object, and they share the heartbeat and the encoded events.

import { quote } from '../../core/error.ts'
import { EVENT_TYPES, type EventView } from '../../core/event.ts'
import { eventTypesFor } from '../../ops/inbox/event-types.ts'
import { takeQuota } from '../../ops/kit/quota.ts'
import type { Listener, TailWant } from '../../ops/server/tail.ts'
import { decline } from './answer.ts'
import type { HttpServer } from './http-server.ts'
import type { IdentifiedCall } from './route.ts'

const HEARTBEAT_MS = 15_000
const WAITING_BYTES = 1024 * 1024
/**
 * A connection is closed after this much silence. Heartbeats keep it open, but a reader that was dropped or stopped
 * reading gets none. Set only once, because setting it later would require each stream to keep its request.
 */
const SILENT_SECONDS = 40

/** A page that takes longer to load than this fetches all its data again. */
const AGO_MS = 60_000

const HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' }

export async function streamEvents(asked: IdentifiedCall): Promise<Response> {
  const { server, served, connection } = asked
  const want = { after: cursorOf(asked), agoMs: agoOf(asked), filter: filterFor(asked) }
  connection.allowSeconds(SILENT_SECONDS)
  const giveBack = takeQuota('streams', { store: served.house.store, principal: asked.principal })
  const pipe = new Pipe(server, giveBack)
  // No queuing strategy: one that counts bytes costs 4 KB per stream.
  const stream = new ReadableStream<Uint8Array>(pipe)
  pipe.say('retry: 1000\n\n')
  const listening = listen(asked, want, pipe).catch((error: Error) => {
    server.logStream({ level: 'warn', what: 'stream', why: error.message })
    pipe.end('ended')
  })
  // A reader without a cursor expects every event that happens after this response. Don't wait for a reader with a
  // cursor: it can't read its first events, which arrive bit by bit, before it has this response.
  if (want.after === undefined && want.agoMs === undefined) await listening
  return new Response(stream, { headers: HEADERS })
}

async function listen(
  { served: { tail }, principal }: IdentifiedCall,
  want: TailWant,
  pipe: Pipe,
): Promise<void> {
  pipe.onLeave(await tail.listen(want, pipe))
  if (principal.token_id === undefined) return
  pipe.onLeave(await tail.whileGood(principal, () => pipe.end('ended')))
}

function cursorOf({ request, url }: IdentifiedCall): number | undefined {
  const given = request.headers.get('last-event-id') ?? url.searchParams.get('after')
  if (given === null || given === '') return undefined
  if (/^\d{1,15}$/.test(given)) return Number(given)
  throw decline(400, 'the cursor is not an event id')
}

function agoOf({ url }: IdentifiedCall): number | undefined {
  const given = url.searchParams.get('ago_ms')
  if (given === null) return undefined
  if (/^\d{1,5}$/.test(given) && Number(given) <= AGO_MS) return Number(given)
  throw decline(400, `ago_ms ${quote(given)} is not a number of milliseconds up to ${AGO_MS}`)
}

/** The query parameters. `store` was read earlier, to find the store. */
const ASKED = ['after', 'ago_ms', 'types', 'thread', 'agent', 'workspace', 'store']

/** Refuses unknown names, because a typo would open a stream of the wrong events, or one without any. */
function filterFor({ url, principal }: IdentifiedCall) {
  const { searchParams } = url
  const one = (name: string) => searchParams.get(name) || undefined
  for (const name of searchParams.keys()) {
    if (ASKED.includes(name)) continue
    throw decline(400, `there is no filter ${quote(name)}; the filters are ${ASKED.join(', ')}`)
  }
  const wanted = one('types')?.split(',')
  const allowed = eventTypesFor(principal)
  for (const name of wanted ?? []) {
    const type = EVENT_TYPES.find((one) => one === name)
    if (type === undefined) {
      throw decline(400, `types: there is no event ${quote(name)}; some are thread_send, push_send`)
    }
    if (allowed?.includes(type) === false) {
      throw decline(403, `types: ${type} is in no set that this token is for`)
    }
  }
  const { workspace_id: own } = principal
  if (own !== undefined && (one('workspace') ?? own) !== own) {
    throw decline(403, 'workspace: this token is for another; leave it out')
  }
  const isAgent = principal.kind === 'agent'
  if (isAgent && (one('agent') ?? principal.name) !== principal.name) {
    throw decline(
      403,
      `agent ${quote(one('agent') ?? '')} is not you; you can follow only your own events`,
    )
  }
  return {
    types: wanted ?? allowed,
    thread: one('thread'),
    workspace: one('workspace'),
    pushesFrom: own,
    // Agents get only their own events. Other callers can select the events of one agent.
    agent: isAgent ? principal.name : one('agent'),
  }
}

const encoder = new TextEncoder()
const NOTHING: readonly Uint8Array[] = []
const pipes = new Set<Pipe>()
let heartbeat: ReturnType<typeof setInterval> | undefined

class Pipe implements Listener {
  #server: HttpServer
  #giveBack: () => void
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #waiting: Uint8Array[] | typeof NOTHING = NOTHING
  #bytes = 0
  #isOver = false
  #cursor = 0
  #said = 0
  #onRoom: (() => void) | undefined
  /** Called at the end to release the tail and the token. */
  #leave: (() => void) | undefined
  #letGo: (() => void) | undefined

  constructor(server: HttpServer, giveBack: () => void) {
    this.#server = server
    this.#giveBack = giveBack
    server.metrics.streamed(1)
    server.openCalls.streams.add(this)
    pipes.add(this)
    heartbeat ??= setInterval(beatAll, HEARTBEAT_MS)
  }

  // Called by the stream.

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller
  }

  pull(): void {
    while (this.#waiting.length > 0 && (this.#controller?.desiredSize ?? 0) > 0) {
      const chunk = (this.#waiting as Uint8Array[]).shift() as Uint8Array
      this.#bytes -= chunk.length
      this.#controller?.enqueue(chunk)
    }
    if (this.#waiting.length > 0) return
    this.#waiting = NOTHING
    this.#onRoom?.()
  }

  cancel(): void {
    this.end('left')
  }

  // Called by the tail.

  take(event: EventView): void {
    this.#said = event.event_id
    this.#put(textOf(event))
  }

  reset(from: number, why: string): void {
    this.#said = from
    this.say(`id: ${from}\nevent: reset\ndata: ${JSON.stringify({ next_event_id: from, why })}\n\n`)
  }

  reached(cursor: number): void {
    this.#cursor = cursor
  }

  ended(): void {
    this.end('ended')
  }

  async ready(): Promise<void> {
    while (!this.#isOver && this.#waiting.length > 0) {
      await new Promise<void>((resolve) => {
        this.#onRoom = resolve
      })
    }
    this.#onRoom = undefined
  }

  // Called by the route.

  say(text: string): void {
    this.#put(encoder.encode(text))
  }

  /**
   * Sends a heartbeat. It also moves the reader's cursor past events that weren't for it; otherwise the cursor would
   * expire.
   */
  beat(): void {
    const place = this.#cursor > this.#said ? `id: ${this.#cursor}\n` : ''
    this.#said = Math.max(this.#said, this.#cursor)
    this.say(`${place}: \n\n`)
  }

  onLeave(leave: () => void): void {
    if (this.#isOver) leave()
    else if (this.#leave === undefined) this.#leave = leave
    else this.#letGo = leave
  }

  end(why: 'left' | 'slow' | 'ended'): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#waiting = NOTHING
    if (why !== 'left') this.#controller?.close()
    this.#onRoom?.()
    this.#leave?.()
    this.#letGo?.()
    this.#giveBack()
    this.#server.metrics.streamed(-1)
    this.#server.openCalls.streams.delete(this)
    pipes.delete(this)
    if (pipes.size === 0) {
      clearInterval(heartbeat)
      heartbeat = undefined
    }
    if (why === 'slow') this.#server.metrics.dropped()
  }

  #put(chunk: Uint8Array): void {
    if (this.#isOver) return
    if (this.#waiting.length === 0 && (this.#controller?.desiredSize ?? 0) > 0) {
      this.#controller?.enqueue(chunk)
      return
    }
    if (this.#waiting === NOTHING) this.#waiting = []
    ;(this.#waiting as Uint8Array[]).push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes > WAITING_BYTES) this.end('slow')
  }
}

function beatAll(): void {
  for (const pipe of pipes) pipe.beat()
}

const texts = new WeakMap<EventView, Uint8Array>()

/** Many readers get the same event, so it is encoded once. */
function textOf(event: EventView): Uint8Array {
  const known = texts.get(event)
  if (known !== undefined) return known
  const text = encoder.encode(`id: ${event.event_id}\ndata: ${JSON.stringify(event)}\n\n`)
  texts.set(event, text)
  return text
}
