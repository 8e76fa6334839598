// One turn of a workflow's agent, from the inside: reads the plan and the mail, builds the prompt, lets the backend
// work, and saves its session and the end of its output. All output of the program goes into the agent's log.

import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { backendOf, type TurnLine, type TurnResult } from '../backends/backend.ts'
import { refuse } from '../core/error.ts'
import { shellWord } from '../core/shell-word.ts'
import { entryOf } from '../core/workflows/channel.ts'
import type { HeldInstance } from '../core/workflows/instance.ts'
import type { WorkflowHost } from './host.ts'
import { type AgentPlan, agentIdOf, type WorkflowPlan } from './plan.ts'
import { PROMPT_ENTRIES, type PromptMail, promptFor } from './prompt.ts'
import type { RunnerContext } from './runner.ts'
import {
  agentFolder,
  appendTurnLog,
  keepAgentState,
  readAgentState,
  readKeptPlan,
} from './runner-folder.ts'

const LAST_LETTERS = 8000

export type TurnWish = {
  /** The path of the plan. `digest` is the one that was allowed. */
  plan: string
  digest: string
  agent_id: string
  wake: string
}

export type WorkflowTurnContext = Pick<RunnerContext, 'store' | 'digest' | 'host' | 'signal'>

export type TurnEnd = { ok: boolean; exit: number | null; why: string; last: string }

export async function takeWorkflowTurn(
  context: WorkflowTurnContext,
  wish: TurnWish,
): Promise<TurnEnd> {
  const { store, host } = context
  const { plan, standalone } = await readKeptPlan(wish.plan, wish.digest, context.digest)
  const agent = plan.agents.find((one) => agentIdOf(plan, one, standalone) === wish.agent_id)
  if (agent === undefined)
    throw refuse.not_found`${wish.agent_id} is not an agent of the workflow ${plan.name}`
  const folder = agentFolder(dirname(wish.plan), agent.name)
  const log = (kind: 'text' | 'tool' | 'error' | 'end', text: string) =>
    appendTurnLog(folder, { at: new Date(host.now()).toISOString(), wake: wish.wake, kind, text })
  const [instance, mail] = await Promise.all([store.instance(plan.instance), readMail(host)])
  const before = readAgentState(folder)
  const turn = {
    ...surroundingsOf(context, { plan, agent, instance, agentId: wish.agent_id, folder }),
    tell: ({ kind, text }: TurnLine) => log(kind, text),
  }
  const promptOf = await makePrompts(context, { plan, agent, instance })
  const backend = await backendOf(agent.backend)
  let result: TurnResult
  let session = before.session
  let left = mail
  do {
    const { system, prompt, shown } = promptOf(left)
    // A program that reads its mail as lines gets it in the order of the prompt.
    const byId = new Map(left.map((one) => [one.id, one]))
    const now = shown.flatMap((id) => byId.get(id) ?? [])
    result = await backend.run({ ...turn, session, system, prompt, mail: now })
    session = result.session
    // Mail that doesn't fit into the prompt is handled in the same turn, so that none is forgotten.
    left = shown.length === 0 ? [] : left.filter(({ id }) => !shown.includes(id))
  } while (result.ok && left.length > 0)
  const last = result.last.slice(-LAST_LETTERS)
  // A failed turn may have broken its session; the next attempt continues with one that is known to work.
  const failed = result.ok ? {} : { failed: { wake: wish.wake, why: result.why ?? '' } }
  keepAgentState(folder, {
    session: result.ok ? result.session : before.session,
    last,
    ...failed,
  })
  log('end', result.ok ? '' : (result.why ?? 'it failed'))
  return { ok: result.ok, exit: result.exit, why: result.why ?? '', last }
}

type TurnAgent = { plan: WorkflowPlan; agent: AgentPlan; instance: HeldInstance | null }

