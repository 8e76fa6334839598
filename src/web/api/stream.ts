// One event stream for all tabs of a browser: HTTP/1.1 allows six connections to a server, and a tab that has to wait
// for one shows nothing. The tab that holds a lock listens and passes events on to the others. If locks aren't
// available (on a page over plain http from another machine), each tab listens for itself while it's visible.

import { addressOf, sessionHeaders } from './session.ts'

/** What happened and where, without the message text. */
export type LiveEvent = { event_id: number; event_type: string; thread_id: string; agent: string }

/** The state of the connection. Code that displays the state keeps track of how long it has lasted. */
export type StreamState = 'connecting' | 'live' | 'lost' | 'signed out'

export type LiveListener = {
  /** Called with a batch, at most once per frame. */
  onEvents: (events: readonly LiveEvent[]) => void
  /** The stream couldn't resume where it broke off, so everything shown must be fetched again. */
  onReset: () => void
  onState: (state: StreamState) => void
}

type StreamNews = { events: LiveEvent[] } | { reset: number } | { state: StreamState }

/** A tab asks the listening tab for the state of the connection. */
const ASKED = 'state?'
/** A tab got a 401, so the listening tab should reconnect to find out whether the session has ended. */
const ANEW = 'anew'
const SILENT_MS = 35_000
const FRAME_MS = 16
/** The server doesn't accept a start that's further back. */
const LONGEST_START_MS = 60_000
const PAUSES_MS = [1000, 2000, 4000, 8000, 15_000, 30_000]

let isOurs = false
let others: BroadcastChannel | undefined
/** Aborting this ends the current connection. A new one is opened afterward. */
let cut = new AbortController()

/** Makes the listening tab reconnect: an open stream doesn't show that the session has ended; a new one does. */
export function connectAnew(): void {
  cut.abort()
  others?.postMessage(ANEW)
}

/** The last event id this tab knows, from the server or from the tab that listened before. */
let heardUpTo: string | undefined

/** True in the one tab that performs actions meant to happen once per browser. */
export function holdsStream(): boolean {
  return navigator.locks === undefined ? document.visibilityState === 'visible' : isOurs
}

export function listen(listener: LiveListener): () => void {
  const channel = new BroadcastChannel(`events:${addressOf('/')}`)
  others = channel
  const hear = frameBatcher(listener)
  let latest: StreamState | undefined
  channel.onmessage = ({ data }: MessageEvent<StreamNews | typeof ASKED | typeof ANEW>) => {
    if (data === ANEW) cut.abort()
    else if (data !== ASKED) {
      if ('events' in data) heardUpTo = String(data.events.at(-1)?.event_id ?? heardUpTo)
      else if ('reset' in data) heardUpTo = String(data.reset)
      hear(data)
    } else if (isOurs && latest !== undefined) channel.postMessage({ state: latest })
  }
  const tell = (told: StreamNews) => {
    if ('state' in told) latest = told.state
    channel.postMessage(told)
    hear(told)
  }
  // A tab opened later has missed the announcement of the current state.
  channel.postMessage(ASKED)
  const ending = new AbortController()
  void listenWhenItIsOurTurn(tell, hear, ending.signal)
  return () => {
    ending.abort()
    channel.close()
  }
}

async function listenWhenItIsOurTurn(
  tell: (told: StreamNews) => void,
  hear: (told: StreamNews) => void,
  signal: AbortSignal,
): Promise<void> {
  if (navigator.locks === undefined) {
    await listenWhileSeen(hear, signal)
    return
  }
  const name = `events:${addressOf('/')}`
  await navigator.locks
    .request(name, { signal }, async () => {
      isOurs = true
      await connect(tell, signal)
      isOurs = false
    })
    .catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
}

async function listenWhileSeen(
  hear: (told: StreamNews) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    if (document.visibilityState === 'visible') {
      const hidden = new AbortController()
      const end = () => document.visibilityState === 'hidden' && hidden.abort()
      document.addEventListener('visibilitychange', end)
      await connect(hear, AbortSignal.any([signal, hidden.signal]))
      document.removeEventListener('visibilitychange', end)
    }
    await once(document, 'visibilitychange', signal)
  }
}

