// The program and session of a call, as the program itself reports them, so that a person who sees a push can go back
// there. It isn't proof.

import { CLIENTS } from '../../core/clients/client.ts'
import type { Context } from '../../ops/kit/operation.ts'

type CallOrigin = NonNullable<Context['origin']>

/** Codex sends this with each call. */
const CODEX_TURN = 'x-codex-turn-metadata'

export function originOf(
  known: CallOrigin | undefined,
  client: unknown,
  meta: Record<string, unknown> = {},
): CallOrigin {
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
 * In the older era a program gives its name once, when it connects, and then sends the session id it was given. The
 * server keeps no state between requests, so the id contains the name.
 */
export function sessionIdFor(message: unknown): string | undefined {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: object }
  if (method !== 'initialize') return undefined
  const { clientInfo } = (params ?? {}) as { clientInfo?: { name?: unknown } }
  const backend = backendNamed(clientInfo?.name)
  return backend === undefined ? undefined : `${backend}-${crypto.randomUUID()}`
}

/** The program's name, read back from the session id. */
export function clientIn(headers: Headers): { name: string } | undefined {
  const name = headers.get('mcp-session-id')
  return name === null ? undefined : { name }
}

/** The first word of `claude-code`, `codex-mcp-client` or `gemini-cli-mcp-client` is the program's name. */
function backendNamed(name: unknown): string | undefined {
  const first = text(name)
    ?.toLowerCase()
    .split(/[^a-z]/)[0]
  return CLIENTS.find((client) => client === first)
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
