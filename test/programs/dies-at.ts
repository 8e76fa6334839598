// Preloaded: the process kills itself just before its Nth change of a file, where N is MAILROOM_DIES_AT. A program that
// makes fewer changes survives.

import fs from 'node:fs'

let left = Number(process.env.MAILROOM_DIES_AT)

const CHANGES = ['writeFileSync', 'renameSync', 'rmSync', 'rmdirSync', 'mkdirSync'] as const

const calls = fs as unknown as Record<string, (...given: unknown[]) => unknown>
for (const name of CHANGES) {
  const change = calls[name] as (...given: unknown[]) => unknown
  calls[name] = (...given) => {
    left -= 1
    if (left === 0) process.kill(process.pid, 'SIGKILL')
    return change.apply(fs, given)
  }
}
