// The server port: what `serve` needs of the machine. Only the shell's door supplies it.

import type { Surroundings } from '../waking/launch.ts'

export const AUTHS = ['local', 'tokens'] as const
export type Auth = (typeof AUTHS)[number]

export type ServerWish = {
  host: string
  /** Absent: the store's usual one, or any other where that is taken; 0: any that is free. */
  port: number | undefined
  /** Where the Unix socket is; absent: a place of its own for each store; none: no socket. */
  socket: string | undefined
  auth: Auth
  /** Names by which the server is reached besides its own, as behind a proxy. */
  allowHosts: readonly string[]
  /** Whether every request is logged, or only what went wrong. */
  logs: 'requests' | 'problems'
  /** What agents that are started from here are given; null: none are. */
  wakes: Surroundings | null
  /** Whether what only developers need is there. */
  isDev: boolean
}

/** Where a server can be reached, once it can. */
export type Serving = {
  url: string
  /** The port it would have taken, where another program has it. */
  taken_port?: number
  /** `id` is what ?store= takes. */
  stores: { id: string; store: string; socket: string | null; sign_in: string | null }[]
}

export interface Server {
  /** Until the signal; then whatever is under way is answered first. */
  run(
    wish: ServerWish,
    life: { signal: AbortSignal; onServing: (serving: Serving) => void },
  ): Promise<{ requests: number }>
}

/** Hosts that only this machine reaches. */
export function isLoopback(host: string): boolean {
  return (
    host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
  )
}
