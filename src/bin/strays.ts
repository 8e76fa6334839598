// Ends the processes of a turn that have left its process group, as a program does that calls setsid. Linux shows with
// which variables each process was started, and INBOX_WAKE is another in every turn. Other systems do not show it; there
// such a process goes on.

import fs from 'node:fs'

/** A process may start another while we look. */
const LOOKS = 3

export function endStrays(wake: string): void {
  for (let look = 1; look <= LOOKS; look += 1) if (!endOnce(`\0INBOX_WAKE=${wake}\0`)) return
}

function endOnce(sign: string): boolean {
  let ended = false
  for (const name of processes()) {
    try {
      const variables = fs.readFileSync(`/proc/${name}/environ`, 'latin1')
      if (!`\0${variables}`.includes(sign) || Number(name) === process.pid) continue
      process.kill(Number(name), 'SIGKILL')
      ended = true
    } catch {
      // The process is gone, or another user's.
    }
  }
  return ended
}

function processes(): string[] {
  try {
    return fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    // This system has no such folder.
    return []
  }
}
