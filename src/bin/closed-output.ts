// Tells an output that nobody has from one that somebody threw away.

import fs from 'node:fs'

const CLOSE_ON_EXEC = 0o2000000

/**
 * Whether the program was started with this output closed, as in `inbox mail read >&-`. The runtime then puts the null
 * device in its place, which takes everything; unlike one that the caller named, it is closed in programs that this one
 * starts. Only Linux tells.
 */
export function wasClosed(fd: number): boolean {
  if (!fs.fstatSync(fd).isCharacterDevice()) return false
  try {
    if (fs.readlinkSync(`/proc/self/fd/${fd}`) !== '/dev/null') return false
    const [, flags = '0'] =
      /^flags:\s*([0-7]+)/m.exec(fs.readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')) ?? []
    return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) !== 0
  } catch {
    // There is no /proc: whoever closed its output is believed to have read it.
    return false
  }
}
