// What whoever started this process wrote to its standard input.

import { isatty } from 'node:tty'

/** A program that is going to say something does so before it waits for an answer. */
const PATIENCE_MS = 1000
const MOST_BYTES = 1024 * 1024

export async function told(): Promise<unknown> {
  if (isatty(0)) return undefined
  const reader = Bun.stdin.stream().getReader()
  // Left open, it would keep this process from ending.
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
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    // Nothing, or nothing that could be understood: it said nothing.
    return undefined
  } finally {
    clearTimeout(timer)
    await reader.cancel()
  }
}
