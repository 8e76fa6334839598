// The tool server of one instance offers its tools over HTTP to its own agents only, on a socket in the instance's
// folder and on a port. The runner opens and closes it.
// (1) The socket is in the instance's folder. If another user could replace it there, its path is too long for the
//     system, or another process listens on it, the socket is in the runtime folder instead, and a note says so.
// (2) A socket left by a dead runner is removed. We detect that by connecting, not by who wrote the file.
// (3) The port is the first free one in a range. If none is free, there's no port, and a note says so.

import fs from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { quote, Refusal, refuse } from '../core/error.ts'
import type { House } from '../core/house.ts'
import { namesFor } from '../doors/http/guards.ts'
import type { HttpServer } from '../doors/http/http-server.ts'
import { instanceRoutes } from '../doors/http/routes.ts'
import { mcpDoor } from '../doors/mcp/http.ts'
import { digest } from '../ops/kit/digest.ts'
import type { ServedTools, ServeWish } from '../workflows/host.ts'
import {
  bindFirst,
  makeHttpServer,
  makePortListener,
  makeSocketListener,
  rebindSocket,
  reportBug,
  type ServerListener,
  serveStore,
  stopListening,
} from './server-listen.ts'
import { healthAt, isLive, LONGEST_PATH, markOf, watchSocket } from './server-socket.ts'
import { VERSION } from './version.gen.ts'

type InstanceServerWish = { house: House } & Pick<ServeWish, 'instance' | 'dir' | 'runtimeFolder'> &
  Partial<Pick<ServeWish, 'auth' | 'tell'>>

const HOST = '127.0.0.1'
const PORTS = { from: 3100, to: 3200 }

