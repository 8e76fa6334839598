// The bell, a port. A ring is advisory: it may be lost, doubled or late without harm, because whoever hears
// it looks at the store, and looks again now and then by itself.

export interface Bell {
  /** No ring of it is ever swallowed: whoever hears one need not look twice. */
  readonly isSure?: true
  /** Tells other processes to look. Called after the commit; never fails the caller. */
  ring(): void
  /**
   * Calls back on every ring until disarmed. Resolves once rings can no longer be missed. Who says what it
   * waits for (threads, and those to whom something may be delivered) may be spared rings for others.
   */
  arm(onRing: () => void, about?: readonly string[]): Promise<() => void>
  close(): Promise<void>
}
