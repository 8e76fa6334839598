// What all requests of one server share.

import type { Refusal } from '../../core/error.ts'
import type { Auth } from '../../core/server/server.ts'
import type { DoorHouse } from '../../ops/call.ts'
import type { Tail } from '../../ops/server/tail.ts'
import type { McpVisitor } from '../../ops/server/visitor.ts'
import type { ServerNames } from './guards.ts'
import type { Metrics } from './metrics.ts'
import type { OpenCalls } from './open-calls.ts'
import type { Route } from './route.ts'
import type { WebApp } from './web-app.ts'

export type ServedStore = {
  /** Distinguishes this store's log from every other. */
  id: string
  place: string
  house: DoorHouse
  tail: Tail
  /** The name of the session cookie: unique per store, because cookies ignore ports. */
  cookie: string
  waiters: () => number
  isReady: () => Promise<boolean>
  /** Why the store can no longer be served. Every call is refused with this reason. */
  gone: () => Refusal | undefined
}

export type HttpServer = {
  stores: readonly ServedStore[]
  /** The only routes to serve. If absent, the usual ones are served. */
  routes?: readonly Route[]
  auth: Auth
  names: ServerNames
  url: string
  /** The command that starts this program in a shell on this machine. */
  program: string
  version: string
  isDev: boolean
  logsRequests: boolean
  log: (line: ServerLogLine) => void
  /** Logs refused streams, at most one line a second, because there can be thousands. */
  logStream: (line: ServerLogLine) => void
  /** Logs rejected callers, at most ten lines a second. */
  logStranger: (line: ServerLogLine) => void
  metrics: Metrics
  openCalls: OpenCalls
  mcp: McpMount
  web: WebApp
}

export type ServerLogLine = { level: 'info' | 'warn' | 'error'; what: string } & Record<
  string,
  unknown
>

export type HttpConnection = {
  way: 'tcp' | 'socket'
  /** The store whose socket the request came through. */
  served: ServedStore | undefined
  /** Allows the connection this much silence from now on; 0 means unlimited. By default, silence soon closes it. */
  allowSeconds: (seconds: number) => void
}

/** The MCP door as this door calls it. `body` is the body of a POST. */
export type McpMount = (request: Request, visitor: McpVisitor, body?: string) => Promise<Response>

export function liveStores(stores: readonly ServedStore[]): ServedStore[] {
  return stores.filter(({ gone }) => gone() === undefined)
}
