// Where a shell's call comes from, as the environment of its process says. None of it is an argument.

import type { Context } from '../ops/kit/operation.ts'

/**
 * Variables that programs set for the shells of their agents, beside those below. They tell whose shell it is, and not
 * which session.
 */
const PROGRAM_OF: Record<string, string> = {
  CLAUDECODE: 'claude',
  CLAUDE_CODE_ENTRYPOINT: 'claude',
  CODEX_THREAD_ID: 'codex',
  CODEX_SANDBOX: 'codex',
  CODEX_SANDBOX_NETWORK_DISABLED: 'codex',
  CURSOR_AGENT: 'cursor',
  GEMINI_CLI: 'gemini',
  OPENCODE: 'opencode',
}

/**
 * The variables are set by the program that starts an agent, or by the agent's own program, which names its
 * session.
 */
export function originFrom(env: NodeJS.ProcessEnv, cwd: string | undefined) {
  const claude = env.CLAUDE_CODE_SESSION_ID
  const backend = env.INBOX_BACKEND ?? (claude === undefined ? undefined : 'claude')
  const session = env.INBOX_SESSION ?? (backend === 'claude' ? claude : undefined)
  const origin: NonNullable<Context['origin']> = {}
  const [, program = backend] =
    Object.entries(PROGRAM_OF).find(([name]) => (env[name] ?? '') !== '') ?? []
  if (backend !== undefined) origin.backend = backend
  if (program !== undefined) origin.program = program
  if (session !== undefined) origin.session = session
  if (cwd !== undefined) origin.folder = cwd
  return origin
}
