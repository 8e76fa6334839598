// A line of the log that thousands may cause at once: one a second is enough to know of it, and how often.

import type { LogLine } from './site.ts'

const REST_MS = 1000

export function quietly(log: (line: LogLine) => void): (line: LogLine) => void {
  let saidAt = Number.NEGATIVE_INFINITY
  let unsaid = 0
  return (line) => {
    const now = performance.now()
    if (now - saidAt < REST_MS) {
      unsaid += 1
      return
    }
    saidAt = now
    log(unsaid === 0 ? line : { ...line, unsaid })
    unsaid = 0
  }
}
