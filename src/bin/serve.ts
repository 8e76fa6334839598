// The server: opens the stores, binds the HTTP door to a port and to one socket per store, keeps house, and stops in
// order: first the listeners, then the waits, then the open calls, then the stores.
// A store whose file was removed or replaced is no longer served: its calls are refused, its waits and streams end, and
// its socket is free for a server of the new file. The server stops when its last store is gone.

import { isatty as isTerminal } from 'node:tty'
import type { Server as BunServer } from 'bun'
import { quote, Refusal, refuse } from '../core/error.ts'
import type { House } from '../core/house.ts'
import { isLoopback, type ServerAddress, type ServerWish } from '../core/server/server.ts'
import { shellWord } from '../core/shell-word.ts'
import type { Store } from '../core/store.ts'
import type { Launcher } from '../core/waking/launch.ts'
import { namesFor } from '../doors/http/guards.ts'
import type { HttpServer, ServedStore, ServerLogLine } from '../doors/http/http-server.ts'
import { makeLimitedLog, redact } from '../doors/http/server-log.ts'
import { mcpDoor } from '../doors/mcp/http.ts'
import { call } from '../ops/call.ts'
import type { StartTerminal } from '../ops/kit/operation.ts'
import { operationNamed } from '../ops/known-caller.ts'
import { keepHouse } from '../ops/server/keep-house.ts'
import { makeOutage, type Outage } from '../wake/shared-bell.ts'
import { type Mailroom, openMailroom } from './compose.ts'
import { watchDescriptors } from './descriptors.ts'
import { makeLauncher, ownProgram } from './launcher.ts'
import { shortestCommand } from './own-command.ts'
import {
  bindPort,
  makeHttpServer,
  makePortListener,
  makeSocketListener,
  rebindSocket,
  reportBug,
  type ServerListener,
  serveStore,
  stopListening,
} from './server-listen.ts'
import { prepareSocket, socketPath, watchSocket } from './server-socket.ts'
import { formatLogLine, reportEvents } from './server-terminal.ts'
import { VERSION } from './version.gen.ts'

const STDERR = 2

type OpenStore = { address: string; mailroom: Mailroom }

export type Stores = OpenStore & {
  more: string[]
  onCreate: (place: string) => void
  log: (text: string) => void
  terminal?: StartTerminal
  launcher?: Launcher
}

type ServerStore = Pick<OpenStore, 'address'> & {
  served: ServedStore
  outage: Outage
  close: () => Promise<void>
  socket: string | null
  leaveSocket: () => void
}

export async function runServer(
  stores: Stores,
  wish: ServerWish,
  life: { signal: AbortSignal; onServing: (serving: ServerAddress) => void },
): Promise<{ requests: number }> {
  // The program is tuned for short runs, but a server runs for a long time.
  Bun.unsafe.setJITPolicy(1)
  const ending = new AbortController()
  const log = (line: ServerLogLine) => {
    const text = isTerminal(STDERR)
      ? formatLogLine(line)
      : JSON.stringify({ at: new Date().toISOString(), ...line })
    stores.log(`${redact(text)}\n`)
  }
  const report = (error: unknown) => reportBug(log, error)
  // Terminals open on the server's machine, so only callers on that machine may ask for one: the server must not be
  // reachable from other machines, not even under another host name.
  const isOwn = isLoopback(wish.host) && wish.allowHosts.length === 0
  const { terminal } = stores
  const around = isOwn && terminal !== undefined ? { terminal } : {}
  const opened = await Promise.all(
    [stores, ...(await openMore(stores))].map(
      async ({ address, mailroom }): Promise<ServerStore> => {
        const { close, ...house } = mailroom
        const outage = outageOf(mailroom.store, log)
        const served = await serveStore({ ...house, ...around }, outage, report)
        return { address, served, outage, close, socket: null, leaveSocket() {} }
      },
    ),
  )
  const served = opened.map((one) => one.served)
  mustDiffer(served)
  const program = shortestCommand(ownProgram()).map(shellWord).join(' ')
  const mcp = mcpDoor({ version: VERSION, report })
  const server = makeHttpServer({
    stores: served,
    auth: wish.auth,
    // Callers on other machines have their own program and shouldn't learn this one's path.
    program: wish.auth === 'local' ? program : 'inbox',
    isDev: wish.isDev,
    logsRequests: wish.logs === 'requests',
    log,
    logStream: makeLimitedLog(log, 1),
    logStranger: makeLimitedLog(log, 10),
    mcp: mcp.handle,
  })
  const listeners: ServerListener[] = []
  let unwatch = () => {}
  try {
    for (const one of opened) {
      const path = await socketFor(wish, served, one.served)
      one.socket = path
      if (path === null) continue
      const listener = makeSocketListener(server, path, one.served)
      listeners.push(listener)
      const unwatchSocket = watchSocket(path, () => rebindSocket(server, listener, path))
      one.leaveSocket = () => {
        unwatchSocket()
        listener.stopAccepting()
      }
    }
    const lost = Promise.all(
      opened.map(async ({ served: { house, place: store, tail }, leaveSocket, close }) => {
        const { message: why } = await house.store.gone
        log({ level: 'error', what: 'store', store, is: 'gone', why })
        leaveSocket()
        await tail.close()
        await close()
      }),
    )
    const { tcp, ...usual } = await bindPort(server, wish)
    listeners.push(makePortListener(server, wish.host, tcp))
    unwatch = watchDescriptors(listeners, log)
    server.url = tcp.url.origin
    server.names = namesFor({ host: wish.host, port: tcp.port ?? 0 }, wish.allowHosts)
    const keeping = opened.map(({ address, served: { house }, outage }) => {
      const tell = ({ isProblem, ...line }: { isProblem: boolean; what: string; why?: string }) => {
        if (isProblem || server.logsRequests || isTerminal(STDERR))
          log({ level: isProblem ? 'warn' : 'info', ...line })
      }
      const around = { ...wish.wakes, ...(wish.auth === 'tokens' ? { url: nearUrl(tcp) } : {}) }
      const starting = { launcher: stores.launcher ?? makeLauncher(address), around }
      const over = new AbortController()
      void house.store.gone.then(() => over.abort())
      const signal = AbortSignal.any([ending.signal, over.signal])
      const isAway = () => over.signal.aborted || outage.isAway()
      return keepHouse({ house, signal, tell, isAway }, wish.wakes === null ? undefined : starting)
    })
    const known = opened.map(async ({ served: { id, place: store, house }, socket }) => {
      return { id, store, socket, sign_in: await signInLink(server, house) }
    })
    life.onServing({ url: server.url, program, ...usual, stores: await Promise.all(known) })
    if (isTerminal(STDERR)) await Promise.all(served.map((one) => reportEvents(one, stores.log)))
    const unguard = guardProcess(server)
    await Promise.race([aborted(life.signal), lost])
    unwatch()
    for (const { leaveSocket } of opened) leaveSocket()
    await stopListening(server, listeners)
    await mcp.close()
    ending.abort()
    await Promise.all(keeping)
    unguard()
    const whyGone = served.map(({ gone }) => gone()).find((why) => why !== undefined)
    if (whyGone !== undefined) throw whyGone
    return { requests: server.metrics.requests() }
  } finally {
    ending.abort()
    unwatch()
    for (const { leaveSocket } of opened) leaveSocket()
    for (const listener of listeners) await listener.close()
    await Promise.all(served.map(({ tail }) => tail.close()))
    await Promise.all(served.map(({ house }) => house.bell.close()))
    for (const { close } of opened.slice(1)) await close()
  }
}