/** What the backend gets besides the prompt: the folder, the variables, and how to reach the instance's tools. */
function surroundingsOf(
  { host, signal }: WorkflowTurnContext,
  { plan, agent, instance, agentId, folder }: TurnAgent & { agentId: string; folder: string },
) {
  const [command = '', ...words] = host.program
  return {
    agent_id: agentId,
    name: agent.name,
    instance: plan.instance,
    model: agent.model,
    tools: agent.tools,
    command: agent.command,
    cwd: plan.cwd,
    folder,
    signal,
    ...(plan.context.provider === 'none' ? {} : { dir: plan.context.dir }),
    mcp: {
      command,
      args: [...words, 'mcp', '--sets', 'workflow'],
      env: { INBOX_AGENT: agentId, INBOX_DB: host.address },
      ...(instance?.socket ? { socket: instance.socket } : {}),
      ...(instance?.url ? { url: instance.url } : {}),
    },
    env: withOwnCommands(definedOf(host.env), folder, host.program),
    living: host.living,
  }
}

/** Reads the channel and the document once, and returns a function that builds prompts for mail. */
async function makePrompts(
  { store, host }: WorkflowTurnContext,
  { plan, agent, instance }: TurnAgent,
): Promise<(mail: readonly GivenMail[]) => ReturnType<typeof promptFor>> {
  const thread = instance?.thread_id ?? ''
  const [entries, document] =
    thread === ''
      ? [[], null]
      : await Promise.all([
          store.entries({ thread, last: true, limit: PROMPT_ENTRIES }),
          readEntryDocument(host, instance),
        ])
  return (mail) =>
    promptFor({
      agent,
      workflow: plan.name,
      instance: plan.instance,
      hasContext: thread !== '',
      team: plan.agents,
      mail: mail.map(promptMailOf),
      entries: entries.map((entry) => entryOf(entry, plan.instance)),
      document: { name: plan.context.document, text: document ?? '' },
    })
}

/** Returns null if the document can't be read. The agent can find out why by reading it itself. */
async function readEntryDocument(
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

function definedOf(env: WorkflowHost['env']): Record<string, string> {
  const all = Object.entries(env).filter((one): one is [string, string] => one[1] !== undefined)
  return Object.fromEntries(all)
}

type GivenMail = {
  id: string
  from: string
  subject: string
  body: string
  created_at: string
  metadata: unknown
}

/** A mention is an entry of the channel and has no subject; other mail has one. */
function promptMailOf(given: GivenMail): PromptMail {
  const { id, from, subject, body, created_at, metadata } = given
  const { mentions, priority } = (metadata ?? {}) as { mentions?: unknown; priority?: unknown }
  const isMention = Array.isArray(mentions)
  return {
    id,
    from,
    timestamp: created_at,
    text: body,
    priority: priority === 'high' ? 'high' : 'normal',
    ...(isMention ? {} : { subject }),
  }
}

async function readMail(host: WorkflowHost): Promise<GivenMail[]> {
  const text = await host.readStdin()
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as GivenMail)
}

/**
 * Puts `inbox` and `agent-worker` on the PATH of the turn's program. They start the program that runs the workflow, so an
 * agent can use them even on a machine where nothing is installed. `folder` is private to the agent; `program` is the
 * command line that starts this program as `inbox`.
 */
export function withOwnCommands(
  env: Record<string, string>,
  folder: string,
  program: readonly string[],
): Record<string, string> {
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true, mode: 0o700 })
  makeCommand(join(bin, 'inbox'), program, '')
  makeCommand(join(bin, 'agent-worker'), program, ' workflow')
  return { ...env, PATH: [bin, env.PATH].filter(Boolean).join(delimiter) }
}

/**
 * A single executable can be a link: its name tells the program how it was called. A command with arguments needs a
 * script. An existing file is replaced, never overwritten in place, because another program may be starting it.
 */
function makeCommand(path: string, program: readonly string[], word: string): void {
  const [file = '', ...more] = program
  const made = `${path}.new`
  rmSync(made, { force: true })
  if (more.length === 0) symlinkSync(file, made)
  else {
    const start = program.map(shellWord).join(' ')
    writeFileSync(made, `#!/bin/sh\nexec ${start}${word} "$@"\n`, { mode: 0o700 })
  }
  renameSync(made, path)
}
