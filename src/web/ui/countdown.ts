// How much time is left: in minutes, and in seconds near the end.

const MINUTE = 60_000
const BY_SECONDS = 2 * MINUTE

export function countdown(until: string, now: number): string {
  const left = new Date(until).getTime() - now
  if (left <= 0) return '0:00'
  if (left >= BY_SECONDS) {
    const minutes = Math.floor(left / MINUTE)
    if (minutes < 60) return `${minutes} min`
    const rest = minutes % 60
    return rest === 0
      ? `${Math.floor(minutes / 60)} hr`
      : `${Math.floor(minutes / 60)} hr ${rest} min`
  }
  const seconds = Math.ceil(left / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
