// From which program a call comes and from which of its sessions, as far as the program says so by itself.
// A person who is shown something wants to go back there. It is no proof of anything.

import { CLIENTS } from '../../core/clients/client.ts'
import type { Context } from '../../ops/kit/operation.ts'

type Origin = NonNullable<Context['origin']>

/** What one of the clients sends along with each call. */
const CODEX_TURN = 'x-codex-turn-metadata'

export function originOf(
  known: Origin | undefined,
  client: unknown,
  meta: Record<string, unknown> = {},
): Origin {
  const named =
    backendNamed((client as { name?: unknown } | undefined)?.name) ??
    (CODEX_TURN in meta ? 'codex' : undefined)
  const backend = known?.backend ?? named
  const session = known?.session ?? (backend === 'codex' ? text(meta.threadId) : undefined)
  return {
    ...known,
    ...(backend === undefined ? {} : { backend }),
    ...(session === undefined ? {} : { session }),
  }
}

/**
 * In the older era a program says its name once, when it begins, and then sends along what it was given as its
 * session. Nothing is kept here between its requests; so the name is in that.
 */
export function sessionOf(message: unknown): string | undefined {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: object }
  if (method !== 'initialize') return undefined
  const { clientInfo } = (params ?? {}) as { clientInfo?: { name?: unknown } }
  const backend = backendNamed(clientInfo?.name)
  return backend === undefined ? undefined : `${backend}-${crypto.randomUUID()}`
}

/** The program by what was given to it as its session. */
export function clientIn(headers: Headers): { name: string } | undefined {
  const name = headers.get('mcp-session-id')
  return name === null ? undefined : { name }
}

/** `claude-code`, `codex-mcp-client`, `gemini-cli-mcp-client`: the first word is the program's. */
function backendNamed(name: unknown): string | undefined {
  const first = text(name)
    ?.toLowerCase()
    .split(/[^a-z]/)[0]
  return CLIENTS.find((client) => client === first)
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
