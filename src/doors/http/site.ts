// What all requests to one server have in common.

import type { Principal, ToolSet } from '../../core/principal.ts'
import type { Auth } from '../../core/server/server.ts'
import type { House } from '../../ops/call.ts'
import type { Tail } from '../../ops/server/tail.ts'
import type { Names } from './guards.ts'
import type { Metrics } from './metrics.ts'
import type { UnderWay } from './under-way.ts'

/** One store, as it is served. */
export type Served = {
  /** What tells its log from every other. */
  id: string
  /** For people. */
  place: string
  house: House
  tail: Tail
  /** Its browser sessions are in a cookie of this name: cookies do not tell ports apart. */
  cookie: string
  waiters: () => number
}

export type Site = {
  stores: readonly Served[]
  auth: Auth
  names: Names
  url: string
  /** How people start this program in a shell of this machine. */
  program: string
  version: string
  isDev: boolean
  logsRequests: boolean
  log: (line: LogLine) => void
  /** The same for refused streams, of which there may be thousands: one line a second. */
  logStream: (line: LogLine) => void
  /** For those who are not let in: ten lines a second. */
  logStranger: (line: LogLine) => void
  metrics: Metrics
  underWay: UnderWay
  mcp: McpMount
}

export type LogLine = { level: 'info' | 'warn' | 'error'; what: string } & Record<string, unknown>

/** How a request came, and what may be asked of its connection. */
export type Connection = {
  way: 'tcp' | 'socket'
  /** The store whose socket it came by. */
  served: Served | undefined
  /** From now on it may be silent for so long; 0 is for ever. Without a word of ours it is closed soon. */
  allowSeconds: (seconds: number) => void
}

/** The MCP door, which is none of ours: it gets what it asks of a request. */
export type McpMount = (
  request: Request,
  caller: {
    house: House
    principal: Principal
    sets: readonly ToolSet[] | undefined
    signal: AbortSignal
  },
  /** What was posted. */
  body?: string,
) => Promise<Response>
