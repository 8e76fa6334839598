// The plan of a workflow: what its file says, read, checked and filled in, except for the output of setup. A plan is
// plain JSON, so that a runner can keep it in a file and a turn can read it back.

import type { BACKENDS } from '../backends/backend.ts'
import type { Provider } from '../core/workflows/instance.ts'

/** A file that names none means `sdk`. */
export type BackendName = (typeof BACKENDS)[number]

export type ContextPlan = {
  provider: Provider
  /** Absolute. Empty where the provider is not `file`. */
  dir: string
  /** Relative to `dir`, as are the documents. */
  channel: string
  document: string
  documents: string[]
}

/** `cron` has passed the parser of cron lines. */
export type Wakeup = { every_seconds: number } | { cron: string }

export type AgentPlan = {
  name: string
  backend: BackendName
  model?: string
  /** The text itself, also where the file named a file. Empty where there is none. */
  system_prompt: string
  /** The words of the file: sets of tools, or names that the backend knows. */
  tools: string[]
  command?: string[]
  timeout_seconds?: number
  max_turns?: number
  hops?: number
  wakeup?: Wakeup
}

/**
 * A part of a text. Mentions count in the words of the file and in params, which whoever runs the file gives. They do
 * not count in what comes from setup or the environment, because a stranger may have written that.
 */
export type KickoffPiece = { text: string; mentions: boolean } | { setup: string }

/**
 * A command of setup. Where the file has `${{ x }}`, `shell` has a variable, and `values` says what it holds: a value
 * never becomes a part of the command.
 */
export type SetupStep = {
  shell: string
  /** The same as the file has it, for people. */
  written: string
  as?: string
  values: { variable: string; value: string | { setup: string } }[]
  /** Where it stands in the file, for what is said when it fails. */
  line: number
  column: number
}

export type ParamValue = string | number | boolean

export type WorkflowPlan = {
  name: string
  /** The absolute path of the file, or empty for a standalone agent. */
  file: string
  instance: string
  /** The folder in which setup and agents run. Absolute. */
  cwd: string
  context: ContextPlan
  agents: AgentPlan[]
  setup: SetupStep[]
  kickoff?: KickoffPiece[]
  params: Record<string, ParamValue>
}

export type FilePlace = { line: number; column: number }

/** `file` is given where it is not the workflow's own: a file with a system prompt. */
export type Problem = FilePlace & { what: string; remedy: string; file?: string }

/**
 * `places` finds a value again: its key is the path, as in `agents.coder.tools.0`. A warning is about something that
 * works and is hardly meant.
 */
export type ReadWorkflow =
  | { plan: WorkflowPlan; places: Map<string, FilePlace>; warnings: Problem[] }
  /** The agents are those of which nothing was said, for a look at what their backends know. */
  | { problems: Problem[]; places: Map<string, FilePlace>; agents: AgentPlan[] }

/** The output of setup, by the name that `as` gives. */
export type SetupValues = ReadonlyMap<string, string>

/**
 * Text with the ranges of it, as UTF-16 offsets [from, to), in which a mention counts. A mention counts if all of it
 * lies in one range.
 */
export type Kickoff = { text: string; mentionable: [number, number][] }
