// From which program a call comes and from which of its sessions, as far as the program says so by itself.
// A person who is shown something wants to go back there. It is no proof of anything.

import { BACKENDS } from '../../core/push.ts'
import type { Context } from '../../ops/operation.ts'

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

/** `claude-code`, `codex-mcp-client`, `gemini-cli-mcp-client`: the first word is the program's. */
function backendNamed(name: unknown): string | undefined {
  const first = text(name)
    ?.toLowerCase()
    .split(/[^a-z]/)[0]
  return BACKENDS.find((backend) => backend === first)
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
