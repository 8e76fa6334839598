// The signals that ask a command to end gracefully: Ctrl-C, SIGTERM, and SIGHUP when its terminal closes.

import fs from 'node:fs'

let isClosed = false

/** Whether the terminal was closed, so that no one reads what is written there. */
export const hasHungUp = () => isClosed

export function onInterrupt() {
  const controller = new AbortController()
  let number = 0
  const end = (value: number) => {
    if (number === 0) number = value
    controller.abort()
  }
  process.once('SIGINT', () => end(2))
  process.once('SIGTERM', () => end(15))
  // A closing terminal may send it twice, and under nohup programs go on.
  if (!isHangupIgnored()) {
    process.on('SIGHUP', () => {
      isClosed = true
      end(1)
    })
  }
  return { signal: controller.signal, number: () => number }
}

/** Whether this process was started to ignore SIGHUP. Known only on Linux. */
function isHangupIgnored(): boolean {
  try {
    const status = fs.readFileSync('/proc/self/status', 'utf8')
    const ignored = /^SigIgn:\s*[0-9a-f]*([0-9a-f])$/m.exec(status)?.[1] ?? '0'
    return (Number.parseInt(ignored, 16) & 1) === 1
  } catch {
    return false
  }
}
