// MCP over HTTP: takes a request from an identified caller and returns a response. The HTTP door has already identified
// the caller and admitted the request.

import {
  CLIENT_INFO_META_KEY,
  createMcpHandler,
  type McpHttpHandler,
} from '@modelcontextprotocol/server'
import { type Principal, setsFor, type ToolSet, USUAL_SETS } from '../../core/principal.ts'
import type { CallOutcome, DoorHouse } from '../../ops/call.ts'
import { type LaterWork, trackLaterWork } from '../../ops/kit/afterwards.ts'
import { parseExactJson } from '../../ops/kit/exact-json.ts'
import { isStream, passOn } from '../../ops/kit/pass-on.ts'
import { LIMITS, takeQuota } from '../../ops/kit/quota.ts'
import { type NoticeOptions, noticeMail } from '../../ops/server/notice.ts'
import type { McpVisitor } from '../../ops/server/visitor.ts'
import {
  callTool,
  clientIn,
  type OpenVisit,
  sessionIdFor,
  trackVisitorCalls,
  type VisitorCalls,
} from './call-tool.ts'
import { LISTEN, mentionStream, withMentions } from './mentions.ts'
import { plainAnswer, plainCall } from './plain-call.ts'
import { makeServer, serverInfo } from './server.ts'
import { toolsOf } from './tools.ts'
import { UNREAD } from './unread.ts'

export type McpDoor = {
  /** The body of a POST is passed separately, because it was read already. */
  handle: (request: Request, visitor: McpVisitor, body?: string) => Promise<Response>
  /** Ends whatever is still open, then waits for the work left by answered calls. */
  close: () => Promise<void>
}

/** Fits the longest message with all its attachments, encoded as JSON. */
const MOST_BYTES = 8 * 1024 * 1024

const OF_WORKSPACE: readonly ToolSet[] = ['workspace']
const OF_AGENT = USUAL_SETS.filter((set) => set !== 'workspace')
/** A hint for an agent that gave its name at an address where it has fewer tools than elsewhere. */
const ELSEWHERE = `This address is for what the user is shown from this workspace. Your mail and work are at /mcp, or here with ?sets=${USUAL_SETS.join(',')}: ask the person who connected you.`

type VisitorState = {
  calls: VisitorCalls
  /** Made on first use: plain calls don't need it. */
  handler: () => McpHttpHandler
  requests: number
  laterWork: LaterWork
  close: () => Promise<void>
}

type Visitors = Map<DoorHouse['store'], Map<string, VisitorState>>

type DoorOptions = { version: string; report: (error: unknown) => void }

export function mcpDoor(options: DoorOptions): McpDoor {
  const visitors: Visitors = new Map()
  const { report } = options
  let isClosed = false
  return {
    async handle(request, visitor, body) {
      if (isClosed) return failure(503, 'the server is stopping; try again soon')
      const sets = offeredSets(visitor)
      if (sets.length === 0) return failure(403, whyNone(visitor))
      const { house, principal } = visitor
      const { state, leave } = enterState(visitors, visitor, sets, options)
      const { calls, laterWork } = state
      const about = serverInfo(options.version, sets)
      const owed: CallOutcome[] = []
      const calling: OpenVisit = {
        enter: () => house,
        lookIn: () => house,
        principal,
        report,
        sets,
        tools: visitor.tools,
        hint: hintFor(visitor, sets),
        misplaced: visitor.misplaced,
        instance: visitor.instance,
        calls,
        client: clientIn(request.headers),
        ending: visitor.signal,
        settled: laterWork.done,
        owe: (_, called) => void owed.push(called),
      }
      const response = await respond({ state, calling, about }, request, body).catch((error) => {
        leave()
        throw error
      })
      const isLeft = () => owed.some((called) => called.isLeft())
      const over = async (isTaken: boolean) => {
        for (const { afterAnswer, drop } of owed) laterWork.begin(isTaken ? afterAnswer() : drop())
        await laterWork.done()
        leave()
      }
      if (isStream(response) && response.body !== null) {
        // A stream counts as delivered once the connection has taken all of it.
        const ended = (how: 'whole' | 'broken' | 'left') => over(how === 'whole')
        return new Response(passOn(response.body, { ended }), response)
      }
      visitor.owe({ isLeft, over })
      return response
    },
    async close() {
      isClosed = true
      const all = [...visitors.values()].flatMap((known) => [...known.values()])
      await Promise.all(all.map((state) => state.close()))
    },
  }
}

function enterState(
  visitors: Visitors,
  { house, principal }: McpVisitor,
  sets: readonly ToolSet[],
  options: DoorOptions,
): { state: VisitorState; leave: () => void } {
  const known = visitors.get(house.store) ?? new Map<string, VisitorState>()
  visitors.set(house.store, known)
  const key = JSON.stringify([principal.kind, principal.name, sets])
  const dropIdle = () => {
    const found = known.get(key)
    if (found?.requests === 0 && !found.calls.isExpecting()) known.delete(key)
  }
  const state = known.get(key) ?? makeState(house, principal, options, dropIdle)
  known.set(key, state)
  state.requests += 1
  const leave = () => {
    state.requests -= 1
    dropIdle()
  }
  return { state, leave }
}

