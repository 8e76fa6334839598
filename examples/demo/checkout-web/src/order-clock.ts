/** One moment for a whole order: whatever takes long in between, the day stays the day. */
export class OrderClock {
  readonly #at: Date

  constructor(now: () => Date = () => new Date()) {
    this.#at = now()
  }

  day(zone: string): string {
    return this.#at.toLocaleDateString('en-CA', { timeZone: zone })
  }
}
