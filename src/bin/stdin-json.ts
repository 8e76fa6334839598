// Reads what the caller's program wrote to standard input, such as the JSON that a client gives its hooks.

import { isatty } from 'node:tty'
import { parseKeeping } from '../ops/kit/parse-keeping.ts'

/** A program that is going to write does so before it waits for an answer. */
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
    // A number or a name that two programs could read in two ways must be seen, and not read one way.
    return parseKeeping(text)
  } catch {
    // The input was empty, no text or not JSON, which is the same as no input.
    return undefined
  } finally {
    clearTimeout(timer)
    await reader.cancel()
  }
}
