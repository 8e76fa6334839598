// The ways in: a port, and a socket for each store, behind which stands the HTTP door.

import type { Server as BunServer } from 'bun'
import { quote, refuse } from '../core/error.ts'
import type { ServerWish } from '../core/server/server.ts'
import { LINES_BYTES } from '../doors/http/body.ts'
import { handle } from '../doors/http/handle.ts'
import type { Served, Site } from '../doors/http/site.ts'
import { digest } from '../ops/kit/digest.ts'
import { prepareSocket, protectSocket } from './server-socket.ts'

/** Until a handler says otherwise: for the head of a request, and between two of one connection. */
const IDLE_SECONDS = 10
/** What is under way when the server is told to stop has so long. */
const GRACE_MS = 10_000

/** Where ports are given out to nobody: neither to calls that go out, nor by most lists of services. */
const USUAL_PORTS = { from: 20_000, count: 10_000 }

/** Programs are told the address in their configurations: it is to be the same at the next start. */
async function usualPort(place: string): Promise<number> {
  return (
    USUAL_PORTS.from + (Number.parseInt((await digest(place)).slice(0, 8), 16) % USUAL_PORTS.count)
  )
}

type Listening = { tcp: BunServer<undefined>; taken_port?: number }

export async function listenOn(site: Site, { host, port }: ServerWish): Promise<Listening> {
  const wanted = port ?? (await usualPort(site.stores[0]?.place ?? ''))
  try {
    return { tcp: bind(site, host, wanted) }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (port === undefined && code === 'EADDRINUSE') {
      return { tcp: bind(site, host, 0), taken_port: wanted }
    }
    const where = quote(`${host}:${wanted}`)
    throw refuse('invalid_state', `cannot listen on ${where}: ${code ?? message}`)
  }
}

function bind(site: Site, host: string, port: number): BunServer<undefined> {
  return Bun.serve({
    hostname: host.replace(/^\[(.*)\]$/, '$1'),
    port,
    // Not the default: two servers would take turns at one port, and neither would say so.
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
    error: (error) => broken(site, error),
  })
}

/**
 * At a socket the runtime gives no answer more time than all have, so all have enough: only the owner comes
 * this way. Its types do not know that a socket has this.
 */
const SOCKET_PATIENCE: object = { idleTimeout: 0 }

export function listenAt(site: Site, path: string, served: Served): BunServer<undefined> {
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
    error: (error) => broken(site, error),
  })
  protectSocket(path)
  return server
}

/** Whoever removed the socket, with its folder perhaps: what is under way by it goes on to its end. */
export async function listenAnew(
  site: Site,
  listening: BunServer<undefined>[],
  { at, path, served }: { at: number; path: string; served: Served },
): Promise<void> {
  try {
    // First: a server that stops takes its path with it.
    void listening[at]?.stop()
    listening[at] = listenAt(site, await prepareSocket(path), served)
    site.log({ level: 'warn', what: 'socket', path, why: 'it was gone; it is there again' })
  } catch (error) {
    site.log({ level: 'error', what: 'socket', path, why: (error as Error).message })
  }
}

/** Nothing should come here: the door answers its own bugs. */
function broken(site: Site, error: Error): Response {
  reportBug(site.log, error)
  return new Response('', { status: 500 })
}

export function reportBug(log: Site['log'], error: unknown): void {
  log({ level: 'error', what: 'bug', stack: (error as Error)?.stack ?? String(error) })
}

/** Nobody new comes in; whoever is in is answered. */
export async function stopListening(site: Site, listening: BunServer<undefined>[]): Promise<void> {
  const closed = listening.map((server) => server.stop())
  for (const { tail } of site.stores) await tail.close()
  await site.underWay.stop(GRACE_MS)
  for (const server of listening) await server.stop(true)
  await Promise.all(closed)
}
