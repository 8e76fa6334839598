// One event stream for all tabs of a browser: HTTP/1.1 allows six connections to a server, and a tab that waits for one
// shows nothing. The tab that holds the lock listens and tells the others. Where there are no locks (a page that did not
// come over TLS or from this machine) each tab listens for itself while it can be seen.

import { addressOf, sessionHeaders } from './session.ts'

/** An event as the log tells it: what happened and where, without the words. */
export type LiveEvent = { event_id: number; event_type: string; thread_id: string; agent: string }

/** Whether the log is heard; how long it has not been is counted by whoever shows it. */
export type StreamState = 'connecting' | 'live' | 'lost' | 'signed out'

export type LiveListener = {
  /** Events that came together, at most once a frame. */
  onEvents: (events: readonly LiveEvent[]) => void
  /** The log could not be continued where it was left: everything that is shown is to be asked for again. */
  onReset: () => void
  onState: (state: StreamState) => void
}

type StreamNews = { events: LiveEvent[] } | { reset: number } | { state: StreamState }

/** A tab asks the one that listens how the connection stands. */
const ASKED = 'state?'
/** A tab was told that nobody is signed in. */
const ANEW = 'anew'
const SILENT_MS = 35_000
const FRAME_MS = 16
/** The server looks no further back. */
const LONGEST_START_MS = 60_000
const PAUSES_MS = [1000, 2000, 4000, 8000, 15_000, 30_000]

let isOurs = false
let others: BroadcastChannel | undefined
/** Ends the connection, and another is made. */
let cut = new AbortController()

/** The tab that listens asks again, and so learns whether the session is over, which it does not hear while connected. */
export function connectAnew(): void {
  cut.abort()
  others?.postMessage(ANEW)
}

/** The last place in the log that this tab has heard of, from the server or from the tab that listened before. */
let heardUpTo: string | undefined

/** Whether this tab listens for all of them, so that what is to happen once in a browser happens here. */
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
  // A tab that is opened later was not told how the connection stands.
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

/** Stays connected until the signal: after each loss it goes on behind the last event. */
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

/** Signing in happens in another tab, or in this one by the same browser's back button: either way the page is seen. */
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

/**
 * One connection, until it breaks off or falls silent. It is read by hand: an EventSource hides the heartbeats, and
 * whether the session is over.
 */
async function stream(signal: AbortSignal, ends: StreamEnds): Promise<'lost' | 'signed out'> {
  const silent = new AbortController()
  cut = silent
  let silence: ReturnType<typeof setTimeout> | undefined
  const heard = () => {
    clearTimeout(silence)
    silence = setTimeout(() => silent.abort(), SILENT_MS)
  }
  heard()
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
      heard()
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

/** The first answers may be older than the stream: what happened since the page began may be missing in them. */
function sinceWeBegan(): string {
  return `ago_ms=${Math.min(LONGEST_START_MS, Math.ceil(performance.now()))}`
}

/** The lines of one event. A heartbeat has an id and no data. */
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

/** A burst of events is one change of the page. The list is empty before they are told, whatever becomes of that. */
export function frameBatcher(listener: LiveListener): (told: StreamNews) => void {
  const waiting: LiveEvent[] = []
  return (told) => {
    if ('state' in told) return listener.onState(told.state)
    if ('reset' in told) return listener.onReset()
    if (waiting.length === 0) {
      // A timer and no frame: a tab that is not seen has none, and still must know.
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
