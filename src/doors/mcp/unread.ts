// Exposes the inbox as a resource, for clients that show resources or subscribe to new mail. No known client wakes its
// model for it, so the model still has to read its mail.

import { ProtocolError, ResourceNotFoundError, type Server } from '@modelcontextprotocol/server'
import { Refusal } from '../../core/error.ts'
import { call } from '../../ops/call.ts'
import type { Inbox } from '../../ops/inbox/inbox.ts'
import { operationNamed } from '../../ops/known-caller.ts'
import { OTHERS_WORDS, spellAnswer } from './answer.ts'
import type { Visit } from './run-tool.ts'

export const UNREAD = 'inbox://unread'

/** The inbox if there is no store yet. */
const NO_MAIL: Inbox = { messages: [], unread: 0, next_event_id: 0, has_more: false }

const RESOURCE = {
  uri: UNREAD,
  name: 'unread',
  title: 'Unread mail',
  description: 'What you have not read yet. Looking at it here changes nothing.',
  mimeType: 'application/json',
}

export function serveUnread(
  server: Server,
  visit: Visit,
  subscribe?: (isWanted: boolean) => void,
): void {
  server.setRequestHandler('resources/list', () => ({ resources: [RESOURCE] }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
  server.setRequestHandler('resources/read', async ({ params }, { mcpReq }) => {
    mustBeUnread(params.uri)
    return { contents: [{ ...RESOURCE, text: await peek(visit, mcpReq.signal) }] }
  })
  if (subscribe === undefined) return
  server.setRequestHandler('resources/subscribe', ({ params }) => {
    mustBeUnread(params.uri)
    subscribe(true)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    mustBeUnread(params.uri)
    subscribe(false)
    return {}
  })
}

function mustBeUnread(uri: string): void {
  if (uri !== UNREAD) throw new ResourceNotFoundError(uri)
}

async function peek({ lookIn, principal, report }: Visit, signal: AbortSignal): Promise<string> {
  try {
    const house = await lookIn()
    const op = await operationNamed('mail peek')
    const want = { op, principal, raw: {}, door: 'mcp' as const, signal }
    const result = house === null ? NO_MAIL : (await call(house, want)).result
    return JSON.stringify({ note: OTHERS_WORDS, ...spellAnswer('mailbox', op.answer, result) })
  } catch (error) {
    if (!(error instanceof Refusal)) report(error)
    const message = error instanceof Refusal ? error.message : 'something went wrong inside'
    throw new ProtocolError(-32603, message)
  }
}
