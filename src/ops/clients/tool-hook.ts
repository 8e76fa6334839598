// The hook that an agent's program runs before it uses a tool, to ask people if the agent's policy requires it.
//
// (1) It never allows a call it couldn't ask about. If the store is unreachable, the call can't be parsed or the hook
//     itself fails, it denies the call. The command line that install writes also denies the call if this program
//     doesn't start or doesn't exit cleanly (src/clients/client.ts).
// (2) It allows a call only by using up an approval of exactly this call by this agent. An approval allows one call.
// (3) If the policy doesn't cover the call, there's no verdict: the program continues as it would without the hook.
// (4) If there's no decision in time, the call is denied and the request stays open. If the same call is made later, it
//     finds that request, and goes ahead once it's approved.

import { TOOL_EVENTS, type ToolEvent } from '../../clients/client.ts'
import { refusalIn } from '../../core/error.ts'
import { isObject, type Json } from '../../core/json.ts'
import { requirementOfTool } from '../../core/requests/requirement.ts'
import type { Store } from '../../core/store.ts'
import { type AnswerOf, aFlag, anything, aText, maybe } from '../kit/answer.ts'
import { byDefault, choice, int, json, required, self, text } from '../kit/field.ts'
import { SESSION_NAME } from '../kit/for-doors.ts'
import { ANYONE, action, type BareContext, type Context } from '../kit/operation.ts'
import { readInput } from '../kit/read-input.ts'
import type { AtShell } from '../kit/shell.ts'
import { policyOf } from '../requests/agent-policies.ts'
import { askAbout, type ToolUse, type ToolVerdict } from './ask-about-tool.ts'
import { checkServer, operationAt, SERVER_FIELDS } from './server-address.ts'

const WAIT_SECONDS = 120
/**
 * The tools of our own servers, as programs name them. Asking for approval, or taking part in a workflow, must not
 * itself need approval. None of our tools has a double underscore in its name, so no tool of a server whose name
 * begins like ours can match.
 */
const OWN = /^mcp__(mailroom|workflow-context)__[a-z]+(?:_[a-z]+)*$/

const CALL = {
  tool: text('the tool to be used', { max: 200, leftOut: 'the one the program names' }),
  arguments: json('its arguments, as a JSON object', { max: 1_000_000, exact: true }),
}

const TOOL_HOOK_ANSWER = {
  output: anything<object>('the output that the program expects'),
  decision: aText<ToolVerdict['decision']>('allow, deny, or none if no approval is needed'),
  request_id: maybe(aText('the request')),
  reason: maybe(aText('why')),
  pending: maybe(aFlag<true>('whether there is no decision yet')),
}

export type ToolHookAnswer = AnswerOf<typeof TOOL_HOOK_ANSWER>

export const toolHook = action({
  name: 'tool-hook',
  example: `tool-hook --event use --agent worker --tool Bash --arguments '{"command":"ls"}'`,
  summary:
    'Ask people before an agent’s program uses a tool, in the form that the program’s hooks understand.',
  about:
    'If the agent’s policy requires it (see agent policy), creates a request of type tool_invocation, waits, and allows the call if exactly this call is approved. An approval allows one call. If no one decides in time, the call is denied and the request stays open: the same call finds it later. A rejection applies to the same call for an hour. If anything goes wrong, the call is denied. install --approvals sets this up.',
  fields: {
    event: required(
      choice(
        TOOL_EVENTS,
        'use: before a tool is used; permission: when the program would ask its user',
      ),
    ),
    agent: required(self('the agent that wants to use the tool')),
    ...CALL,
    timeout_seconds: byDefault(
      int('how long to wait for a decision', { min: 1, max: 3600 }),
      WAIT_SECONDS,
    ),
    ...SERVER_FIELDS,
  },
  writes: 'store',
  set: 'requests',
  callers: ANYONE,
  blocks: true,
  refusals: ['invalid_input'],
  check: checkServer,
  storeless: {
    when: ({ url }) => url !== undefined,
    // Without a store there is no one to ask.
    async run(context, input): Promise<ToolHookAnswer> {
      const { event, url } = input
      if (url === undefined) return answer(event, denied('there is no store here'))
      return deciding(event, async () => {
        return askServer(context, { ...input, url }, await useIn(context, input))
      })
    },
  },
  async run(context, input): Promise<ToolHookAnswer> {
    const { event, agent, timeout_seconds } = input
    return deciding(event, async () => {
      const use = await useIn(context, input)
      const policy = await policyOf(context.store, agent)
      const requirement = requirementOfTool(policy, use.tool, use.arguments)
      if (requirement === undefined) return { decision: 'none' }
      if (await isOwn(context.store, agent, use.tool)) return { decision: 'none' }
      return askAbout(context, { event, agent, use, requirement, timeoutSeconds: timeout_seconds })
    })
  },
  answer: TOOL_HOOK_ANSWER,
  shellFlags: [SESSION_NAME],
  // The output is always JSON, even if the shell asked for text.
  lines: ({ output }) => `${JSON.stringify(output)}\n`,
})

