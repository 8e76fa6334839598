// Handles one request from its first byte to its answer: guards, route, identity, then the route's handler. Errors
// from all of these end up here, once, as a refusal or a masked bug.

import { quote, refusalIn } from '../../core/error.ts'
import { maskSecrets } from '../../core/secret.ts'
import type { OwedWork } from '../../ops/server/visitor.ts'
import { addHeaders, decline, HttpRefusal, refusalAnswer } from './answer.ts'
import { mustBeAlone } from './body.ts'
import { guard } from './guards.ts'
import type { HttpConnection, HttpServer, ServerLogLine } from './http-server.ts'
import { mustBeKnown } from './identity.ts'
import { mustBeMember } from './instance-identity.ts'
import { makeHttpWords } from './ops-route.ts'
import { HTML, html, page } from './page.ts'
import { findRoute, type HttpCall, type Route } from './route.ts'
import { ROUTES } from './routes.ts'
import { handOver } from './send-answer.ts'
import { maskBug } from './server-log.ts'

/** How long an answer may take to reach a caller that is still sending. */
const CLOSING_SECONDS = 2

export async function handle(
  server: HttpServer,
  request: Request,
  connection: HttpConnection,
): Promise<Response> {
  const startedAt = performance.now()
  const end = server.openCalls.begin()
  const seen: RequestNote = { route: 'none', who: undefined }
  try {
    const response = await answer(server, request, connection, seen)
    note(server, request, seen, response.status, startedAt)
    return addHeaders(response)
  } finally {
    // Earlier answers get out before the connections are closed.
    setImmediate(end)
  }
}

/** What the log says about a request. */
type RequestNote = {
  route: string
  names?: Route['names']
  who: string | undefined
  error?: ServerLogLine
}

async function answer(
  server: HttpServer,
  request: Request,
  connection: HttpConnection,
  seen: RequestNote,
): Promise<Response> {
  try {
    const { method, headers } = request
    const url = urlOf(request)
    const refused = guard({ method, headers, pathname: url.pathname }, connection.way, server.names)
    if (refused !== null) throw refused
    if (server.openCalls.isStopping()) {
      throw decline(503, 'the server is stopping; try again').last()
    }
    const { route, params } = findRoute(server.routes ?? ROUTES, method, url.pathname)
    seen.route = route.path
    seen.names = route.names
    return await run(route, { server, request, url, connection, params }, seen)
  } catch (error) {
    // Don't close the connection immediately: with bytes still arriving, the caller would lose the answer.
    if (error instanceof HttpRefusal && error.isLast) connection.allowSeconds(CLOSING_SECONDS)
    return failure(server, request, seen, error)
  }
}

async function run(route: Route, asked: HttpCall, seen: RequestNote): Promise<Response> {
  if (route.who === 'anyone') return route.run(asked)
  const { server, params } = asked
  const known =
    route.who === 'member'
      ? await mustBeMember(server, asked, route.instance ?? params.instance ?? '')
      : await mustBeKnown(server, asked, params.workspace)
  seen.who = `${known.principal.kind} ${known.principal.name}`
  const { served, principal } = known
  const gone = served.gone()
  if (gone !== undefined) throw gone
  const owed: OwedWork[] = []
  // Requests with a body are checked after the body.
  const { method, body } = asked.request
  if (method !== 'GET' && body === null) await mustBeAlone(asked.request)
  try {
    const response = await route.run({ ...asked, ...known, owed })
    const holder = { store: served.house.store, principal }
    return handOver(response, { request: asked.request, holder, owed })
  } catch (error) {
    // The answer isn't delivered.
    for (const { over } of owed) over(false)
    throw error
  }
}

/** The URL only has to parse: the guard checks the host. */
function urlOf({ url }: Request): URL {
  const at = url.indexOf('://')
  const path = at < 0 ? url : url.slice(url.indexOf('/', at + 3))
  try {
    const read = new URL(path.startsWith('/') ? `http://inbox${path}` : 'http://inbox/')
    mustBeText(read)
    return read
  } catch (error) {
    throw error instanceof HttpRefusal
      ? error
      : decline(400, 'the address of the request is not valid')
  }
}

/** Refuses invalid UTF-8, which would be decoded to replacement characters. */
function mustBeText({ search, searchParams }: URL): void {
  if (!search.includes('%')) return
  for (const [name, value] of searchParams) {
    if (!`${name}${value}`.includes('\uFFFD') || /%EF%BF%BD/i.test(search)) continue
    throw decline(
      400,
      `the parameter ${quote(name)} of the address is not valid UTF-8; encode it so`,
    )
  }
}

function failure(
  server: HttpServer,
  request: Request,
  seen: RequestNote,
  error: unknown,
): Response {
  if (error instanceof HttpRefusal) {
    return refused(request, error.refusal, error.status, error.headers)
  }
  const refusal = refusalIn(error)
  if (refusal !== undefined) {
    const { code, details } = refusal
    return refused(request, { code, message: refusal.inWords(makeHttpWords(seen.names)), details })
  }
  return refused(request, maskBug(server, { method: request.method, route: seen.route }, error))
}

/** Browsers that opened the address get a page, all other callers JSON. */
function refused(request: Request, ...refusal: Parameters<typeof refusalAnswer>): Response {
  const answer = refusalAnswer(...refusal)
  if (request.headers.get('sec-fetch-dest') !== 'document') return answer
  answer.headers.set('content-type', HTML)
  const [{ message }] = refusal
  const title = answer.status === 404 ? 'Not found' : 'That did not work'
  const parts = [html`<p>${maskSecrets(message)}</p>`, html`<p><a href="/">Go to the inbox</a></p>`]
  return new Response(page({ title, parts }), { status: answer.status, headers: answer.headers })
}

function note(
  server: HttpServer,
  { method }: Request,
  seen: RequestNote,
  status: number,
  startedAt: number,
): void {
  const ms = performance.now() - startedAt
  const { route, who } = seen
  server.metrics.answered(route, method, status, ms / 1000)
  const isProblem = status === 401 || status === 403 || status === 421 || status >= 500
  if (!server.logsRequests && !isProblem) return
  const level = status >= 500 ? 'error' : isProblem ? 'warn' : 'info'
  const ended = { method, route, status, ms: Math.round(ms * 10) / 10 }
  const line: ServerLogLine = {
    level,
    what: 'request',
    ...ended,
    ...(who === undefined ? {} : { who }),
  }
  if (isProblem && route === '/api/events') server.logStream(line)
  // A stranger decides how often it tries, but not how long our log gets.
  else if (status === 401 && !server.logsRequests) server.logStranger(line)
  else server.log(line)
}
