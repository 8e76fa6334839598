// The plan of a workflow: the content of its file, read, checked and filled in, except for the output of setup. A plan is
// plain JSON, so that a runner can keep it in a file and a turn can read it back.

import type { BACKENDS } from '../backends/backend.ts'
import { USER, type WakeSettings } from '../core/agents/agent.ts'
import { nearest } from '../core/nearest.ts'
import type { Instant } from '../core/time.ts'
import { MAIL_TYPES } from '../core/vocabulary.ts'
import type { InstanceMode, Provider } from '../core/workflows/instance.ts'
import { mentionsIn } from '../core/workflows/mentions.ts'

/** `sdk` is the default. */
export type BackendName = (typeof BACKENDS)[number]

export type ContextPlan = {
  provider: Provider
  /** An absolute path. Empty unless the provider is `file`. */
  dir: string
  /** Relative to `dir`, like the documents. */
  channel: string
  document: string
  documents: string[]
}

/** `cron` is a valid cron line. */
export type Wakeup = { every_seconds: number } | { cron: string }

export type AgentPlan = {
  name: string
  backend: BackendName
  model?: string
  /** The prompt itself, even if the workflow file names a prompt file. Empty if there is none. */
  system_prompt: string
  /** As in the file: sets of tools, or names that the backend knows. */
  tools: string[]
  command?: string[]
  timeout_seconds?: number
  max_turns?: number
  hops?: number
  wakeup?: Wakeup
}

/**
 * A part of a filled-in string. Mentions count in the file's own text and in params, which come from the person who
 * starts the workflow. They don't count in setup output or in the environment, which a stranger may have written.
 */
export type KickoffPiece = { text: string; mentions: boolean } | { setup: string }

/**
 * A setup command. `shell` has a variable for each `${{ x }}` in the file, and `values` lists what those variables
 * hold. A value never becomes part of the command.
 */
export type SetupStep = {
  shell: string
  written: string
  as?: string
  values: { variable: string; value: string | { setup: string } }[]
  /** The command's place in the file, for the message if it fails. */
  line: number
  column: number
}

export type ParamValue = string | number | boolean

export type WorkflowPlan = {
  name: string
  /** The absolute path of the file; empty for a standalone agent. */
  file: string
  instance: string
  /** The absolute path of the folder where setup and agents run. */
  cwd: string
  context: ContextPlan
  agents: AgentPlan[]
  setup: SetupStep[]
  kickoff?: KickoffPiece[]
  params: Record<string, ParamValue>
}

export type FilePlace = { line: number; column: number }

/** `file` is set only if the problem is in a prompt file, not in the workflow file. */
export type Problem = FilePlace & { what: string; remedy: string; file?: string }

/**
 * `places` maps a path such as `agents.coder.tools.0` to its place in the file. A warning is about something that works
 * but is probably a mistake.
 */
export type ReadWorkflow =
  | { plan: WorkflowPlan; places: Map<string, FilePlace>; warnings: Problem[] }
  /** `agents` lists the agents without problems, so that their backends can still be checked. */
  | { problems: Problem[]; places: Map<string, FilePlace>; agents: AgentPlan[] }

/** The output of setup, by the name given with `as`. */
export type SetupValues = ReadonlyMap<string, string>

/**
 * Text with the ranges, as UTF-16 offsets [from, to), where mentions count. A mention counts if all of it lies in one
 * range.
 */
export type Kickoff = { text: string; mentionable: [number, number][] }

/**
 * The most turns that one agent can take: in total for `workflow run`, per hour for `workflow start`. Its plan can
 * override this.
 */
const TURNS_OF_AGENT = 100
/** The most turns that all agents together can take in a `workflow run`. */
export const TURNS_IN_ALL = 500
/** The runner counts turns itself, to say why it ends. This keeps the broker's budget from interfering. */
const NO_BUDGET = 3600

/** Mentions have the type `custom`. A `status` is only informational, and a `cancel` asks the agent to stop. */
const WAKING = MAIL_TYPES.filter((type) => type !== 'status' && type !== 'cancel')

export function agentIdOf(
  { instance }: Pick<WorkflowPlan, 'instance'>,
  { name }: Pick<AgentPlan, 'name'>,
  standalone: boolean,
): string {
  return standalone ? name : `${name}@${instance}`
}

export function turnLimitOf({ max_turns }: Pick<AgentPlan, 'max_turns'>): number {
  return max_turns ?? TURNS_OF_AGENT
}

export function wakeSettingsOf(
  agent: AgentPlan,
  { command, cwd, mode, now }: { command: string[]; cwd: string; mode: InstanceMode; now: Instant },
): WakeSettings {
  const { timeout_seconds, hops, wakeup } = agent
  return {
    command,
    cwd,
    types: [...WAKING],
    ...(wakeup === undefined ? {} : { ...wakeup, timer_since: now }),
    ...(mode === 'run'
      ? { budget_per_hour: NO_BUDGET, max_turns: turnLimitOf(agent) }
      : { budget_per_hour: Math.min(turnLimitOf(agent), NO_BUDGET) }),
    ...(hops === undefined ? {} : { hop_limit: hops }),
    ...(timeout_seconds === undefined ? {} : { timeout_seconds }),
    // The agent works only in turns, so a call under its name must not delay its next turn.
    after_seconds: 0,
  }
}

/** The kickoff to send once setup has run. Undefined if the file has none. */
export function kickoffOf(
  { kickoff }: Pick<WorkflowPlan, 'kickoff'>,
  values: SetupValues,
): Kickoff | undefined {
  if (kickoff === undefined) return undefined
  let text = ''
  const mentionable: [number, number][] = []
  let open: [number, number] | undefined
  for (const piece of kickoff) {
    const from = text.length
    text += 'text' in piece ? piece.text : (values.get(piece.setup) ?? '')
    if ('setup' in piece || !piece.mentions) {
      open = undefined
      continue
    }
    // Text from the file and a param next to it form one range: @${{ params.who }} is a mention.
    if (open === undefined) {
      open = [from, text.length]
      mentionable.push(open)
    } else open[1] = text.length
  }
  return { text, mentionable }
}

/** Matches anything that looks like a mention, whether or not an agent has that name. */
const MENTION = /@([a-zA-Z][a-zA-Z0-9_-]*)/g

export type FileWarning = { path: string; what: string; remedy: string }

/** Things that work but are probably mistakes, such as a kickoff that starts no agent. */
export function warningsOf(plan: WorkflowPlan): FileWarning[] {
  const kickoff = kickoffOf(plan, new Map())
  if (kickoff === undefined) return []
  const names = plan.agents.map(({ name }) => name)
  const warnings: FileWarning[] = []
  if (mentionsIn(kickoff.text, { names, within: kickoff.mentionable }).length === 0) {
    const remedy = `mention one: ${names.map((name) => `@${name}`).join(', ')}`
    const what = 'the kickoff mentions no agent, so none begins'
    warnings.push({ path: 'kickoff', what, remedy })
  }
  const written = new Set([...kickoff.text.matchAll(MENTION)].map(([, name = '']) => name))
  for (const name of written) {
    if (names.includes(name) || name === USER) continue
    const meant = nearest(name, names)
    if (meant === undefined) continue
    const what = `the kickoff mentions @${name}, which is not an agent here`
    warnings.push({ path: 'kickoff', what, remedy: `write @${meant}` })
  }
  return warnings
}
