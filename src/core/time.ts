// A moment is an ISO 8601 string in UTC with milliseconds. The width is fixed, so sorting the strings sorts the times,
// and the database, memory and JSON all use the same value.

export type Instant = string

export function toInstant(epochMs: number): Instant {
  return new Date(epochMs).toISOString()
}

export function epochMs(at: Instant): number {
  return Date.parse(at)
}

export function plusSeconds(at: Instant, seconds: number): Instant {
  return toInstant(epochMs(at) + seconds * 1000)
}

export function latest(a: Instant, b: Instant): Instant {
  return a > b ? a : b
}
