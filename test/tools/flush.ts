import { buildShim } from './shim.ts'

/** The environment variables for a program in which every fsync and fdatasync takes delayMs longer. */
export function slowFlush(delayMs: number): Record<string, string> {
  return {
    LD_PRELOAD: buildShim('flush'),
    FLUSH_DELAY_US: String(Math.round(delayMs * 1000)),
  }
}
