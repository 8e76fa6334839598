// A route is data: its address, its callers and its handler. The table is in routes.ts.

import type { Principal } from '../../core/principal.ts'
import type { Context } from '../../ops/kit/operation.ts'
import type { JsonSchema } from '../../ops/kit/schema.ts'
import type { OwedWork } from '../../ops/server/visitor.ts'
import { decline } from './answer.ts'
import type { HttpConnection, HttpServer, ServedStore } from './http-server.ts'

export type HttpCall = {
  server: HttpServer
  request: Request
  url: URL
  connection: HttpConnection
  /** The named parts of the path, decoded. */
  params: Record<string, string>
}

export type IdentifiedCall = HttpCall & {
  served: ServedStore
  principal: Principal
  /** Why every call at this address is refused. Only set at a workspace's address. */
  misplaced?: string
  /** The workflow instance whose agent is calling. Only set at an instance's address. */
  instance?: string
  /** Collects work to do once it's known whether the response was delivered. */
  owed: OwedWork[]
}

type RouteDescription = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** For example, `/api/ops/:name`. `:name` matches any non-empty segment; a final * matches the remaining ones. */
  path: string
  about: string
  query?: Record<string, JsonSchema>
  body?: JsonSchema
  /** The call makes a change, at most once per Idempotency-Key. */
  takesKey?: true
  gives?: string
  /** The responses other than refusals, by status. Defaults to 200. */
  answers?: Record<number, string>
  /** This route's names for the operation's fields, where they differ. */
  names?: Record<string, string>
}

export type Route = RouteDescription &
  (
    | { who: 'anyone'; run: (asked: HttpCall) => Promise<Response> }
    | { who: 'known'; run: (asked: IdentifiedCall) => Promise<Response> }
    /** Only for agents of one workflow instance, which the path names if `instance` isn't given. */
    | { who: 'member'; instance?: string; run: (asked: IdentifiedCall) => Promise<Response> }
  )

export type RouteMatch = { route: Route; params: Record<string, string> }

export function findRoute(routes: readonly Route[], method: string, pathname: string): RouteMatch {
  const parts = pathname.split('/').map(decodePart)
  const there: RouteMatch[] = []
  for (const route of routes) {
    const params = matching(route.path, parts)
    if (params !== null) there.push({ route, params })
  }
  // Routes for known callers don't support HEAD: the response could be a stream, and a HEAD for it would never end.
  const found = there.find(({ route }) => {
    return route.method === method || (method === 'HEAD' && route.who === 'anyone')
  })
  if (found !== undefined) return found
  if (there.length === 0) throw decline(404, 'there is nothing at this address')
  const allow = [...new Set(there.map(({ route }) => route.method))].join(', ')
  throw decline(405, `this takes ${allow}`, { allow })
}

const split = new Map<string, string[]>()

function partsOf(path: string): string[] {
  const known = split.get(path) ?? path.split('/')
  split.set(path, known)
  return known
}

function matching(path: string, parts: string[]): Record<string, string> | null {
  const wanted = partsOf(path)
  const hasRest = wanted.at(-1) === '*'
  if (hasRest ? parts.length < wanted.length : wanted.length !== parts.length) return null
  // This runs for every route on every request, so allocate nothing before the path matches.
  const fits = wanted.every((want, at) => {
    if (want === '*') return true
    return want.startsWith(':') ? parts[at] : want === parts[at]
  })
  if (!fits) return null
  const params: Record<string, string> = {}
  for (const [at, want] of wanted.entries()) {
    if (want.startsWith(':')) params[want.slice(1)] = parts[at] as string
  }
  return params
}

function decodePart(part: string): string {
  let text: string
  try {
    text = decodeURIComponent(part)
  } catch {
    throw decline(400, 'the address is not valid UTF-8')
  }
  if (text.includes('\0')) throw decline(400, 'the address contains a NUL character')
  return text
}

/** The origin of a call, from headers the caller's program was configured to send. The operation checks them. */
export function originIn(headers: Headers): NonNullable<Context['origin']> {
  const backend = headers.get('x-inbox-backend')
  const session = headers.get('x-inbox-session')
  return { ...(backend && { backend }), ...(session && { session }) }
}
