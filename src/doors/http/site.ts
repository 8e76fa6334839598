// The parts of one server that all its requests share.

import type { Refusal } from '../../core/error.ts'
import type { Principal, ToolSet } from '../../core/principal.ts'
import type { Auth } from '../../core/server/server.ts'
import type { House } from '../../ops/call.ts'
import type { Tail } from '../../ops/server/tail.ts'
import type { SiteNames } from './guards.ts'
import type { OwedWork } from './hand-over.ts'
import type { Metrics } from './metrics.ts'
import type { Route } from './route.ts'
import type { UnderWay } from './under-way.ts'
import type { WebApp } from './web-app.ts'

/** One store that the server serves. */
export type ServedStore = {
  /** Tells this store's log from every other. */
  id: string
  /** The store's address, for people. */
  place: string
  house: House
  tail: Tail
  /** The name of the cookie with its browser sessions, because cookies do not tell ports apart. */
  cookie: string
  waiters: () => number
  /** Whether the store takes writes. */
  isReady: () => Promise<boolean>
  /** Says why, once the store can no longer be served: every call is refused with it. */
  gone: () => Refusal | undefined
}

export type Site = {
  stores: readonly ServedStore[]
  /** The only addresses that there are; absent means the server's usual ones. */
  routes?: readonly Route[]
  auth: Auth
  names: SiteNames
  url: string
  /** How people start this program in a shell of this machine. */
  program: string
  version: string
  isDev: boolean
  logsRequests: boolean
  log: (line: ServerLogLine) => void
  /** Logs refused streams, of which there may be thousands: one line a second. */
  logStream: (line: ServerLogLine) => void
  /** Logs callers that are not let in: ten lines a second. */
  logStranger: (line: ServerLogLine) => void
  metrics: Metrics
  underWay: UnderWay
  mcp: McpMount
  web: WebApp
}

export type ServerLogLine = { level: 'info' | 'warn' | 'error'; what: string } & Record<
  string,
  unknown
>

/** How a request came in, and what its connection can do. */
export type HttpConnection = {
  way: 'tcp' | 'socket'
  /** The store whose socket it came by. */
  served: ServedStore | undefined
  /** Lets the connection be silent for this long from now on; 0 is forever. Otherwise it is closed soon. */
  allowSeconds: (seconds: number) => void
}

/** The MCP door, as this door calls it: doors never import each other. */
export type McpMount = (
  request: Request,
  caller: {
    house: House
    principal: Principal
    sets: readonly ToolSet[] | undefined
    /** Tools to list though they usually are not. */
    tools: readonly string[]
    /** The caller came by the address of a workspace. */
    isAtWorkspace: boolean
    /** Why nothing is done for the caller here, for its model to read. */
    misplaced?: string
    /** The workflow's instance whose tools are asked for. */
    instance?: string
    signal: AbortSignal
    /** Takes the work that is left for when it is known whether a whole answer is out. */
    owe: (owed: OwedWork) => void
  },
  /** The body of a POST. */
  body?: string,
) => Promise<Response>

/** The stores that can still be asked. */
export function liveStores(stores: readonly ServedStore[]): ServedStore[] {
  return stores.filter(({ gone }) => gone() === undefined)
}
