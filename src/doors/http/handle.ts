// Handles one request from start to finish: guards, route, identity, then the route's handler. All their errors are
// handled here, and become a refusal or a masked bug.

import { isAgentId } from '../../core/agents/address.ts'
import { quote, refusalIn } from '../../core/error.ts'
import { maskSecrets } from '../../core/secret.ts'
import { type Instance, memberOf } from '../../core/workflows/instance.ts'
import { unknownInstance } from '../../core/workflows/say.ts'
import type { OwedWork } from '../../ops/server/visitor.ts'
import { addHeaders, decline, HttpRefusal, refusalAnswer } from './answer.ts'
import { mustBeAlone } from './body.ts'
import { guard } from './guards.ts'
import {
  type HttpConnection,
  type HttpServer,
  liveStores,
  type ServedStore,
  type ServerLogLine,
} from './http-server.ts'
import {
  type HttpVisit,
  type IdentifiedCaller,
  identifyByToken,
  mustBeKnown,
  UNKNOWN,
} from './identity.ts'
import { makeHttpWords } from './ops-route.ts'
import { HTML, html, page } from './page.ts'
import { findRoute, type HttpCall, type Route } from './route.ts'
import { ROUTES } from './routes.ts'
import { handOver } from './send-answer.ts'
import { maskBug } from './server-log.ts'

/** How long a response has to reach a caller that is still sending. */
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
    // Wait, so that the response is sent before the connections are closed.
    setImmediate(end)
  }
}

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
    // Don't close the connection immediately, because a caller that is still sending would lose the response.
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
  // Requests with a body are checked once the body has been read.
  const { method, body } = asked.request
  if (method !== 'GET' && body === null) await mustBeAlone(asked.request)
  try {
    const response = await route.run({ ...asked, ...known, owed })
    const holder = { store: served.house.store, principal }
    return handOver(response, { request: asked.request, holder, owed })
  } catch (error) {
    // The response won't be delivered.
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

/** Refuses invalid UTF-8, which would be decoded as replacement characters. */
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

/** Sends a page to a browser that opened the address, and JSON to all other callers. */
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
  // Rejected callers can try as often as they like, but must not fill up our log.
  else if (status === 401 && !server.logsRequests) server.logStranger(line)
  else server.log(line)
}

// An agent of a workflow's instance is identified by the token of its turn or, on a server that trusts names, by the
// header X-Agent-Id. No other caller is admitted.
type IdentifiedMember = IdentifiedCaller & { instance: string }

async function mustBeMember(
  server: HttpServer,
  visit: HttpVisit,
  name: string,
): Promise<IdentifiedMember> {
  const { request, url, connection } = visit
  const { headers } = request
  const said = [headers.get('x-agent-id'), headers.get('x-inbox-agent')]
  const names = [...said, url.searchParams.get('agent')].filter((one) => one !== null)
  const authorization = headers.get('authorization')
  if (authorization !== null) {
    const known = await identifyByToken(server, authorization, connection)
    const instance = await instanceOf(known.served, name)
    if (instance === null) throw unknownInstance(name)
    return mustMatchToken(known, instance, names)
  }
  const { served: own } = connection
  if (own === undefined && server.auth !== 'local') {
    throw decline(401, 'this server needs the token of your turn', UNKNOWN)
  }
  if (names.length === 0) {
    throw decline(
      401,
      `say which agent of ${name} you are: with the token of your turn, or the header X-Agent-Id: NAME@${name}`,
      UNKNOWN,
    )
  }
  const found = await findInstance(own === undefined ? server.stores : [own], name, url)
  const [agent, ...others] = names.map((one) => agentIn(one, found.instance))
  if (agent === undefined || others.some((one) => one !== agent)) {
    throw decline(403, 'X-Agent-Id, X-Inbox-Agent and ?agent= name different agents; send one')
  }
  const proof = own === undefined ? 'claim' : 'socket'
  const principal = { kind: 'agent', name: agent, proof } as const
  return { served: found.served, principal, instance: name }
}

function mustMatchToken(
  known: IdentifiedCaller,
  instance: Instance,
  said: readonly string[],
): IdentifiedMember {
  const { kind, name } = known.principal
  if (kind !== 'agent' || memberOf(instance, name) === undefined) {
    throw decline(
      403,
      `your token belongs to ${name}, which is not an agent of ${instance.instance}`,
    )
  }
  if (said.some((one) => agentIn(one, instance) !== name)) {
    throw decline(403, `your token says that you are ${name}; leave out X-Agent-Id and ?agent=`)
  }
  return { ...known, instance: instance.instance }
}

/** `coder@pr-123` and `coder` are the same agent of pr-123; `coder@other` belongs to another instance. */
function agentIn(text: string, instance: Instance): string {
  const { members, instance: name } = instance
  if (!isAgentId(text)) throw decline(400, `X-Agent-Id is not the name of an agent: ${quote(text)}`)
  const found =
    members.find((one) => one.agent_id === text) ?? members.find((one) => one.name === text)
  if (found !== undefined) return found.agent_id
  const [, other] = text.split('@')
  throw decline(
    403,
    other !== undefined && other !== name
      ? `${text} is an agent of ${other}, and this is the address of ${name}`
      : `${text} takes no part in ${name}; its agents are ${members.map((one) => one.agent_id).join(', ')}`,
  )
}

async function findInstance(
  stores: readonly ServedStore[],
  name: string,
  url: URL,
): Promise<{ served: ServedStore; instance: Instance }> {
  const wanted = url.searchParams.get('store')
  const asked = liveStores(stores).filter(({ id }) => wanted === null || wanted === id)
  const looked = await Promise.all(
    asked.map(async (served) => {
      const instance = await instanceOf(served, name)
      return instance === null ? [] : [{ served, instance }]
    }),
  )
  const [found, another] = looked.flat()
  if (found === undefined) throw unknownInstance(name)
  if (another === undefined) return found
  throw decline(
    401,
    `several stores of this server have an instance ${name}; use the token of your turn, or name the store with ?store=ID`,
    UNKNOWN,
  )
}

async function instanceOf({ house }: ServedStore, name: string): Promise<Instance | null> {
  return house.store.instance(name)
}
