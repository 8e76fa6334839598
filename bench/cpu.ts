// What a process has cost so far. Linux only.

import { readdirSync, readFileSync } from 'node:fs'

/** Time on a core of all threads, in the kernel's own nanoseconds rather than its 10 ms ticks. */
export function cpuMs(pid: number): number {
  const ns = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  )
  return ns.reduce((sum, one) => sum + one, 0) / 1e6
}
