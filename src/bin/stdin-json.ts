// Reads JSON from standard input, such as a client gives its hooks.

import { isatty } from 'node:tty'
import { parseExactJson } from '../ops/kit/exact-json.ts'

/** A program that writes input does so before it waits for an answer. */
const PATIENCE_MS = 1000
const MOST_BYTES = 1024 * 1024

export async function readStdinJson(): Promise<unknown> {
  if (isatty(0)) return undefined
  const reader = Bun.stdin.stream().getReader()
  // An open reader would keep this process from ending.
  const timer = setTimeout(() => void reader.cancel(), PATIENCE_MS)
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
    // Keep a number or name that two programs could read differently as it was written.
    return parseExactJson(text)
  } catch {
    // Input that is empty, not UTF-8 or not JSON counts as none.
    return undefined
  } finally {
    clearTimeout(timer)
    await reader.cancel()
  }
}
