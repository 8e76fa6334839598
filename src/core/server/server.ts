// The server port: what `serve` needs from the machine. Only the shell's door supplies it.

import type { Surroundings } from '../waking/launch.ts'

export const AUTHS = ['local', 'tokens'] as const
export type Auth = (typeof AUTHS)[number]

export type ServerWish = {
  host: string
  /** If undefined, the store's usual port, or any free one if that is taken. 0 means any free port. */
  port: number | undefined
  /** The path of the Unix socket. If undefined, a separate path for each store. `none` means no socket. */
  socket: string | undefined
  auth: Auth
  /** Additional host names that the server can be reached at, for example behind a proxy. */
  allowHosts: readonly string[]
  /** Whether every request is logged, or only problems. */
  logs: 'requests' | 'problems'
  /** Given to the agents that the server starts; null if it starts no agents. */
  wakes: Surroundings | null
  /** Whether developer-only routes are available. */
  isDev: boolean
}

export type ServerAddress = {
  url: string
  program: string
  /** The usual port, if another program was already using it. */
  taken_port?: number
  /** `id` is the value of ?store=. */
  stores: { id: string; store: string; socket: string | null; sign_in: string | null }[]
}

export interface Server {
  /** Runs until the signal aborts; then finishes the requests in progress. */
  run(wish: ServerWish, life: ServerLife): Promise<{ requests: number }>
  /** Runs the server with a temporary store where agents are at work. The store is deleted afterward. */
  demo(wish: ServerWish, life: ServerLife): Promise<{ requests: number }>
  /** The address of a server already serving the store at this place; null if there is none. */
  find(place: string): Promise<string | null>
}

export type ServerLife = { signal: AbortSignal; onServing: (serving: ServerAddress) => void }

/** Whether only this machine can reach the host. */
export function isLoopback(host: string): boolean {
  return (
    host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
  )
}
