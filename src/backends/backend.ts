// A backend runs one turn of a workflow's agent: it starts a program, gives it the mail and access to the tools, and
// reports how it ended.
// (1) The program stays in the turn's process group. The turn's supervisor ends that whole group, even when the turn is
//     killed, so a backend never starts a separate group.
// (2) A backend reads nothing from this process: the folder, the environment variables and the stop signal come with
//     the task.
// (3) All output of a program is bounded before it's kept or reported.

import { refuse } from '../core/error.ts'
import type { LivingProcess } from './flag-lock.ts'

export const BACKENDS = [
  'sdk',
  'claude',
  'codex',
  'opencode',
  'cursor',
  'gemini',
  'command',
] as const

/** The part of an agent's plan that a backend checks before anything starts. */
export type BackendAgent = {
  name: string
  backend: string
  model?: string | undefined
  tools: readonly string[]
  command?: readonly string[] | undefined
}

export type TurnLine = { kind: 'text' | 'tool' | 'error'; text: string }

/** The command line that starts the tool server on standard input and output. */
export type ToolServer = {
  command: string
  args: string[]
  env: Record<string, string>
  socket?: string | undefined
  url?: string | undefined
}

export type TurnTask = {
  /** NAME@INSTANCE, or NAME for a standalone agent. */
  agent_id: string
  name: string
  instance: string
  model?: string | undefined
  system: string
  prompt: string
  mail: readonly object[]
  tools: readonly string[]
  command?: readonly string[] | undefined
  /** The session of the previous turn, if the backend named one. */
  session: string | null
  cwd: string
  /** The agent's private folder, kept from turn to turn. */
  folder: string
  /** The instance's folder, for the generated `mcp.json`. If undefined, the file goes into the private folder. */
  dir?: string | undefined
  mcp: ToolServer
  /** The program's environment; the backend adds to it. */
  env: Record<string, string>
  /** The process that runs the turn, from `thisProcess` in src/bin. */
  living: LivingProcess
  signal: AbortSignal
  tell: (line: TurnLine) => void
}

export type TurnResult = {
  ok: boolean
  exit: number | null
  session: string | null
  last: string
  why?: string
}

/** What plan checks need to know about the machine. */
export type MachineLook = {
  which: (program: string) => string | null
  env: Readonly<Record<string, string | undefined>>
}

export type Backend = {
  name: string
  /** Names that an agent's `tools` can contain for this backend, in addition to our tool sets. */
  tools: readonly string[]
  /** Returns the problems with the agent, each as a sentence that includes the remedy. */
  check: (agent: BackendAgent, look: MachineLook) => string[]
  run: (task: TurnTask) => Promise<TurnResult>
}

/** Loads each backend only when an agent needs it. */
const LOADERS: Record<string, () => Promise<Backend>> = {
  claude: async () => (await import('./claude.ts')).CLAUDE,
  codex: async () => (await import('./codex.ts')).CODEX,
  opencode: async () => (await import('./opencode.ts')).OPENCODE,
  cursor: async () => (await import('./cursor.ts')).CURSOR,
  gemini: async () => (await import('./gemini.ts')).GEMINI,
  command: async () => (await import('./command.ts')).COMMAND,
  sdk: async () => (await import('./sdk.ts')).SDK,
}

export async function backendOf(name: string): Promise<Backend> {
  const load = Object.hasOwn(LOADERS, name) ? LOADERS[name] : undefined
  if (load === undefined)
    throw refuse.invalid_input`there is no backend ${JSON.stringify(name)}; the backends are ${BACKENDS.join(', ')}`
  return load()
}
