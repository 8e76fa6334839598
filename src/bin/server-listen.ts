// Shared by `inbox serve` and the instance server: opens a store for serving and starts the listeners (one for the port, one
// for each store's socket), with the HTTP door behind them.

import type { Server as BunServer, Socket } from 'bun'
import { quote, type Refusal, refuse } from '../core/error.ts'
import type { House } from '../core/house.ts'
import type { ServerWish } from '../core/server/server.ts'
import { LINES_BYTES } from '../doors/http/body.ts'
import { handle } from '../doors/http/handle.ts'
import type { HttpConnection, HttpServer, ServedStore } from '../doors/http/http-server.ts'
import { makeMetrics } from '../doors/http/metrics.ts'
import { trackOpenCalls } from '../doors/http/open-calls.ts'
import { digest } from '../ops/kit/digest.ts'
import type { StartTerminal } from '../ops/kit/operation.ts'
import { makeReadiness } from '../ops/server/readiness.ts'
import { makeTail } from '../ops/server/tail.ts'
import { type Outage, shareBell } from '../wake/shared-bell.ts'
import { prepareSocket, protectSocket } from './server-socket.ts'
import { VERSION } from './version.gen.ts'
import { findWebApp } from './web-app.ts'

/**
 * How long a connection may be idle while it sends a request's headers, and between two requests. Handlers can extend
 * this.
 */
const IDLE_SECONDS = 10
/** How long open calls may take once the server is told to stop. */
const GRACE_MS = 10_000

/** Systems don't assign these ports automatically, and hardly any service uses them. */
const USUAL_PORTS = { from: 20_000, count: 10_000 }

/** Clients' configurations contain the address, so a store gets the same port at every start. */
async function usualPort(place: string): Promise<number> {
  return (
    USUAL_PORTS.from + (Number.parseInt((await digest(place)).slice(0, 8), 16) % USUAL_PORTS.count)
  )
}

type BoundPort = { tcp: BunServer<undefined>; taken_port?: number }

export async function bindPort(server: HttpServer, { host, port }: ServerWish): Promise<BoundPort> {
  const wanted = port ?? (await usualPort(server.stores[0]?.place ?? ''))
  try {
    return { tcp: bind(server, host, wanted) }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (port === undefined && code === 'EADDRINUSE') {
      return { tcp: bind(server, host, 0), taken_port: wanted }
    }
    const where = quote(`${host}:${wanted}`)
    throw refuse.invalid_state`cannot listen on ${where}: ${code ?? message}`
  }
}

