// MCP on this process's own standard input and output.

import { serveOverStdio } from '../doors/mcp/stdio.ts'
import type { SpeakMcp } from '../ops/operation.ts'
import type { Mailroom } from './compose.ts'
import { VERSION } from './version.gen.ts'

export function speakMcp(
  { close: _, ...room }: Mailroom,
  { principal, sets, origin, signal }: Parameters<SpeakMcp>[0],
): Promise<void> {
  const house = { ...room, ...(origin && { origin }) }
  const serving = { principal, sets, house, version: VERSION, report }
  return serveOverStdio(serving, [process.stdin, process.stdout], signal)
}

/** Standard output is the protocol's. What went wrong is for whoever asked to see it. */
function report(error: unknown): void {
  if (process.env.INBOX_DEBUG === '1') {
    console.error(`inbox mcp: ${(error as Error)?.stack ?? String(error)}`)
  }
}
