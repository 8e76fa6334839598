// Where the MCP door is mounted: who it is was found out here, the protocol is its own business.

import { TOOL_SETS, type ToolSet } from '../../core/principal.ts'
import { decline } from './answer.ts'
import { readBody } from './body.ts'
import { originIn } from './origin.ts'
import type { AskedByKnown } from './route.ts'

/** A tool that waits answers within 45 seconds. */
const CALL_SECONDS = 90

export async function speakMcp(asked: AskedByKnown): Promise<Response> {
  const { site, request, params, served, principal, connection, url } = asked
  // A stream is silent for as long as there is nothing to say.
  connection.allowSeconds(request.method === 'GET' ? 0 : CALL_SECONDS)
  const body = request.method === 'POST' ? await readBody(request) : undefined
  const { stopping: signal } = site.underWay
  const visitor = {
    house: { ...served.house, origin: originIn(request.headers) },
    principal,
    workspaceId: params.workspace,
    sets: setsIn(url),
    signal,
  }
  const response = await site.mcp(request, visitor, body)
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  if (isStream) connection.allowSeconds(0)
  return response
}

function setsIn(url: URL): ToolSet[] | undefined {
  const given = url.searchParams.get('sets')
  if (given === null) return undefined
  return given.split(',').map((name) => {
    const set = TOOL_SETS.find((one) => one === name)
    if (set === undefined) throw decline(400, `?sets= takes ${TOOL_SETS.join(', ')}`)
    return set
  })
}
