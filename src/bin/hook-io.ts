// Input and output for hooks: JSON that a client passes on standard input, and calls to a server.

import { isatty } from 'node:tty'
import type { Remote } from '../core/remote.ts'
import { parseExactJson } from '../ops/kit/exact-json.ts'

/** A client that passes input does so before it waits for the hook's output. */
const INPUT_PATIENCE_MS = 1000
const MOST_BYTES = 1024 * 1024

export async function readStdinJson(): Promise<unknown> {
  if (isatty(0)) return undefined
  const reader = Bun.stdin.stream().getReader()
  // An open reader would keep this process from exiting.
  const timer = setTimeout(() => void reader.cancel(), INPUT_PATIENCE_MS)
  try {
    const chunks: Uint8Array[] = []
    let length = 0
    for (;;) {
      const { value, done } = await reader.read()
      if (done) break
      chunks.push(value)
      length += value.length
      if (length > MOST_BYTES) break
    }
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
    // Keep numbers and names as they were written if two programs could read them differently.
    return parseExactJson(text)
  } catch {
    // Input that is empty, not UTF-8 or not JSON counts as none.
    return undefined
  } finally {
    clearTimeout(timer)
    await reader.cancel()
  }
}

/** A hook blocks an agent's turn, and the agent's program gives up on it after some seconds. */
const ANSWER_PATIENCE_MS = 3000

export const ask: Remote['ask'] = async (url, given) => {
  const response = await fetch(url, {
    ...(given && {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...given.headers },
      body: JSON.stringify(given.body),
    }),
    // The token is for the named server, not for one it redirects to.
    redirect: 'error',
    signal: AbortSignal.timeout(given?.patienceMs ?? ANSWER_PATIENCE_MS),
  })
  const text = await response.text()
  return { status: response.status, body: parseBody(text) }
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
