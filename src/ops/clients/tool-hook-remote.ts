// The same question, put to a server by the shell that an agent's program started.

import type { ToolEvent } from '../../clients/client.ts'
import { isObject } from '../../core/json.ts'
import type { BareContext } from '../kit/operation.ts'
import type { AtShell } from '../kit/shell.ts'
import type { ToolUse, ToolVerdict } from './ask-about-tool.ts'
import { operationAt } from './server-address.ts'

/** For a server that is slow to answer; and not worth another question. */
const SPARE_MS = 5000

type HookAtServer = {
  event: ToolEvent
  agent: string
  url: string
  token_variable?: string | undefined
  timeout_seconds: number
}

/** Throws where the server gives no verdict. It ends a wait early, and is asked again. */
export async function askServer(
  { shell: { remote } }: AtShell<BareContext>,
  { event, agent, url, token_variable: variable, timeout_seconds }: HookAtServer,
  { tool, arguments: args, why }: ToolUse,
): Promise<ToolVerdict> {
  const token = variable === undefined ? undefined : remote.variable(variable)
  if (variable !== undefined && !token) throw new NoVerdict(`the variable ${variable} is empty`)
  const headers: Record<string, string> =
    token === undefined ? { 'x-inbox-agent': agent } : { authorization: `Bearer ${token}` }
  const described = isObject(args) && why !== '' ? { ...args, description: why } : args
  const address = operationAt(url, 'tool-hook')
  const until = performance.now() + timeout_seconds * 1000
  for (;;) {
    const left = Math.max(1, Math.round((until - performance.now()) / 1000))
    const body = { event, tool, arguments: described, timeout_seconds: left }
    const asked = { headers, body, patienceMs: left * 1000 + SPARE_MS }
    const verdict = verdictIn(await remote.ask(address, asked).catch(() => null), address)
    if (!verdict.pending || performance.now() + SPARE_MS > until) return verdict
  }
}

/** The message is for the agent to read. */
export class NoVerdict extends Error {}

function verdictIn(
  answered: { status: number; body: unknown } | null,
  address: string,
): ToolVerdict {
  if (answered === null) throw new NoVerdict(`there is no answer from ${address}`)
  const said = Object(answered.body) as Partial<ToolVerdict> & { error?: { message?: string } }
  const { decision, request_id, reason, pending } = said
  if (answered.status === 200 && ['none', 'allow', 'deny'].includes(decision as string)) {
    return {
      decision: decision as ToolVerdict['decision'],
      ...(request_id === undefined ? {} : { request_id }),
      ...(reason === undefined ? {} : { reason }),
      ...(pending ? { pending } : {}),
    }
  }
  throw new NoVerdict(`${address}: ${said.error?.message ?? `it answered ${answered.status}`}`)
}
