// A log in which somebody outside could make lines as often as it likes, kept to so many a second. How many were
// left out is said with the next.

import type { LogLine } from './site.ts'

type Log = (line: LogLine) => void

export function sparing(log: Log, most: number, now: () => number = () => performance.now()): Log {
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
