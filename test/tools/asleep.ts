// Detects when a program that was started to wait is really waiting: it watches its bell and has stopped polling.

import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

type Process = { pid: number; exitCode: number | null; signalCode: string | number | null }

/** Longer than any pause before a program sleeps: for a file, the CPU, or its second check 50 ms after a ring. */
const LOOKS_AT_REST = 16

/** Returns when the process sleeps with its bell armed, or has ended. */
export async function untilAsleep(child: Process): Promise<void> {
  // Without /proc (macOS), a short wait is enough for a program that starts in ten milliseconds.
  if (!existsSync('/proc/self/fd')) return Bun.sleep(500)
  let looks = 0
  let before = ''
  while (!isOver(child)) {
    const rest = watches(child.pid) ? restOf(child.pid) : ''
    looks = rest !== '' && rest === before ? looks + 1 : 0
    if (looks === LOOKS_AT_REST) return
    before = rest
    await Bun.sleep(5)
  }
}

/** Whether it has exited or was killed by a signal, which leaves no exit code. */
export function isOver({ exitCode, signalCode }: Process): boolean {
  return exitCode !== null || signalCode !== null
}

function watches(pid: number): boolean {
  const folder = `/proc/${pid}/fd`
  try {
    return readdirSync(folder).some((fd) => target(join(folder, fd)) === 'anon_inode:inotify')
  } catch {
    // The process is gone. The caller will see that it has ended.
    return false
  }
}

function target(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    // The file was closed between the listing and this call.
    return ''
  }
}

/** The context switch count, which stays the same while the process sleeps. Empty if it isn't asleep or is gone. */
function restOf(pid: number): string {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    if (!/^State:\tS/m.test(status)) return ''
    return status.match(/^voluntary_ctxt_switches:.*$/m)?.[0] ?? ''
  } catch {
    // The process is gone.
    return ''
  }
}
