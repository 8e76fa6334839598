// Shared by `inbox serve` and the server of an instance: an open store as a server uses it, and the entrances, which are a port
// and one socket per store, with the HTTP door behind them.

import type { Server as BunServer, Socket } from 'bun'
import { quote, type Refusal, refuse } from '../core/error.ts'
import type { ServerWish } from '../core/server/server.ts'
import { LINES_BYTES } from '../doors/http/body.ts'
import { handle } from '../doors/http/handle.ts'
import type { ServedStore, Site } from '../doors/http/site.ts'
import { digest } from '../ops/kit/digest.ts'
import type { StartTerminal } from '../ops/kit/operation.ts'
import { makeReadiness } from '../ops/server/readiness.ts'
import { makeTail } from '../ops/server/tail.ts'
import { type Outage, shareBell } from '../wake/shared-bell.ts'
import type { Mailroom } from './compose.ts'
import { prepareSocket, protectSocket } from './server-socket.ts'

/**
 * How long a connection may be idle while it sends a request's headers, and between two requests. A handler may allow
 * more.
 */
const IDLE_SECONDS = 10
/** How long open calls may take once the server is told to stop. */
const GRACE_MS = 10_000

/** No system assigns these ports by itself, and hardly any service uses them. */
const USUAL_PORTS = { from: 20_000, count: 10_000 }

/** Clients' configurations contain the address, so a store gets the same port at every start. */
async function usualPort(place: string): Promise<number> {
  return (
    USUAL_PORTS.from + (Number.parseInt((await digest(place)).slice(0, 8), 16) % USUAL_PORTS.count)
  )
}

type PortListener = { tcp: BunServer<undefined>; taken_port?: number }

export async function listenOn(site: Site, { host, port }: ServerWish): Promise<PortListener> {
  const wanted = port ?? (await usualPort(site.stores[0]?.place ?? ''))
  try {
    return { tcp: bind(site, host, wanted) }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (port === undefined && code === 'EADDRINUSE') {
      return { tcp: bind(site, host, 0), taken_port: wanted }
    }
    const where = quote(`${host}:${wanted}`)
    throw refuse.invalid_state`cannot listen on ${where}: ${code ?? message}`
  }
}

