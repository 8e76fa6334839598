// A token as doors show it: everything but its secret, of which not even the digest goes out.

import { isGood, type StoredToken, type Token } from '../../core/identity/token.ts'
import type { Instant } from '../../core/time.ts'

export type TokenView = Token & {
  /** `unusable`: it came with the log of another store, which keeps no secrets. */
  state: 'good' | 'expired' | 'revoked' | 'unusable'
  /** To within ten minutes; null when it never was. */
  last_used_at: Instant | null
}

export function viewToken({ hash, last_used_at, ...token }: StoredToken, now: Instant): TokenView {
  const used = last_used_at === '' ? null : last_used_at
  if (token.revoked_at !== null) return { ...token, state: 'revoked', last_used_at: used }
  if (!isGood(token, now)) return { ...token, state: 'expired', last_used_at: used }
  return { ...token, state: hash === '' ? 'unusable' : 'good', last_used_at: used }
}
