// Identifies the caller from what the transport provides. Tries a token, a browser session, the socket and, on this
// machine and unless tokens are required, a name taken on trust, in that order. A failed proof never falls back to a
// weaker one.

import { isAgentId } from '../../core/agents/address.ts'
import { isReserved } from '../../core/agents/agent.ts'
import { refuse } from '../../core/error.ts'
import { WORKSPACES } from '../../core/identity/workspace-record.ts'
import type { Principal } from '../../core/principal.ts'
import { endOfShown, identify, identifySession } from '../../ops/identity/identify.ts'
import { decline } from './answer.ts'
import {
  type HttpConnection,
  type HttpServer,
  liveStores,
  type ServedStore,
} from './http-server.ts'

export type IdentifiedCaller = {
  served: ServedStore
  principal: Principal
  /** The reason why all calls to this address are refused, worded for the caller's model. */
  misplaced?: string
}

export const UNKNOWN = { 'www-authenticate': 'Bearer realm="inbox"' }

const MISPLACED =
  "this address is for a workspace, and your token is not for it: ask a person for one ('inbox token issue NAME --workspace WORKSPACE'); your mail and work are at /mcp"

/** The page sends this header to prove that it's ours and wasn't served by another server on this host. */
const PAGE_KEY = 'x-inbox-page-key'

export type HttpVisit = { request: Request; url: URL; connection: HttpConnection }

/** Null if the request doesn't identify its caller. */
export async function identifyCaller(
  server: HttpServer,
  visit: HttpVisit,
  workspaceId?: string,
): Promise<IdentifiedCaller | null> {
  const known = await identifyByProof(server, visit, workspaceId)
  const wanted = visit.url.searchParams.get('store')
  if (known === null || wanted === null || wanted === known.served.id) return known
  throw decline(
    403,
    'your token or session is for another store than ?store= names; leave ?store= out',
  )
}

async function identifyByProof(
  server: HttpServer,
  { request, url, connection }: HttpVisit,
  workspaceId: string | undefined,
): Promise<IdentifiedCaller | null> {
  // Only MCP accepts the name in the URL, because its clients can't always send headers. Elsewhere that would be
  // unsafe, because any other site's page can choose a URL.
  const inAddress = url.pathname.startsWith('/mcp') ? url.searchParams.get('agent') : null
  const inHeader = request.headers.get('x-inbox-agent')
  const said = [inHeader, inAddress].filter((name) => name !== null)
  const authorization = request.headers.get('authorization')
  if (authorization !== null) {
    return refuseOtherWorkspace(
      refuseOtherName(await identifyByToken(server, authorization, connection), said),
      workspaceId,
    )
  }
  const session = await identifyBySession(server, request, url)
  if (session !== null) return refuseOtherWorkspace(refuseOtherName(session, said), workspaceId)
  const name = inHeader ?? inAddress
  const agent = name === null ? null : agentName(name)
  const { served: own } = connection
  if (own === undefined && server.auth !== 'local') return null
  if (workspaceId !== undefined) {
    return identifyByWorkspace(own === undefined ? server.stores : [own], workspaceId, agent)
  }
  if (own !== undefined) {
    const principal: Principal =
      agent === null
        ? { kind: 'person', name: 'user', proof: 'socket' }
        : { kind: 'agent', name: agent, proof: 'socket' }
    return { served: own, principal }
  }
  if (agent === null) return null
  const served = onlyStore(server, url)
  return { served, principal: { kind: 'agent', name: agent, proof: 'claim' } }
}

export async function mustBeKnown(
  ...asked: Parameters<typeof identifyCaller>
): Promise<IdentifiedCaller> {
  const known = await identifyCaller(...asked)
  if (known !== null) return known
  const [server, { url }] = asked
  namedStores(server, url)
  throw decline(
    401,
    server.auth === 'local'
      ? 'say who you are: a token (inbox token issue), or as an agent of this machine the header X-Inbox-Agent'
      : 'this server needs a token; get one with inbox token issue',
    UNKNOWN,
  )
}

export async function identifyByToken(
  server: HttpServer,
  authorization: string,
  { served }: HttpConnection,
): Promise<IdentifiedCaller> {
  const [, bearer] = /^bearer ([^\s]+)$/i.exec(authorization) ?? []
  // A store's socket only accepts that store's tokens.
  const stores = served === undefined ? server.stores : [served]
  for (const store of bearer === undefined ? [] : liveStores(stores)) {
    const principal = await identify(store.house.store, bearer as string)
    if (principal !== null) return { served: store, principal }
  }
  const headers = { 'www-authenticate': 'Bearer realm="inbox", error="invalid_token"' }
  for (const { house } of bearer === undefined ? [] : liveStores(stores)) {
    const end = await endOfShown(house.store, bearer as string)
    if (end !== null)
      throw decline(401, `your token ${end}; inbox token issue makes another`, headers)
  }
  mustBeAllHere(stores)
  throw decline(401, 'this token is not valid here: mistyped, or of another store', headers)
}