export async function openInstanceServer(wish: InstanceServerWish): Promise<ServedTools> {
  const { instance, auth = 'local' } = wish
  const log = logAsText(wish.tell ?? (() => {}))
  const report = (error: unknown) => reportBug(log, error)
  // Keep the runner's bell open: the runner still uses it.
  const bell = { ...wish.house.bell, close: async () => {} }
  const served = await serveStore({ ...wish.house, bell }, undefined, report)
  const mcp = mcpDoor({ version: VERSION, report })
  const server = makeHttpServer({
    stores: [served],
    routes: instanceRoutes(instance, await markOf(wish.house.store.place)),
    auth,
    program: 'inbox',
    isDev: false,
    logsRequests: false,
    log,
    logStream: log,
    logStranger: log,
    mcp: mcp.handle,
  })
  const listeners: ServerListener[] = []
  const close = async () => {
    await stopListening(server, listeners)
    await mcp.close()
    await served.house.bell.close()
  }
  try {
    const place = await socketPlace(wish)
    let unwatch = () => {}
    if (place.path !== '') {
      const listener = makeSocketListener(server, place.path, served)
      listeners.push(listener)
      unwatch = watchSocket(place.path, () =>
        rebindSocket(server, listener, place.path, mustBeFree),
      )
    }
    const tcp = bindFirst(server, HOST, PORTS)
    if (tcp !== null) {
      listeners.push(makePortListener(server, HOST, tcp))
      server.url = tcp.url.origin
      server.names = namesFor({ host: HOST, port: tcp.port ?? 0 }, [])
    }
    if (listeners.length === 0) throw nowhere(place.note)
    const full = `no port from ${PORTS.from} to ${PORTS.to} is free, so agents use the socket alone`
    const notes = [place.note, ...(tcp === null ? [full] : [])].filter((one) => one !== '')
    return {
      socket: place.path,
      url: tcp === null ? '' : `${server.url}/mcp`,
      ...(notes.length > 0 && { note: notes.join('; ') }),
      async close() {
        unwatch()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

function logAsText(tell: (words: string) => void): HttpServer['log'] {
  let told = ''
  return ({ level, what, why, stack, route, status }) => {
    // Skip refusals: the refused agent already gets the reason.
    if (level === 'info' || (what === 'request' && level !== 'error')) return
    const words = `the server of the tools (${what}): ${why ?? stack ?? `${route} ${status}`}`
    if (words !== told) tell(words)
    told = words
  }
}

/** Tries both places from (1). Without a socket, agents can still use the port. */
async function socketPlace({
  house,
  instance,
  dir,
  runtimeFolder,
}: InstanceServerWish): Promise<SocketPlace> {
  const wanted = join(dir, INSTANCE_SOCKET)
  const first = await preparePlace(wanted, 'kept')
  if (first.why === undefined) return { path: first.path, note: '' }
  const name = (await digest(`${house.store.place}\n${instance}`)).slice(0, 16)
  const other = join(runtimeFolder, `context-${name}.sock`)
  fs.mkdirSync(dirname(other), { recursive: true, mode: 0o700 })
  const second = await preparePlace(other, 'private')
  if (second.why === undefined) {
    return { path: second.path, note: `${first.why}, so the socket is ${second.path}` }
  }
  return { path: '', note: `${first.why}, and ${second.why}, so there is no socket` }
}

/** A socket that was removed is bound again at the same path or not at all. */
async function mustBeFree(path: string): Promise<void> {
  const { why } = await preparePlace(path, 'kept')
  if (why !== undefined) throw new Error(why)
}

function nowhere(note: string) {
  const what = `nothing can serve the tools of this run: ${note}, and no port from ${PORTS.from} to ${PORTS.to} is free`
  return refuse.invalid_state`${what}; end what holds the ports, or run from a folder with a shorter path`
}

const INSTANCE_SOCKET = 'context.sock'

/** An empty path means there is no socket; an empty note means there is nothing to report. */
type SocketPlace = { path: string; note: string }

type PlaceLook = { path: string; why?: string }

/**
 * Permissions that other users must not have. They can look into a kept folder but not write to it, because the socket
 * itself only admits its owner. They can't enter a private folder.
 */
const OTHERS_MAY_NOT = { kept: 0o022, private: 0o077 }

/**
 * Refuses a folder in which another store's instance is running. This store knows only its own instances; another
 * store's instance is recognized by its socket, if it responds.
 */
export async function mustBeOfStore(dir: string, place: string): Promise<void> {
  const health = await healthAt(join(dir, INSTANCE_SOCKET))
  if (typeof health?.store !== 'string' || health.store === (await markOf(place))) return
  throw new Refusal(
    'lease_conflict',
    `a run of another store, ${quote(health.instance)}, works in the folder ${quote(dir)}, and a folder has one run at a time; stop that one, or name another instance`,
    { dir },
  )
}

/** Checks whether the socket can be at this path. Removes a socket there that no process listens on anymore. */
async function preparePlace(wanted: string, how: keyof typeof OTHERS_MAY_NOT): Promise<PlaceLook> {
  const path = resolve(wanted)
  const no = (why: string): PlaceLook => ({ path: '', why })
  if (Buffer.byteLength(path) > LONGEST_PATH) {
    return no(
      `the path ${quote(path)} is longer than the ${LONGEST_PATH} bytes that a socket may have`,
    )
  }
  try {
    const folder = fs.statSync(dirname(path))
    const isOurs = folder.uid === (process.getuid?.() ?? folder.uid)
    if (!folder.isDirectory() || !isOurs || (folder.mode & OTHERS_MAY_NOT[how]) !== 0) {
      return no(
        `other users may change ${quote(dirname(path))} (make it yours alone with chmod go-w)`,
      )
    }
    fs.accessSync(dirname(path), fs.constants.W_OK)
    const found = fs.lstatSync(path, { throwIfNoEntry: false })
    if (found === undefined) return { path }
    if (!found.isSocket()) return no(`${quote(path)} exists and is not a socket`)
    if (await isLive(path)) return no(`another runner listens at ${quote(path)}`)
    fs.rmSync(path, { force: true })
    return { path }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return no(`${quote(dirname(path))} cannot be used: ${code ?? message}`)
  }
}
