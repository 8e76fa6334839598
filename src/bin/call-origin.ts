// Where a shell's call comes from, according to the environment. No argument can set it.

import type { Context } from '../ops/kit/operation.ts'

/** Variables that programs set for their agents' shells. They say which program it is, but not which session. */
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

/** INBOX_ variables come from the program that starts an agent; the others from the agent's program. */
export function readOrigin(env: NodeJS.ProcessEnv, cwd: string | undefined) {
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
