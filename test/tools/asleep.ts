// When a program that was started to wait is really waiting: it watches its bell and looks no more.

import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

type Process = { pid: number; exitCode: number | null; signalCode: string | number | null }

/** Returns when the process sleeps with its bell armed, or has ended. */
export async function untilAsleep(child: Process): Promise<void> {
  // Without /proc (macOS) a moment is enough for a program that starts in ten milliseconds.
  if (!existsSync('/proc/self/fd')) return Bun.sleep(500)
  while (!isOver(child)) {
    if (watches(child.pid) && isSleeping(child.pid)) return
    await Bun.sleep(5)
  }
}

/** Ended by itself, or by a signal: then there is no exit code. */
export function isOver({ exitCode, signalCode }: Process): boolean {
  return exitCode !== null || signalCode !== null
}

function watches(pid: number): boolean {
  const folder = `/proc/${pid}/fd`
  try {
    return readdirSync(folder).some((fd) => target(join(folder, fd)) === 'anon_inode:inotify')
  } catch {
    // Gone: the caller sees that it has ended.
    return false
  }
}

function target(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    // Closed between the listing and the look.
    return ''
  }
}

function isSleeping(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('S')
  } catch {
    // Gone.
    return false
  }
}