/** The URL for programs on this machine. A wildcard address is replaced, because it can't be called. */
function nearUrl({ url, port }: BunServer<undefined>): string {
  const { hostname } = url
  if (hostname === '0.0.0.0') return `http://127.0.0.1:${port}`
  return hostname === '[::]' ? `http://[::1]:${port}` : url.origin
}

async function openMore({ more, onCreate }: Stores): Promise<OpenStore[]> {
  return Promise.all(
    more.map(async (address) => ({ address, mailroom: await openMailroom(address, { onCreate }) })),
  )
}

function outageOf({ place: store, gone }: Store, log: HttpServer['log']): Outage {
  const what = 'store'
  let isGone = false
  void gone.then(() => {
    isGone = true
  })
  return makeOutage({
    // A store that's permanently gone is reported elsewhere.
    away: (why) => isGone || log({ level: 'error', what, store, is: 'away', why }),
    back: (seconds) => log({ level: 'warn', what, store, is: 'back', seconds }),
  })
}

/**
 * A copy of a store accepts the same tokens and cookies as its original, so a server with both couldn't tell which
 * one a caller wants.
 */
function mustDiffer(stores: readonly ServedStore[]): void {
  const [same] = [...Map.groupBy(stores, ({ id }) => id).values()].filter((all) => all.length > 1)
  if (same === undefined) return
  const places = same.map(({ place }) => quote(place)).join(' and ')
  throw refuse.invalid_input`${places} are the same store, or copies of one; serve each by itself`
}

async function socketFor(
  { socket }: ServerWish,
  stores: readonly ServedStore[],
  { place }: ServedStore,
): Promise<string | null> {
  if (socket === 'none') return null
  if (socket !== undefined && stores.length > 1)
    throw refuse.invalid_input`several stores need a socket each; leave out --socket, or use --socket none`
  return prepareSocket(socket ?? (await socketPath(place)))
}

/** An unhandled rejection is a bug, but not a reason to stop serving other callers. */
function guardProcess({ log }: HttpServer): () => void {
  const onRejection = (error: unknown) => reportBug(log, error)
  process.on('unhandledRejection', onRejection)
  return () => void process.off('unhandledRejection', onRejection)
}

async function signInLink(server: HttpServer, house: House): Promise<string | null> {
  const { signal } = new AbortController()
  const principal = { kind: 'person', name: 'user', proof: 'self' } as const
  const raw = {}
  try {
    const op = await operationNamed('sign-in')
    const { result } = await call(house, { op, principal, raw, door: 'http', signal })
    const { code } = result as { code: string }
    return `${server.url}/sign-in?code=${code}`
  } catch (error) {
    // A store that can't be written to can still be served.
    if (!(error instanceof Refusal)) throw error
    server.log({ level: 'warn', what: 'sign-in link', why: error.message })
    return null
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve())
  })
}
