// The bell, a port. A ring is advisory: it may be lost, doubled or late without harm, because a waiter that
// hears it looks at the store, and looks now and then by itself.

export interface Bell {
  /** No ring of this bell is ever swallowed, so a waiter need not look twice. */
  readonly isSure?: true
  /** Tells other processes to look. Called after the commit; never fails the caller. */
  ring(): void
  /**
   * Calls back on every ring until disarmed. Resolves once rings can no longer be missed. A waiter that
   * says what it is about (threads, and recipients of deliveries) may be spared rings for others.
   */
  arm(onRing: () => void, about?: readonly string[]): Promise<() => void>
  close(): Promise<void>
}
