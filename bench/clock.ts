// A clock that all processes of a machine share. Bun's own clocks (performance.now, process.hrtime) start with each
// process, so they can't be compared between processes.

import { dlopen, ptr, suffix } from 'bun:ffi'

const CLOCK_MONOTONIC = process.platform === 'darwin' ? 6 : 1
const library = process.platform === 'darwin' ? `libSystem.B.${suffix}` : `libc.${suffix}.6`
const { symbols } = dlopen(library, {
  clock_gettime: { args: ['i32', 'ptr'], returns: 'i32' },
})
const time = new BigInt64Array(2)
const address = ptr(time)

export function sharedMs(): number {
  symbols.clock_gettime(CLOCK_MONOTONIC, address)
  return Number(time[0]) * 1000 + Number(time[1]) / 1e6
}
