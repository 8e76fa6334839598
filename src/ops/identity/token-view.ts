// A token as doors show it: everything but its secret, of which not even the digest goes out.

import { isGood, type StoredToken, type Token } from '../../core/identity/token.ts'
import type { Instant } from '../../core/time.ts'
import { aList, aRow, aText, orNull } from '../kit/answer.ts'

export type TokenView = Token & {
  /** `unusable` marks a token that came with the log of another store, which keeps no secrets. */
  state: 'good' | 'expired' | 'revoked' | 'unusable'
  /** Accurate to ten minutes; null when the token was never used. */
  last_used_at: Instant | null
}

export const TOKEN = aRow<TokenView>('token', 'what is known of it', {
  token_id: aText('its public id'),
  kind: aText('token, session or code'),
  principal_kind: aText('agent, person or service'),
  principal_name: aText('who it is for'),
  workspace_id: orNull(aText('the one workspace it may push from')),
  sets: aList(aText('a set'), 'the sets it is for; empty: all'),
  may: aList(aText('a grant'), 'what a service may do beside that'),
  label: aText('where it is used'),
  issued_by: aText('who made it'),
  issued_at: aText('when'),
  expires_at: orNull(aText('when it ends by itself')),
  revoked_at: orNull(aText('when it was ended')),
  state: aText('good, expired, revoked, or unusable: it came with the log of another store'),
  last_used_at: orNull(aText('accurate to ten minutes')),
})

export function viewToken(
  { hash, page_hash: _, last_used_at, ...token }: StoredToken,
  now: Instant,
): TokenView {
  const used = last_used_at === '' ? null : last_used_at
  if (token.revoked_at !== null) return { ...token, state: 'revoked', last_used_at: used }
  if (!isGood(token, now)) return { ...token, state: 'expired', last_used_at: used }
  return { ...token, state: hash === '' ? 'unusable' : 'good', last_used_at: used }
}
