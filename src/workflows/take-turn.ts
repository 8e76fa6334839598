// One turn of a workflow's agent, from inside: reads the plan and what the turn is about, makes the prompt, lets the
// backend work, and keeps its session and its last words. Whatever the program says goes into the agent's log.

import { dirname } from 'node:path'
import { backendOf, type TurnLine, type TurnResult } from '../backends/backend.ts'
import { refuse } from '../core/error.ts'
import type { Store } from '../core/store.ts'
import { entryOf } from '../core/workflows/channel.ts'
import type { HeldInstance } from '../core/workflows/instance.ts'
import type { WorkflowHost } from './host.ts'
import { agentFolder, agentIdOf, readKeptPlan } from './kept-plan.ts'
import { withOwnCommands } from './own-commands.ts'
import { PROMPT_ENTRIES, type PromptMail, promptFor } from './prompt.ts'
import { appendTurnLog, keepAgentState, readAgentState } from './turn-log.ts'

const LAST_LETTERS = 8000

export type TurnWish = {
  /** The path of the plan, and the digest that was allowed. */
  plan: string
  digest: string
  agent_id: string
  wake: string
}

export type TurnAround = {
  store: Store
  digest: (text: string) => Promise<string>
  host: WorkflowHost
  signal: AbortSignal
}

export type TurnEnd = { ok: boolean; exit: number | null; why: string; last: string }

export async function takeWorkflowTurn(around: TurnAround, wish: TurnWish): Promise<TurnEnd> {
  const { store, host, signal } = around
  const { plan, standalone } = await readKeptPlan(wish.plan, wish.digest, around.digest)
  const agent = plan.agents.find((one) => agentIdOf(plan, one, standalone) === wish.agent_id)
  if (agent === undefined) {
    throw refuse('not_found', `${wish.agent_id} is not an agent of the workflow ${plan.name}`)
  }
  const folder = agentFolder(dirname(wish.plan), agent.name)
  const log = (kind: 'text' | 'tool' | 'error' | 'end', text: string) =>
    appendTurnLog(folder, { at: new Date(host.now()).toISOString(), wake: wish.wake, kind, text })
  const [instance, mail] = await Promise.all([store.instance(plan.instance), readMail(host)])
  const thread = instance?.thread_id ?? ''
  const [entries, document] =
    thread === ''
      ? [[], null]
      : await Promise.all([
          store.entries({ thread, last: true, limit: PROMPT_ENTRIES }),
          entryDocument(host, instance),
        ])
  const before = readAgentState(folder)
  const backend = await backendOf(agent.backend)
  const [command = '', ...words] = host.program
  const turn = {
    agent_id: wish.agent_id,
    name: agent.name,
    instance: plan.instance,
    model: agent.model,
    ...{ tools: agent.tools, command: agent.command, cwd: plan.cwd, folder, signal },
    ...(plan.context.provider === 'none' ? {} : { dir: plan.context.dir }),
    mcp: {
      command,
      args: [...words, 'mcp', '--sets', 'workflow'],
      env: { INBOX_AGENT: wish.agent_id, INBOX_DB: host.address },
      ...(instance?.socket ? { socket: instance.socket } : {}),
      ...(instance?.url ? { url: instance.url } : {}),
    },
    env: withOwnCommands(variables(host), folder, host.program),
    living: host.living,
    tell: ({ kind, text }: TurnLine) => log(kind, text),
  }
  let result: TurnResult
  let session = before.session
  let left = mail
  do {
    const { system, prompt, shown } = promptFor({
      agent,
      workflow: plan.name,
      instance: plan.instance,
      hasContext: thread !== '',
      team: plan.agents,
      mail: left.map(inPrompt),
      entries: entries.map((entry) => entryOf(entry, plan.instance)),
      document: { name: plan.context.document, text: document ?? '' },
    })
    // A program that reads its mail as lines gets it in the order of the prompt.
    const byId = new Map(left.map((one) => [one.id, one]))
    const now = shown.flatMap((id) => byId.get(id) ?? [])
    result = await backend.run({ ...turn, session, system, prompt, mail: now })
    session = result.session
    // More mail than a prompt holds is dealt with in the same turn, so that no part of it is forgotten.
    left = shown.length === 0 ? [] : left.filter(({ id }) => !shown.includes(id))
  } while (result.ok && left.length > 0)
  const last = result.last.slice(-LAST_LETTERS)
  // A turn that failed may have broken its session; the next attempt goes on with what is known to work.
  const failed = result.ok ? {} : { failed: { wake: wish.wake, why: result.why ?? '' } }
  keepAgentState(folder, {
    session: result.ok ? result.session : before.session,
    last,
    ...failed,
  })
  log('end', result.ok ? '' : (result.why ?? 'it failed'))
  return { ok: result.ok, exit: result.exit, why: result.why ?? '', last }
}

/** A document that cannot be read is none: the agent may look itself, and then hears why. */
async function entryDocument(
  host: WorkflowHost,
  instance: HeldInstance | null,
): Promise<string | null> {
  if (instance === null) return null
  try {
    return await host.readDocument(instance, instance.document)
  } catch {
    return null
  }
}

function variables(host: WorkflowHost): Record<string, string> {
  const all = Object.entries(host.env).filter(
    (one): one is [string, string] => one[1] !== undefined,
  )
  return Object.fromEntries(all)
}

/** A line of mail, as the supervisor writes it. */
type GivenMail = {
  id: string
  from: string
  subject: string
  body: string
  created_at: string
  metadata: unknown
}

/** A mention stands in the channel and has no subject; other mail has. */
function inPrompt({ id, from, subject, body, created_at, metadata }: GivenMail): PromptMail {
  const { mentions, priority } = (metadata ?? {}) as { mentions?: unknown; priority?: unknown }
  const isMention = Array.isArray(mentions)
  const how = { priority: priority === 'high' ? 'high' : 'normal' } as const
  return { id, from, timestamp: created_at, text: body, ...how, ...(isMention ? {} : { subject }) }
}

async function readMail(host: WorkflowHost): Promise<GivenMail[]> {
  const text = await host.readStdin()
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as GivenMail)
}