/** Stays connected until the signal aborts. After losing a connection, resumes after the last event. */
async function connect(tell: (told: StreamNews) => void, signal: AbortSignal): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    const outcome = await stream(signal, {
      onOpen() {
        failures = 0
        tell({ state: 'live' })
      },
      onEvent(id, event) {
        heardUpTo = id
        if (event !== null) tell({ events: [event] })
      },
      onReset(id) {
        heardUpTo = id
        tell({ reset: Number(id) })
      },
    })
    if (signal.aborted) return
    if (outcome === 'signed out') {
      tell({ state: 'signed out' })
      await signedInAgain(signal)
      continue
    }
    tell({ state: 'lost' })
    const pause = PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? 0
    failures += 1
    await backAfter(pause * (0.8 + Math.random() * 0.4), signal)
  }
}

/** The person signs in again in another tab, or in this one and then goes back. Either fires one of these events. */
async function signedInAgain(signal: AbortSignal): Promise<void> {
  const ending = new AbortController()
  const either = AbortSignal.any([signal, ending.signal])
  await Promise.race([
    once(window, 'storage', either),
    once(window, 'focus', either),
    once(document, 'visibilitychange', either),
  ])
  ending.abort()
}

type StreamEnds = {
  onOpen: () => void
  onEvent: (id: string, event: LiveEvent | null) => void
  onReset: (id: string) => void
}

/** Runs one connection until it breaks or is silent. An EventSource would hide heartbeats and refusal statuses. */
async function stream(signal: AbortSignal, ends: StreamEnds): Promise<'lost' | 'signed out'> {
  const silent = new AbortController()
  cut = silent
  let silence: ReturnType<typeof setTimeout> | undefined
  const restartSilence = () => {
    clearTimeout(silence)
    silence = setTimeout(() => silent.abort(), SILENT_MS)
  }
  restartSilence()
  try {
    const path = `/api/events?${heardUpTo === undefined ? sinceWeBegan() : `after=${heardUpTo}`}`
    const asked = {
      headers: { accept: 'text/event-stream', ...sessionHeaders() },
      signal: AbortSignal.any([signal, silent.signal]),
    }
    const { status, body } = await fetch(addressOf(path), asked)
    if (status === 401 || status === 403) return 'signed out'
    if (status !== 200 || body === null) return 'lost'
    ends.onOpen()
    let rest = ''
    for await (const text of body.pipeThrough(new TextDecoderStream())) {
      restartSilence()
      const blocks = (rest + text).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) tellBlock(block, ends)
    }
    return 'lost'
  } catch {
    return 'lost'
  } finally {
    clearTimeout(silence)
  }
}

/** The page's first data may be older than the stream, so the stream starts with events since the page load. */
function sinceWeBegan(): string {
  return `ago_ms=${Math.min(LONGEST_START_MS, Math.ceil(performance.now()))}`
}

/** Parses one event. A heartbeat has an id and no data. */
function tellBlock(block: string, { onEvent, onReset }: StreamEnds): void {
  const fields = new Map(
    block.split('\n').map((line): [string, string] => {
      const at = line.indexOf(':')
      return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1).trimStart()]
    }),
  )
  const id = fields.get('id')
  if (id === undefined) return
  const data = fields.get('data')
  if (fields.get('event') === 'reset') onReset(id)
  else onEvent(id, data === undefined ? null : (JSON.parse(data) as LiveEvent))
}

/**
 * Batches a burst of events into one page update. The batch is emptied first, so a listener that throws doesn't get it
 * twice.
 */
export function frameBatcher(listener: LiveListener): (told: StreamNews) => void {
  const waiting: LiveEvent[] = []
  return (told) => {
    if ('state' in told) return listener.onState(told.state)
    if ('reset' in told) return listener.onReset()
    if (waiting.length === 0) {
      // requestAnimationFrame wouldn't work here: a hidden tab gets no frames but still needs the events.
      setTimeout(() => listener.onEvents(waiting.splice(0)), FRAME_MS)
    }
    waiting.push(...told.events)
  }
}

function backAfter(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      removeEventListener('online', done)
      document.removeEventListener('visibilitychange', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    addEventListener('online', done)
    document.addEventListener('visibilitychange', done)
    signal.addEventListener('abort', done)
  })
}

function once(target: EventTarget, name: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      target.removeEventListener(name, done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    target.addEventListener(name, done)
    signal.addEventListener('abort', done)
  })
}
