// Limits log lines an outsider could cause endlessly to a few per second. The next line says how many were left out.

import type { ServerLogLine } from './site.ts'

type Log = (line: ServerLogLine) => void

export function makeLimitedLog(
  log: Log,
  most: number,
  now: () => number = () => performance.now(),
): Log {
  let second = -1
  let written = 0
  let unsaid = 0
  return (line) => {
    const current = Math.floor(now() / 1000)
    if (current !== second) written = 0
    second = current
    if (written === most) {
      unsaid += 1
      return
    }
    written += 1
    log(unsaid === 0 ? line : { ...line, unsaid })
    unsaid = 0
  }
}