/**
 * Whether it's one of our own tools. A runner connects its agent to the workflow server for a turn. At any other time,
 * a server with that name could be someone else's.
 */
async function isOwn(store: Store, agent: string, tool: string): Promise<boolean> {
  const [, server] = OWN.exec(tool) ?? []
  if (server !== 'workflow-context') return server !== undefined
  const [known, turn] = await Promise.all([store.agent(agent), store.runningWake(agent)])
  return turn !== null && known?.wake.runner !== undefined
}

async function deciding(
  event: ToolEvent,
  decide: () => Promise<ToolVerdict>,
): Promise<ToolHookAnswer> {
  try {
    return answer(event, await decide())
  } catch (error) {
    const said = error instanceof NoVerdict ? error.message : refusalIn(error)?.message
    return answer(event, denied(said ?? 'something went wrong inside'))
  }
}

function denied(why: string): ToolVerdict {
  return {
    decision: 'deny',
    reason: `No one could be asked whether this call is allowed, so it is denied: ${why}. Tell the user.`,
  }
}

/** The call, from the input's fields or else from the program's standard input. */
async function useIn(
  { shell }: Pick<Context, 'shell'>,
  input: { tool?: string | undefined; arguments?: string | undefined },
): Promise<ToolUse> {
  if (input.tool !== undefined) return useOf(input.tool, input.arguments)
  const told = Object((await shell?.stdinJson()) ?? {}) as Record<string, unknown>
  const given = { tool: told.tool_name, arguments: told.tool_input }
  const fields = { tool: required(CALL.tool), arguments: CALL.arguments }
  const read = readInput(fields, given, { agent: undefined })
  return useOf(read.tool, read.arguments)
}

/** The built-in shell tools of Claude Code and Codex. MCP tools can't match: their names begin with the server's. */
const SHELLS = new Set(['Bash', 'shell', 'shell_command', 'local_shell', 'exec_command'])

/**
 * A model's description of a shell command isn't part of what runs and differs from call to call, so it's ignored when
 * recognizing a repeated call. For other tools, a description may be what the tool works on.
 */
function useOf(tool: string, words = '{}'): ToolUse {
  const args = JSON.parse(words) as Json
  if (!SHELLS.has(tool) || !isObject(args)) return { tool, arguments: args, why: '' }
  const { description, ...rest } = args
  if (typeof description !== 'string') return { tool, arguments: args, why: '' }
  return { tool, arguments: rest, why: description }
}

/** The output programs expect. Codex rejects unknown keys. */
const OUTPUT: Record<ToolEvent, (allow: boolean, reason: string) => object> = {
  use: (allow, reason) => ({
    hookEventName: 'PreToolUse',
    permissionDecision: allow ? 'allow' : 'deny',
    permissionDecisionReason: reason,
  }),
  permission: (allow, message) => ({
    hookEventName: 'PermissionRequest',
    decision: allow ? { behavior: 'allow' } : { behavior: 'deny', message },
  }),
}

function answer(event: ToolEvent, verdict: ToolVerdict): ToolHookAnswer {
  const { decision, reason = '' } = verdict
  const output =
    decision === 'none' ? {} : { hookSpecificOutput: OUTPUT[event](decision === 'allow', reason) }
  return { output, ...verdict }
}

/** Extra time for a slow server. With less than this left, it isn't worth asking again. */
const SPARE_MS = 5000

type HookAtServer = {
  event: ToolEvent
  agent: string
  url: string
  token_variable?: string | undefined
  timeout_seconds: number
}

/** Asks again until the timeout, because servers end long waits early. Throws if the server gives no verdict. */
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

/** An error whose message is meant for the agent. */
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