/** Listens on the first free port. Returns null if there is none. */
export function bindFirst(
  server: HttpServer,
  host: string,
  { from, to }: { from: number; to: number },
): BunServer<undefined> | null {
  for (let port = from; port <= to; port++) {
    try {
      return bind(server, host, port)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
  }
  return null
}

function bind(server: HttpServer, host: string, port: number): BunServer<undefined> {
  return Bun.serve({
    hostname: withoutBrackets(host),
    port,
    // By default two servers would silently share one port.
    reusePort: false,
    idleTimeout: IDLE_SECONDS,
    ...answering(server, 'tcp', undefined),
  })
}

/**
 * On a socket, the runtime can't extend the timeout of a single response, so there's no timeout at all: only the owner
 * can connect here. Bun's types lack this option for sockets.
 */
const SOCKET_PATIENCE: object = { idleTimeout: 0 }

function listenAt(server: HttpServer, path: string, served: ServedStore): BunServer<undefined> {
  // Ensures that only the owner can use the socket from the moment it exists.
  const before = process.umask(0o177)
  try {
    const all = answering(server, 'socket', served)
    const listening = Bun.serve({ unix: path, ...SOCKET_PATIENCE, ...all })
    protectSocket(path)
    return listening
  } finally {
    process.umask(before)
  }
}

/** The options of the runtime's server that are the same on a port and on a socket. */
function answering(
  server: HttpServer,
  way: HttpConnection['way'],
  served: ServedStore | undefined,
) {
  return {
    maxRequestBodySize: LINES_BYTES,
    development: false as const,
    fetch: (request: Request, own: BunServer<undefined>) =>
      handle(server, request, {
        way,
        served,
        allowSeconds: (seconds) => own.timeout(request, seconds),
      }),
    error: (error: Error) => answerBug(server, error),
  }
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1')
}

const FULL = JSON.stringify({
  ok: false,
  error: { code: 'busy', message: 'the server has as many connections as it can; try again' },
})

/** A caller that has already sent data may only see the connection close. */
const TURNING_AWAY = {
  open(caller: Socket) {
    const head = ['HTTP/1.1 503 Service Unavailable', 'Content-Type: application/json']
    const more = [`Content-Length: ${FULL.length}`, 'Retry-After: 5', 'Connection: close']
    caller.write([...head, ...more, '', FULL].join('\r\n'))
    caller.terminate()
  },
  data() {},
}

export function makePortListener(
  server: HttpServer,
  host: string,
  tcp: BunServer<undefined>,
): ServerListener {
  const port = tcp.port ?? 0
  const hostname = withoutBrackets(host)
  const serving = () => bind(server, host, port)
  const full = () => Bun.listen({ hostname, port, socket: TURNING_AWAY })
  return makeListener(tcp, { serving, full }, server.log)
}

export function makeSocketListener(
  server: HttpServer,
  path: string,
  served: ServedStore,
): ServerListener {
  const serving = () => listenAt(server, path, served)
  const full = () => {
    const turningAway = Bun.listen({ unix: path, socket: TURNING_AWAY })
    protectSocket(path)
    return turningAway
  }
  return makeListener(serving(), { serving, full }, server.log)
}

/** Binds a socket again after it was removed, perhaps along with its folder. */
export async function rebindSocket(
  server: HttpServer,
  listener: ServerListener,
  path: string,
  prepare: (path: string) => Promise<unknown> = prepareSocket,
): Promise<void> {
  try {
    if (!(await listener.listenAgain(() => prepare(path)))) return
    server.log({
      level: 'warn',
      what: 'socket',
      path,
      why: 'it was removed; it has been created again',
    })
  } catch (error) {
    server.log({ level: 'error', what: 'socket', path, why: (error as Error).message })
  }
}

/** The door handles its own bugs, so this should never run. */
function answerBug(server: HttpServer, error: Error): Response {
  reportBug(server.log, error)
  return new Response('', { status: 500 })
}

export function reportBug(log: HttpServer['log'], error: unknown): void {
  log({ level: 'error', what: 'bug', stack: (error as Error)?.stack ?? String(error) })
}

/** Stops accepting calls and lets open ones finish. */
export async function stopListening(
  server: HttpServer,
  listeners: readonly ServerListener[],
): Promise<void> {
  for (const listener of listeners) listener.stopAccepting()
  for (const { tail } of server.stores) await tail.close()
  await server.openCalls.stop(GRACE_MS)
  for (const listener of listeners) await listener.close()
}

/** Creates a server that isn't listening yet. Its address is set once its port is bound. */
export function makeHttpServer(
  given: Omit<HttpServer, 'names' | 'url' | 'version' | 'metrics' | 'openCalls' | 'web'>,
): HttpServer {
  return {
    ...given,
    names: { hosts: new Set(), origins: new Set() },
    url: '',
    version: VERSION,
    metrics: makeMetrics(),
    openCalls: trackOpenCalls(),
    web: findWebApp(),
  }
}

/** Gives a store one bell for all the server's waits, one reader of its log, and a check that it accepts writes. */
export async function serveStore(
  mailroom: House & { terminal?: StartTerminal },
  outage: Outage | undefined,
  report: (error: unknown) => void,
): Promise<ServedStore> {
  const keeper = await mailroom.store.keeper()
  const id = await keeper.storeId(mailroom.makeId('store'))
  const shared = shareBell(mailroom.bell, mailroom.store, outage)
  const { isReady, writes } = makeReadiness(mailroom.store)
  const house = {
    ...mailroom,
    bell: shared.bell,
    store: { ...mailroom.store, ...writes, lookout: shared.lookout },
  }
  let gone: Refusal | undefined
  void mailroom.store.gone.then((why) => {
    gone = why
  })
  return {
    id,
    place: mailroom.store.place,
    house,
    tail: makeTail({ ...house, report }),
    cookie: `inbox_${(await mailroom.digest(id)).slice(0, 12)}`,
    waiters: shared.waiters,
    isReady,
    gone: () => gone,
  }
}

/** Common to the runtime's servers and its plain listeners. */
type BoundPlace = { stop(atOnce?: boolean): Promise<void> | void }

export type ListenerState = 'serving' | 'full'

/**
 * Listens on a port or a socket, and either serves callers or rejects each one immediately. It switches in one step, so
 * that no other process can take the address in between, and open calls can finish.
 */
export type ServerListener = {
  /** Returns false if switching failed and should be tried again. */
  switchTo: (state: ListenerState) => boolean
  /** Prepares a place that was removed, and listens there again. Returns false if the listener has been stopped. */
  listenAgain: (prepare: () => Promise<unknown>) => Promise<boolean>
  /** Stops accepting calls, and removes a socket's path. */
  stopAccepting: () => void
  close: () => Promise<void>
}

function makeListener(
  first: BoundPlace,
  ways: Record<ListenerState, () => BoundPlace>,
  log: HttpServer['log'],
): ServerListener {
  let state: ListenerState = 'serving'
  let listening: BoundPlace | undefined = first
  /** Places that no longer accept calls but may still have open ones. */
  const leaving = new Map<BoundPlace, Promise<void>>()
  let isStopped = false
  const leave = () => {
    const old = listening
    listening = undefined
    if (old === undefined) return
    const left = Promise.resolve(old.stop()).finally(() => leaving.delete(old))
    leaving.set(old, left)
  }
  const stopAccepting = () => {
    isStopped = true
    leave()
  }
  return {
    switchTo(next) {
      if (isStopped || (next === state && listening !== undefined)) return true
      const isSecondTry = next === state
      state = next
      leave()
      try {
        listening = ways[state]()
      } catch (error) {
        const why = (error as Error).message
        if (!isSecondTry) log({ level: 'error', what: 'listening', is: state, why })
      }
      return listening !== undefined
    },
    async listenAgain(prepare) {
      // Stop the old listener first, because it removes its path when it stops.
      leave()
      await prepare()
      if (isStopped) return false
      listening = ways[state]()
      return true
    },
    stopAccepting,
    async close() {
      stopAccepting()
      const all = [...leaving]
      for (const [old] of all) await old.stop(true)
      await Promise.all(all.map(([, left]) => left))
    },
  }
}
