// Where a shell's call comes from, as the environment of its process says. None of it is an argument.

import type { Context } from '../ops/kit/operation.ts'

/**
 * The variables are set by the program that starts an agent, or by the agent's own program, which names its
 * session.
 */
export function originFrom(env: NodeJS.ProcessEnv, cwd: string | undefined) {
  const claude = env.CLAUDE_CODE_SESSION_ID
  const backend = env.INBOX_BACKEND ?? (claude === undefined ? undefined : 'claude')
  const session = env.INBOX_SESSION ?? (backend === 'claude' ? claude : undefined)
  const origin: NonNullable<Context['origin']> = {}
  if (backend !== undefined) origin.backend = backend
  if (session !== undefined) origin.session = session
  if (cwd !== undefined) origin.folder = cwd
  return origin
}
