/** Returns `1 message`, `2 messages` and so on. */
export function amountOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
