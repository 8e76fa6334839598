// Mounts the MCP door. The caller is identified here, and the door handles the protocol.

import { TOOL_SETS, type ToolSet } from '../../core/principal.ts'
import { isStream, passOn } from '../../ops/kit/pass-on.ts'
import type { OwedWork } from '../../ops/server/visitor.ts'
import { decline } from './answer.ts'
import { readBody } from './body.ts'
import { abortWhenRevoked } from './open-calls.ts'
import { type IdentifiedCall, originIn } from './route.ts'
import { countStream, textAnswer } from './send-answer.ts'

/** Tools that wait return within 45 seconds. */
const CALL_SECONDS = 90
/** An instance's address only has the workflow tools. */
const OF_INSTANCE: readonly ToolSet[] = ['workflow']

export async function speakMcp(asked: IdentifiedCall): Promise<Response> {
  const { server, request, served, principal, connection, url, owed } = asked
  // A stream can stay silent as long as there is no news.
  connection.allowSeconds(request.method === 'GET' ? 0 : CALL_SECONDS)
  const body = request.method === 'POST' ? await readBody(asked) : undefined
  const house = { ...served.house, origin: originIn(request.headers) }
  const visitor = {
    house,
    principal,
    sets: asked.instance === undefined ? setsIn(url) : OF_INSTANCE,
    tools: url.searchParams.get('tools')?.split(',') ?? [],
    isAtWorkspace: asked.params.workspace !== undefined,
    ...(asked.misplaced !== undefined && { misplaced: asked.misplaced }),
    ...(asked.instance !== undefined && { instance: asked.instance }),
    owe: (work: OwedWork) => void owed.push(work),
  }
  if (principal.token_id === undefined) {
    const { stopping: signal } = server.openCalls
    return opened(asked, await server.mcp(request, { ...visitor, signal }, body))
  }
  const good = await abortWhenRevoked(served, principal)
  const { signal, end } = server.openCalls.signalFor(request, good.signal)
  const over = () => {
    end()
    good.end()
  }
  try {
    const response = await opened(asked, await server.mcp(request, { ...visitor, signal }, body))
    if (isStream(response) && response.body !== null) {
      const { status, headers } = response
      const body = passOn(response.body, { until: good.signal, ended: over })
      return new Response(body, { status, headers })
    }
    over()
    return response
  } catch (error) {
    over()
    throw error
  }
}

/** Counts a response against its caller until the client has taken all of it, streamed or in one piece. */
async function opened(
  { connection, served, principal }: IdentifiedCall,
  response: Response,
): Promise<Response> {
  const { status, headers, body } = response
  if (!isStream(response)) return textAnswer(await response.text(), { status, headers })
  connection.allowSeconds(0)
  const holder = { store: served.house.store, principal }
  return new Response(body && countStream(body, holder), { status, headers })
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
