// The hook that an agent's program runs before it uses a tool, where people want to be asked (agent policy).
//
// (1) It never allows what it could not ask about. Every way out but one denies: a store that is away, a call that it
//     cannot read, a fault of its own. The command line that install writes denies also where this program does not
//     start or does not end well (src/clients/client.ts).
// (2) The one way to allow is an approval of exactly this call, by this agent, and using it: an approval allows one call.
// (3) A call that nothing requires asking about gets no verdict: the program goes on as it would without the hook.
// (4) A question that is not answered in time stays asked, and the call is denied. The same call later finds the
//     request, and goes ahead once it is approved.

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
 * The tools of our own servers, as programs call them: asking must not need to be asked for, nor taking part in a
 * workflow. None of their names has two underscores together, so a server with a longer name is not taken for ours.
 */
const OWN = /^mcp__(mailroom|workflow-context)__[a-z]+(?:_[a-z]+)*$/

const CALL = {
  tool: text('the tool that is to be used', { max: 200, leftOut: 'what the program says' }),
  arguments: json('what it is given, as a JSON object', { max: 1_000_000, exact: true }),
}

const TOOL_HOOK_ANSWER = {
  output: anything<object>('the output that the program expects'),
  decision: aText<ToolVerdict['decision']>('allow, deny, or none: then nobody need be asked'),
  request_id: maybe(aText('the request')),
  reason: maybe(aText('why')),
  pending: maybe(aFlag<true>('whether nobody has decided yet')),
}

export type ToolHookAnswer = AnswerOf<typeof TOOL_HOOK_ANSWER>

export const toolHook = action({
  name: 'tool-hook',
  example: `tool-hook --event use --agent worker --tool Bash --arguments '{"command":"ls"}'`,
  summary:
    'Ask people before an agent’s program uses a tool, as the hooks of the program understand it.',
  about:
    'Where the policy of the agent requires it (see agent policy), it makes a request of type tool_invocation, waits, and allows the call if exactly this call is approved. An approval allows one call. If nobody decides in time, the call is denied and the request stays: the same call later finds it. A rejection holds for the same call for an hour. Whatever goes wrong, the call is denied. install --approvals sets it up.',
  fields: {
    event: required(
      choice(TOOL_EVENTS, 'before a use of a tool, or where the program would ask its user'),
    ),
    agent: required(self('the agent that is to use the tool')),
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
    // Where there is no store, nobody can be asked.
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
  // The output is for a program, whatever form the shell asked for.
  lines: ({ output }) => `${JSON.stringify(output)}\n`,
})

/** A runner gives its agent the server of a workflow's tools for a turn; at any other time the name is anybody's. */
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
    reason: `Nobody could be asked whether this call is allowed, so it is not: ${why}. Tell the user.`,
  }
}

/** The call as its fields say, or as the program says it on standard input. */
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

/**
 * The programs' own tools that run a command in a shell, as Claude Code and Codex name them. A tool of an MCP server
 * has the server's name before its own, so none is taken for one of these.
 */
const SHELLS = new Set(['Bash', 'shell', 'shell_command', 'local_shell', 'exec_command'])

/**
 * The words with which a model describes a command to a shell are no part of what is run. They differ from call to
 * call, and the same call must be known again. For any other tool a description may be what the tool works on.
 */
function useOf(tool: string, words = '{}'): ToolUse {
  const args = JSON.parse(words) as Json
  if (!SHELLS.has(tool) || !isObject(args)) return { tool, arguments: args, why: '' }
  const { description, ...rest } = args
  if (typeof description !== 'string') return { tool, arguments: args, why: '' }
  return { tool, arguments: rest, why: description }
}

/** The output that programs expect. Codex refuses keys that it does not know. */
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
