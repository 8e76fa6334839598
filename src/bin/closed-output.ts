// Distinguishes an output that the caller closed from one that it redirected to the null device.

import fs from 'node:fs'

const CLOSE_ON_EXEC = 0o2000000

/**
 * Whether the program was started with this output closed, as in `inbox mail read >&-`. The runtime then opens the null device
 * in its place. Unlike one that the caller named, it has close-on-exec set. Known only on Linux.
 */
export function wasClosed(fd: number): boolean {
  if (!fs.fstatSync(fd).isCharacterDevice()) return false
  try {
    if (fs.readlinkSync(`/proc/self/fd/${fd}`) !== '/dev/null') return false
    const [, flags = '0'] =
      /^flags:\s*([0-7]+)/m.exec(fs.readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')) ?? []
    return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) !== 0
  } catch {
    // Without /proc, the output counts as read.
    return false
  }
}