/** An unknown token may belong to a store that is gone. The refusal doesn't tell strangers where the store was. */
function mustBeAllHere(stores: readonly ServedStore[]): void {
  if (liveStores(stores).length === stores.length) return
  throw refuse.store_unusable`a store of this server was removed or replaced; the server has to be restarted`
}

/** Refuses an X-Inbox-Agent that isn't the token's name, because the sender believes it is another agent. */
function refuseOtherName(known: IdentifiedCaller, said: readonly string[]): IdentifiedCaller {
  const { name } = known.principal
  if (said.every((one) => one === name)) return known
  throw decline(
    403,
    `your token or session says that you are ${name}; leave out X-Inbox-Agent and ?agent=`,
  )
}

/**
 * Refuses a token of another workspace at a workspace's address. An agent whose token has no workspace was merely given
 * the wrong address. Its tools report this, because a model never sees why a connection was refused.
 */
function refuseOtherWorkspace(
  known: IdentifiedCaller,
  workspaceId: string | undefined,
): IdentifiedCaller {
  if (workspaceId === undefined || known.principal.workspace_id === workspaceId) return known
  const { kind, workspace_id } = known.principal
  if (kind === 'agent' && workspace_id === undefined) return { ...known, misplaced: MISPLACED }
  throw decline(403, 'this token is not for that workspace; issue one with --workspace')
}

/** A browser may be signed in to several stores; ?store= selects one. */
async function identifyBySession(
  server: HttpServer,
  request: Request,
  url: URL,
): Promise<IdentifiedCaller | null> {
  const cookies = cookiesIn(request.headers)
  if (cookies.size === 0) return null
  const wanted = url.searchParams.get('store')
  let stale = false
  for (const served of server.stores) {
    const secret = cookies.get(served.cookie)
    if (secret === undefined || (wanted !== null && wanted !== served.id)) continue
    mustBeAllHere([served])
    const pageKey = request.headers.get(PAGE_KEY)
    const principal = await identifySession(served.house.store, secret, pageKey)
    if (principal !== null) {
      mustComeFromOwnPage(request)
      return { served, principal }
    }
    stale = true
  }
  if (!stale) return null
  throw decline(401, 'your session is over; sign in again with inbox sign-in')
}

/**
 * A cookie alone must not authorize a change. Browsers say which page a request is from, and the guard has rejected
 * foreign pages. A caller that doesn't name a page isn't a browser and got the cookie some other way.
 */
export function mustComeFromOwnPage({ method, headers }: Request): void {
  if (method === 'GET' || method === 'HEAD') return
  if (headers.has('origin') || headers.get('sec-fetch-site') === 'same-origin') return
  throw decline(403, 'a session is for pages of this server; programs use a token')
}

function cookiesIn(headers: Headers): Map<string, string> {
  const pairs = (headers.get('cookie') ?? '').split(';').flatMap((part): [string, string][] => {
    const equals = part.indexOf('=')
    return equals < 0 ? [] : [[part.slice(0, equals).trim(), part.slice(equals + 1).trim()]]
  })
  return new Map(pairs)
}

/** Without a token, only the workspace's id identifies the store. */
async function identifyByWorkspace(
  stores: readonly ServedStore[],
  workspaceId: string,
  agent: string | null,
): Promise<IdentifiedCaller> {
  for (const served of liveStores(stores)) {
    const workspace = await served.house.store.rowOf(WORKSPACES, workspaceId)
    if (workspace === null || workspace.removed_at !== null) continue
    const principal: Principal = {
      kind: 'agent',
      name: agent ?? workspace.default_agent,
      proof: agent === null ? 'workspace' : 'claim',
      workspace_id: workspaceId,
    }
    return { served, principal }
  }
  mustBeAllHere(stores)
  throw decline(404, 'there is no such workspace; see inbox workspace list')
}

/** The stores the address may refer to: the one it names, or all. */
function namedStores({ stores }: HttpServer, url: URL): readonly ServedStore[] {
  const wanted = url.searchParams.get('store')
  const found = stores.filter(({ id }) => wanted === null || wanted === id)
  if (wanted === null || found.length > 0) return found
  throw decline(404, 'this server has no store with the id that ?store= names; leave it out')
}

function onlyStore(server: HttpServer, url: URL): ServedStore {
  const found = namedStores(server, url)
  const [served] = found
  if (served !== undefined && found.length === 1) return served
  throw decline(
    401,
    'this server has several stores; use a token, or name the store with ?store=ID',
    UNKNOWN,
  )
}

function agentName(name: string): string {
  if (isAgentId(name) && !isReserved(name)) return name
  throw decline(400, 'X-Inbox-Agent, or ?agent=, is not the name of an agent')
}
