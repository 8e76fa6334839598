// A route is data: how it is asked for, who may, and what answers. The table is in routes.ts.

import type { Principal } from '../../core/principal.ts'
import type { JsonSchema } from '../../ops/kit/schema.ts'
import { decline } from './answer.ts'
import type { Connection, Served, Site } from './site.ts'

export type Asked = {
  site: Site
  request: Request
  url: URL
  connection: Connection
  /** The parts of the path that have a name, decoded. */
  params: Record<string, string>
}

/** With who asks. */
export type AskedByKnown = Asked & { served: Served; principal: Principal }

type Described = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `/api/ops/:name`: a part with a colon is anything, but not nothing. */
  path: string
  about: string
  /** What may stand behind the question mark. */
  query?: Record<string, JsonSchema>
  /** What is sent with it, as JSON. */
  body?: JsonSchema
  /** It changes something, once for each Idempotency-Key. */
  takesKey?: true
  /** The media type of an answer that is no JSON. */
  gives?: string
  /** What it may answer beside refusals, by status. Left out: 200, done. */
  answers?: Record<number, string>
  /** What fields of its operation are called here, where they are called otherwise. */
  names?: Record<string, string>
}

export type Route = Described &
  (
    | { who: 'anyone'; run: (asked: Asked) => Promise<Response> }
    | { who: 'known'; run: (asked: AskedByKnown) => Promise<Response> }
  )

export type Found = { route: Route; params: Record<string, string> }

/** The route of a request; refuses what is nowhere, and what is there but not so. */
export function findRoute(routes: readonly Route[], method: string, pathname: string): Found {
  const parts = pathname.split('/').map(decodePart)
  const there: Found[] = []
  for (const route of routes) {
    const params = matching(route.path, parts)
    if (params !== null) there.push({ route, params })
  }
  // What only a known caller gets may be a stream, of which a head alone would never end.
  const found = there.find(({ route }) => {
    return route.method === method || (method === 'HEAD' && route.who === 'anyone')
  })
  if (found !== undefined) return found
  if (there.length === 0) throw decline(404, 'there is nothing here of that name')
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
  if (wanted.length !== parts.length) return null
  // Asked of every route for every request: nothing is made before it fits.
  const fits = wanted.every((want, at) => (want.startsWith(':') ? parts[at] : want === parts[at]))
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
