// A backend takes one turn of a workflow's agent: it starts a program, gives it the mail and access to the tools, and
// reports how it ended.
//
// (1) The program stays in the process group of the turn, which its supervisor ends as a whole, also when the turn is
//     killed. A backend never starts a group of its own.
// (2) A backend reads nothing from this process: the folder, the variables and the signal to stop come with the task.
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

/** The part of an agent's plan that a backend judges before anything starts. */
export type BackendAgent = {
  name: string
  backend: string
  model?: string | undefined
  tools: readonly string[]
  command?: readonly string[] | undefined
}

/** A line of a turn's log. */
export type TurnLine = { kind: 'text' | 'tool' | 'error'; text: string }

/** The words that start the server of the tools over standard input and output. */
export type ToolServer = {
  command: string
  args: string[]
  env: Record<string, string>
  socket?: string | undefined
  url?: string | undefined
}

export type TurnTask = {
  /** NAME@INSTANCE, or NAME of an agent that stands alone. */
  agent_id: string
  name: string
  instance: string
  model?: string | undefined
  system: string
  prompt: string
  mail: readonly object[]
  tools: readonly string[]
  command?: readonly string[] | undefined
  /** The session of the turn before, if the backend named one. */
  session: string | null
  /** The folder in which the program works. */
  cwd: string
  /** A private folder of this agent alone, which lasts from turn to turn. */
  folder: string
  /** The folder of the instance, where the generated `mcp.json` goes; without one it goes to the private folder. */
  dir?: string | undefined
  mcp: ToolServer
  /** All variables of the program; the backend adds its own. */
  env: Record<string, string>
  /** The process of the turn; `thisProcess` in src/bin makes it. */
  living: LivingProcess
  signal: AbortSignal
  tell: (line: TurnLine) => void
}

export type TurnResult = {
  ok: boolean
  exit: number | null
  session: string | null
  /** The program's last words. */
  last: string
  /** Says why the turn failed. */
  why?: string
}

/** The machine, as far as a plan is checked against it. */
export type MachineLook = {
  which: (program: string) => string | null
  env: Readonly<Record<string, string | undefined>>
}

export type Backend = {
  name: string
  /** The names of its own that an agent's `tools` may hold, beside our sets. */
  tools: readonly string[]
  /** The problems of an agent, each a sentence with its remedy. */
  check: (agent: BackendAgent, look: MachineLook) => string[]
  run: (task: TurnTask) => Promise<TurnResult>
}

/** Each is loaded when an agent needs it. */
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
  if (load === undefined) {
    throw refuse(
      'invalid_input',
      `there is no backend ${JSON.stringify(name)}; the backends are ${BACKENDS.join(', ')}`,
    )
  }
  return load()
}