/** The first free port; null if there is none. */
export function bindFirst(
  site: Site,
  host: string,
  { from, to }: { from: number; to: number },
): BunServer<undefined> | null {
  for (let port = from; port <= to; port++) {
    try {
      return bind(site, host, port)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
  }
  return null
}

function bind(site: Site, host: string, port: number): BunServer<undefined> {
  return Bun.serve({
    hostname: withoutBrackets(host),
    port,
    // By default two servers would silently share one port.
    reusePort: false,
    idleTimeout: IDLE_SECONDS,
    maxRequestBodySize: LINES_BYTES,
    development: false,
    fetch: (request, server) =>
      handle(site, request, {
        way: 'tcp',
        served: undefined,
        allowSeconds: (seconds) => server.timeout(request, seconds),
      }),
    error: (error) => answerBug(site, error),
  })
}

/**
 * The runtime can't extend the time of single answers on a socket, so all get enough: only the owner can connect
 * here. Bun's types don't know this option for sockets.
 */
const SOCKET_PATIENCE: object = { idleTimeout: 0 }

function listenAt(site: Site, path: string, served: ServedStore): BunServer<undefined> {
  // No one but the owner can use the socket from the moment it exists.
  const before = process.umask(0o177)
  try {
    return listenPrivately(site, path, served)
  } finally {
    process.umask(before)
  }
}

function listenPrivately(site: Site, path: string, served: ServedStore): BunServer<undefined> {
  const server = Bun.serve({
    unix: path,
    ...SOCKET_PATIENCE,
    maxRequestBodySize: LINES_BYTES,
    development: false,
    fetch: (request, own) =>
      handle(site, request, {
        way: 'socket',
        served,
        allowSeconds: (seconds) => own.timeout(request, seconds),
      }),
    error: (error) => answerBug(site, error),
  })
  protectSocket(path)
  return server
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1')
}

const FULL = JSON.stringify({
  ok: false,
  error: { code: 'busy', message: 'the server has as many connections as it can; try again' },
})

/** A caller that sends first may only see the connection closed. */
const TURNING_AWAY = {
  open(caller: Socket) {
    const head = ['HTTP/1.1 503 Service Unavailable', 'Content-Type: application/json']
    const more = [`Content-Length: ${FULL.length}`, 'Retry-After: 5', 'Connection: close']
    caller.write([...head, ...more, '', FULL].join('\r\n'))
    caller.terminate()
  },
  data() {},
}

export function portEntrance(site: Site, host: string, tcp: BunServer<undefined>): Entrance {
  const port = tcp.port ?? 0
  const hostname = withoutBrackets(host)
  const serving = () => bind(site, host, port)
  const full = () => Bun.listen({ hostname, port, socket: TURNING_AWAY })
  return makeEntrance(tcp, { serving, full }, site.log)
}

export function socketEntrance(site: Site, path: string, served: ServedStore): Entrance {
  const serving = () => listenAt(site, path, served)
  const full = () => {
    const listener = Bun.listen({ unix: path, socket: TURNING_AWAY })
    protectSocket(path)
    return listener
  }
  return makeEntrance(serving(), { serving, full }, site.log)
}

/** Binds a socket again after it was removed, perhaps with its folder. */
export async function rebindSocket(
  site: Site,
  entrance: Entrance,
  path: string,
  prepare: (path: string) => Promise<unknown> = prepareSocket,
): Promise<void> {
  try {
    if (!(await entrance.again(() => prepare(path)))) return
    site.log({ level: 'warn', what: 'socket', path, why: 'it was gone; it is there again' })
  } catch (error) {
    site.log({ level: 'error', what: 'socket', path, why: (error as Error).message })
  }
}

/** The door handles its bugs, so this should never run. */
function answerBug(site: Site, error: Error): Response {
  reportBug(site.log, error)
  return new Response('', { status: 500 })
}

export function reportBug(log: Site['log'], error: unknown): void {
  log({ level: 'error', what: 'bug', stack: (error as Error)?.stack ?? String(error) })
}

/** Takes no new calls and lets open ones finish. */
export async function stopListening(site: Site, entrances: readonly Entrance[]): Promise<void> {
  for (const entrance of entrances) entrance.shut()
  for (const { tail } of site.stores) await tail.close()
  await site.openCalls.stop(GRACE_MS)
  for (const entrance of entrances) await entrance.end()
}

/** Gives a store one bell for all waits of the server, one reader of its log, and a check that it takes writes. */
export async function serveStore(
  mailroom: Omit<Mailroom, 'close'> & { terminal?: StartTerminal },
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

/** Common to the runtime's servers and plain listeners. */
type BoundPlace = { stop(atOnce?: boolean): Promise<void> | void }

export type EntranceState = 'serving' | 'full'

/**
 * A port or a socket, and its listener, which either serves callers or turns each away at once. The two listeners replace each
 * other in one step, so that no other process can take the address in between, and open calls run to their end.
 */
export type Entrance = {
  /** Returns whether it worked; if not, try again. */
  become: (state: EntranceState) => boolean
  /** Prepares a place that was removed, and listens there again. Returns whether it does. */
  again: (prepare: () => Promise<unknown>) => Promise<boolean>
  /** Takes no new calls from now on, and removes a socket's path. */
  shut: () => void
  /** Shuts, and ends the open calls. */
  end: () => Promise<void>
}

function makeEntrance(
  first: BoundPlace,
  ways: Record<EntranceState, () => BoundPlace>,
  log: Site['log'],
): Entrance {
  let state: EntranceState = 'serving'
  let listening: BoundPlace | undefined = first
  /** Listeners that take no new calls but may still have open ones. */
  const leaving = new Map<BoundPlace, Promise<void>>()
  let isShut = false
  const leave = () => {
    const old = listening
    listening = undefined
    if (old === undefined) return
    const left = Promise.resolve(old.stop()).finally(() => leaving.delete(old))
    leaving.set(old, left)
  }
  const shut = () => {
    isShut = true
    leave()
  }
  return {
    become(next) {
      if (isShut || (next === state && listening !== undefined)) return true
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
    async again(prepare) {
      // Stop the old listener first, because it removes its path when it stops.
      leave()
      await prepare()
      if (isShut) return false
      listening = ways[state]()
      return true
    },
    shut,
    async end() {
      shut()
      const all = [...leaving]
      for (const [old] of all) await old.stop(true)
      await Promise.all(all.map(([, left]) => left))
    },
  }
}
