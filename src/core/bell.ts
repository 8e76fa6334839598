// The bell, a port. A ring is only a hint: losing, doubling or delaying it does no harm, because waiters check the
// store on every ring and also from time to time without one.

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
