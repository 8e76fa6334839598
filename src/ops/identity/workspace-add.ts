import { USER } from '../../core/agents/agent.ts'
import { field, quote, refuse } from '../../core/error.ts'
import {
  agentNameFrom,
  basename,
  freeName,
  LONGEST_LABEL,
  type Workspace,
} from '../../core/identity/workspace.ts'
import { WORKSPACES, type WorkspaceFacts } from '../../core/identity/workspace-record.ts'
import type { Principal } from '../../core/principal.ts'
import { evolveRecord } from '../../core/record.ts'
import type { Tx } from '../../core/store.ts'
import { introduceAll } from '../agents/introduce.ts'
import { aFlag, CURSOR } from '../kit/answer.ts'
import { commit } from '../kit/commit.ts'
import { type Input, name, path, required, text } from '../kit/field.ts'
import { mutation, PEOPLE } from '../kit/operation.ts'
import { mustBeAgent, mustBeFreeLabel, WORKSPACE } from './workspace-view.ts'

const FIELDS = {
  path: required(path('the folder', { positional: true })),
  label: text('the name people see', { max: LONGEST_LABEL, leftOut: "the folder's name" }),
  default_agent: name('the agent that pushes from it if none is named'),
}

export const workspaceAdd = mutation({
  name: 'workspace add',
  example: 'workspace add .',
  summary: 'Register a folder, so that agents can push its files to people.',
  about:
    'People can then read every file in the folder through the server. At a server only the owner, user, may add one. The real path of the folder is stored. Adding a folder again changes only what you give; a removed folder comes back under its id. The default agent pushes, and gets the replies, when only the workspace is known; without --default-agent a new name is made from the label.',
  fields: FIELDS,
  set: 'none',
  callers: PEOPLE,
  guarded: true,
  refusals: ['invalid_input', 'invalid_state', 'not_found', 'forbidden'],
  check({ default_agent }) {
    if (default_agent !== undefined) mustBeAgent(default_agent, field('default_agent'))
  },
  async run(context, input) {
    const by = context.caller.agent ?? USER
    mustBeOwner(context.caller.principal)
    if (context.caller.principal !== undefined && !isWhole(input.path))
      throw refuse.invalid_input`${quote(input.path)} is relative; give the full path`
    const real = await context.folders.real(input.path)
    if (basename(real) === real)
      throw refuse.invalid_input`${quote(real)} is the root of the whole machine; choose a folder in it`
    const fresh = context.makeId('workspace')
    return commit(context, { op: 'workspace add', agent: by, input }, async (tx) => {
      await tx.lockRecords()
      const [now, all] = await Promise.all([tx.now(), tx.workspaces()])
      const before = all.find((one) => one.path === real) ?? null
      const want = await wanted(tx, all, { ...input, before, path: real })
      const isThere = before !== null && before.removed_at === null
      const { path, ...rest } = { workspace_id: before?.workspace_id ?? fresh, ...want }
      const facts: WorkspaceFacts = isThere
        ? { type: 'workspace_change', ...rest }
        : { type: 'workspace_add', ...rest, path }
      await introduceAll(tx, [want.default_agent], { by, now })
      if (isThere && before.label === want.label && before.default_agent === want.default_agent) {
        return { workspace: before, added: false }
      }
      tx.recordStoreEvent({ agent: by, at: now, facts })
      return {
        workspace: evolveRecord(WORKSPACES, before, facts, { agent: by, at: now }),
        added: !isThere,
      }
    })
  },
  answer: {
    workspace: WORKSPACE,
    added: aFlag('whether it is new'),
    next_event_id: CURSOR,
  },
  lines: async (answer, page) => (await import('./drawing.ts')).drawWorkspace(answer, page),
})

/** Adding a folder makes it readable, so at a server only the machine's owner may do it. */
function mustBeOwner(principal: Principal | undefined): void {
  if (principal === undefined || principal.kind === 'system' || principal.name === USER) return
  throw refuse.forbidden`at a server only ${USER}, the owner, may add folders; ask, or use the shell there`
}

function isWhole(path: string): boolean {
  return /^(\/|[A-Za-z]:[\\/])/.test(path)
}

async function wanted(
  tx: Tx,
  all: readonly Workspace[],
  { before, path, ...given }: Input<typeof FIELDS> & { before: Workspace | null },
): Promise<Pick<Workspace, 'label' | 'path' | 'default_agent'>> {
  const labels = all.filter((one) => one.removed_at === null && one !== before)
  const isTaken = (label: string) => labels.some((one) => one.label === label)
  if (given.label !== undefined) mustBeFreeLabel(all, given.label, before?.workspace_id)
  const label =
    given.label ?? freeName(before?.label ?? basename(path).slice(0, LONGEST_LABEL - 10), isTaken)
  return {
    label,
    path,
    default_agent: given.default_agent ?? before?.default_agent ?? (await freeAgent(tx, label)),
  }
}

/** Returns an agent name that isn't in use yet. An existing agent would get the workspace's replies. */
async function freeAgent(tx: Tx, label: string): Promise<string> {
  const wanted = agentNameFrom(label)
  const agents = await tx.agents({})
  return freeName(wanted, (name) => agents.some((agent) => agent.agent_id === name))
}
