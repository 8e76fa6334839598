// The processor time that a process has used so far. Linux only.

import { readdirSync, readFileSync } from 'node:fs'

/** Processor time of all threads, in the kernel's own nanoseconds rather than its 10 ms ticks. */
export function cpuMs(pid: number): number {
  return sumOf(threadsMs(pid))
}

/** Returns how much of one core a process uses during the next `seconds`, in percent. */
export async function cpuShare(pid: number, seconds: number): Promise<number> {
  const before = threadsMs(pid)
  const ticksBefore = ticksMs(pid)
  await Bun.sleep(seconds * 1000)
  const after = threadsMs(pid)
  // The nanoseconds of a thread that has ended are lost, but the process's ticks include them.
  const isWhole = Object.keys(before).every((thread) => after[thread] !== undefined)
  const spent = isWhole ? sumOf(after) - sumOf(before) : ticksMs(pid) - ticksBefore
  return (spent / (seconds * 1000)) * 100
}

function sumOf(threads: Record<string, number>): number {
  return Object.values(threads).reduce((sum, one) => sum + one, 0)
}

function threadsMs(pid: number): Record<string, number> {
  const entries = readdirSync(`/proc/${pid}/task`).map((thread) => {
    const [ns] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
    return [thread, Number(ns) / 1e6]
  })
  return Object.fromEntries(entries)
}

function ticksMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // utime and stime. Linux reports them to programs in ticks, 100 per second.
  return (Number(fields[11]) + Number(fields[12])) * 10
}
