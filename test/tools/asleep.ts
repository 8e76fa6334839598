// When a program that was started to wait is really waiting: it watches its bell and looks no more.

import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

type Process = { pid: number; exitCode: number | null; signalCode: string | number | null }

/** A program on its way to sleep rests for less: it waits for a file, for its turn at the processor, or for
 *  its second look, 50 ms after a ring. */
const LOOKS_AT_REST = 16

/** Returns when the process sleeps with its bell armed, or has ended. */
export async function untilAsleep(child: Process): Promise<void> {
  // Without /proc (macOS) a moment is enough for a program that starts in ten milliseconds.
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

/** The same twice: it has slept all the while. Empty: it does not sleep, or is gone. */
function restOf(pid: number): string {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    if (!/^State:\tS/m.test(status)) return ''
    return status.match(/^voluntary_ctxt_switches:.*$/m)?.[0] ?? ''
  } catch {
    // Gone.
    return ''
  }
}
