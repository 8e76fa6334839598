// A span of time as people write it: 30s, 10m, 2h, 1d, or a number of seconds.

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** Undefined for what is no span. */
export function secondsOf(written: string | number): number | undefined {
  if (typeof written === 'number') return Number.isInteger(written) ? written : undefined
  const [, digits = '', unit = 's'] = /^(\d{1,9})([smhd])?$/.exec(written.trim()) ?? []
  const factor = UNITS[unit]
  return digits === '' || factor === undefined ? undefined : Number(digits) * factor
}
