// MCP on this process's own standard input and output.

import { serveOverStdio } from '../doors/mcp/stdio.ts'
import type { SpeakMcp } from '../ops/shell.ts'
import type { Mailroom } from './compose.ts'
import { VERSION } from './version.gen.ts'

/** The store is opened, and if need be made, when something of it is asked for. */
export async function speakMcp(
  open: () => Promise<Mailroom>,
  { principal, sets, origin, signal }: Parameters<SpeakMcp>[0],
): Promise<void> {
  let opened: Promise<Mailroom> | undefined
  const house = async () => {
    opened ??= open()
    const { close: _, ...room } = await opened
    return { ...room, ...(origin && { origin }) }
  }
  const serving = { principal, sets, house, version: VERSION, report }
  try {
    await serveOverStdio(serving, [process.stdin, process.stdout], signal)
  } finally {
    await (await opened)?.close()
  }
}

/** Standard output is the protocol's. What went wrong is for whoever asked to see it. */
function report(error: unknown): void {
  if (process.env.INBOX_DEBUG === '1') {
    console.error(`inbox mcp: ${(error as Error)?.stack ?? String(error)}`)
  }
}
