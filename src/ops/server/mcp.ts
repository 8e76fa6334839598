import { isPerson } from '../../core/agents/agent.ts'
import { callerBy, field, refuse } from '../../core/error.ts'
import type { Workspace } from '../../core/identity/workspace.ts'
import {
  type Principal,
  setsFor,
  TOOL_SETS,
  type ToolSet,
  USUAL_SETS,
} from '../../core/principal.ts'
import { makeKnown } from '../agents/introduce.ts'
import { presentWorkspace } from '../identity/workspace-view.ts'
import { aList, aText } from '../kit/answer.ts'
import { choices, id, self } from '../kit/field.ts'
import { SESSION_NAME } from '../kit/for-doors.ts'
import { type BareContext, PEOPLE } from '../kit/operation.ts'
import { type AtShell, command } from '../kit/shell.ts'
import { workspaceAround } from '../pushes/push-origin.ts'

export const mcp = command({
  name: 'mcp',
  example: 'mcp --agent worker',
  summary: 'Serve tools to an AI agent over standard input and output (MCP).',
  about:
    'For the configuration of an agent’s program, which starts this command and ends it by closing its input. Every call is made in the name given with --agent or --as. The name is not checked: anyone who can write the store’s file can use any name. If there is no store, the first tool call that may change something creates it. Speaks the protocol version 2026-07-28 and the one before it, whichever the program opens with.',
  fields: {
    agent: self('the agent in whose name every call is made', {
      leftOut: "the workspace's own agent",
    }),
    workspace: id('the workspace it pushes from', { leftOut: 'the one you are in' }),
    sets: choices(TOOL_SETS, 'which tools to offer', { leftOut: 'all but workflow' }),
  },
  writes: 'store',
  callers: PEOPLE,
  blocks: true,
  lasts: true,
  streams: true,
  refusals: ['invalid_input', 'not_found'],
  storeless: {
    async run(context, input) {
      if (input.workspace !== undefined)
        throw refuse.not_found`there is no store here, so there is no workspace; name the store with ${field('db')}`
      if (input.sets?.includes('workflow'))
        throw refuse.not_found`there is no store here, so no workflow runs; name the store with ${field('db')}`
      return speak(context, input, null)
    },
  },
  async run(context, input) {
    const { store, origin } = context
    const workspace =
      input.workspace === undefined
        ? await workspaceAround(store, origin?.folder)
        : await presentWorkspace(store, input.workspace)
    const name = input.agent ?? workspace?.default_agent
    if (name !== undefined && input.sets?.includes('workflow')) {
      await (await import('../workflows/instance-access.ts')).mustTakePart(store, name)
    }
    if (name !== undefined) await makeKnown(context, name, 'agent')
    return speak(context, input, workspace)
  },
  answer: {
    agent: aText('the agent in whose name calls were made'),
    sets: aList(aText<ToolSet>('a set'), 'the tools that were offered'),
  },
  lines: () => '',
  shellFlags: [SESSION_NAME],
})

async function speak(
  { shell, origin, signal }: AtShell<BareContext>,
  input: { agent?: string | undefined; sets?: ToolSet[] | undefined },
  workspace: Workspace | null,
) {
  const name = input.agent ?? workspace?.default_agent
  if (name === undefined)
    throw refuse.invalid_input`name the agent with ${callerBy('agent')}, or give ${field('workspace')} to use its own agent`
  const principal: Principal = {
    kind: isPerson(name) ? 'person' : 'agent',
    name,
    proof: 'file',
    ...(workspace === null ? {} : { workspace_id: workspace.workspace_id }),
  }
  const sets = input.sets ?? setsFor({ ...principal, sets: USUAL_SETS })
  await shell.speakMcp({ principal, sets, origin, signal })
  return { agent: name, sets }
}
