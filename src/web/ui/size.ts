/** The size of a file in a readable unit. */
export function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${Math.round(bytes / 100) / 10} kB`
  return `${Math.round(bytes / 100_000) / 10} MB`
}