function makeState(
  house: DoorHouse,
  principal: Principal,
  { version, report }: DoorOptions,
  onForgotten: () => void,
): VisitorState {
  const takePlace = () => takeQuota('tools', { store: house.store, principal })
  const calls = trackVisitorCalls(takePlace, onForgotten)
  const laterWork = trackLaterWork(report)
  let handler: McpHttpHandler | undefined
  const makeHandler = () =>
    createMcpHandler(
      ({ era, authInfo }) => {
        const calling = authInfo?.extra as OpenVisit & { isUnderWay: boolean }
        const isScattered = era === 'legacy'
        const news = { canTell: era === 'modern' }
        return makeServer({ ...calling, version, isScattered, news })
      },
      {
        bus: noticeBus({ lookIn: () => house, principal, report }),
        maxSubscriptions: LIMITS.notices.each[principal.kind],
        maxRequestBodySize: MOST_BYTES,
        // Ignores requests the package rejected. Our own bugs are caught where a tool runs.
        onerror: () => {},
      },
    )
  return {
    calls,
    handler() {
      handler ??= makeHandler()
      return handler
    },
    requests: 0,
    laterWork,
    async close() {
      await handler?.close()
      await laterWork.done()
    },
  }
}

/** The package subscribes to this for news. The store decides what counts as news. */
function noticeBus(options: NoticeOptions) {
  return {
    publish() {},
    subscribe(listener: (event: { kind: 'resource_updated'; uri: string }) => void) {
      return noticeMail(options, () => listener({ kind: 'resource_updated', uri: UNREAD }))
    },
  }
}

async function respond(
  { state, calling, about }: { state: VisitorState; calling: OpenVisit; about: object },
  request: Request,
  body: string | undefined,
): Promise<Response> {
  if (request.method === 'GET' && calling.instance !== undefined)
    return listenOlder(calling, request)
  const message = body === undefined ? undefined : parseBody(body)
  const plain = plainCall(request.headers, message, await toolsOf(calling.sets))
  if (plain !== null) {
    const client = plain.meta[CLIENT_INFO_META_KEY]
    const given = { ...plain, client, signal: request.signal }
    return plainAnswer(plain, await callTool(calling, plain.tool, given), about)
  }
  const extra: Record<string, unknown> = { ...calling, isUnderWay: isUnderWay(message) }
  const authInfo = { token: '', clientId: calling.principal.name, scopes: [], extra }
  if (message === undefined) return state.handler().fetch(withBody(request, body), { authInfo })
  const response = await state.handler().fetch(request, { authInfo, parsedBody: message })
  const listening = subscriptionIn(message)
  if (listening !== undefined && calling.sets.includes('workflow') && isStream(response)) {
    const { status, headers } = response
    const body = response.body && withMentions(response.body, calling, listening)
    return new Response(body, { status, headers })
  }
  const session = response.ok ? sessionIdFor(message) : undefined
  if (session !== undefined) response.headers.set('mcp-session-id', session)
  return response
}

/**
 * In the older protocol, clients listen with GET and no session, because notifications depend only on the caller.
 * Without an instance, the package responds that there is no such stream.
 */
function listenOlder(calling: OpenVisit, { headers }: Request): Response {
  if (!(headers.get('accept') ?? '').includes('text/event-stream')) {
    return failure(406, 'GET opens a stream of events; accept text/event-stream')
  }
  const { ending, principal } = calling
  const { store } = calling.lookIn() as DoorHouse
  return mentionStream(calling, { ending, over: takeQuota('notices', { store, principal }) })
}

function subscriptionIn(message: unknown): string | number | undefined {
  const { method, id } = Object(message) as { method?: unknown; id?: string | number }
  return method === LISTEN ? id : undefined
}

/** Whether this message can't start a visit, in either protocol version. */
function isUnderWay(message: unknown): boolean {
  const { method } = Object(message) as { method?: unknown }
  return typeof method === 'string' && !['initialize', 'server/discover'].includes(method)
}

/** The sets the caller asked for, or else the address's defaults, limited to those the caller may use. */
function offeredSets({ principal, sets, isAtWorkspace, misplaced }: McpVisitor): ToolSet[] {
  if (misplaced !== undefined) return [...OF_WORKSPACE]
  const { token_id, workspace_id } = principal
  const isOfBoth = workspace_id !== undefined && token_id !== undefined
  const usual = isOfBoth ? USUAL_SETS : isAtWorkspace ? OF_WORKSPACE : OF_AGENT
  return setsFor(principal).filter((set) => (sets ?? usual).includes(set))
}

function hintFor(visitor: McpVisitor, sets: readonly ToolSet[]): string | undefined {
  const { misplaced, isAtWorkspace, principal } = visitor
  if (misplaced !== undefined) return `Nothing works here yet: ${misplaced}.`
  const isNamed = isAtWorkspace && principal.proof !== 'workspace'
  return isNamed && !sets.includes('mailbox') && visitor.sets === undefined ? ELSEWHERE : undefined
}

function whyNone({ principal }: McpVisitor): string {
  const can = setsFor(principal)
  if (can.length > 0) return `you can use ${can.join(' and ')}, none of which is asked for here`
  return `${principal.name} pushes with a token of a workspace; issue one with --workspace`
}

/** Undefined if the body isn't JSON; the package reports that. */
function parseBody(body: string): unknown {
  try {
    return parseExactJson(body)
  } catch {
    return undefined
  }
}

function withBody({ url, method, headers, signal }: Request, body: string | undefined): Request {
  return new Request(url, { method, headers, signal, ...(body === undefined ? {} : { body }) })
}

function failure(status: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32000, message } }, { status })
}
