// The bell, a port. A ring is only a hint: losing, doubling or delaying it does no harm, because a waiter that gets
// one checks the store, and checks now and then anyway.

export interface Bell {
  /** This bell never loses a ring, so a waiter only needs to check the store once per ring. */
  readonly isSure?: true
  /** Tells other processes to check the store. Called after the commit; never throws. */
  ring(): void
  /**
   * Calls back on every ring until disarmed. Resolves once rings can no longer be missed. If a waiter names its threads
   * and recipients, rings about others may be skipped.
   */
  arm(onRing: () => void, about?: readonly string[]): Promise<() => void>
  close(): Promise<void>
}
