import { isGood, type StoredToken, type Token } from '../../core/identity/token.ts'
import { TOKEN_KINDS } from '../../core/identity/token-record.ts'
import type { Instant } from '../../core/time.ts'
import { aList, aRow, aText, CURSOR, MORE, orNull } from '../kit/answer.ts'
import { byDefault, flag, int, name } from '../kit/field.ts'
import { PEOPLE, query } from '../kit/operation.ts'

/** A token's data, without its secret or the secret's digest. */
export type TokenView = Token & {
  /** `unusable`: the token was imported with the log of another store, and logs don't contain secrets. */
  state: 'good' | 'expired' | 'revoked' | 'unusable'
  /** Accurate to ten minutes; null if it was never used. */
  last_used_at: Instant | null
}

export const TOKEN = aRow<TokenView>('token', 'the token’s record', {
  token_id: aText('its public id'),
  kind: aText('token, session or code'),
  principal_kind: aText('agent, person or service'),
  principal_name: aText('who it is for'),
  workspace_id: orNull(aText('the one workspace it may push from')),
  sets: aList(aText('a set'), 'the sets it is for; empty: all'),
  may: aList(aText('a grant'), 'a service’s additional rights'),
  label: aText('where it is used'),
  issued_by: aText('who made it'),
  issued_at: aText('when'),
  expires_at: orNull(aText('when it expires')),
  revoked_at: orNull(aText('when it was revoked')),
  state: aText('good, expired, revoked or unusable (it came with another store’s log)'),
  last_used_at: orNull(aText('accurate to ten minutes')),
})

export const tokenList = query({
  name: 'token list',
  example: 'token list',
  summary: 'List valid tokens and sessions: who they are for, when they were issued and last used.',
  fields: {
    name: name('only tokens of this name', { positional: true }),
    all: flag('include sign-in codes, and tokens that expired or were revoked'),
    limit: byDefault(int('how many to list, latest first', { min: 1, max: 1000 }), 100),
  },
  set: 'none',
  callers: PEOPLE,
  refusals: ['invalid_input'],
  async run({ store }, input) {
    const next_event_id = await store.lastEventId()
    const now = await store.now()
    const { limit } = input
    const found = await store.tokens({
      kinds: input.all ? TOKEN_KINDS : ['token', 'session'],
      principal: input.name,
      goodAt: input.all ? undefined : now,
      limit: limit + 1,
    })
    const tokens = found.slice(0, limit).map((token) => viewToken(token, now))
    return { tokens, has_more: found.length > limit, next_event_id }
  },
  answer: { tokens: aList(TOKEN, 'newest first'), has_more: MORE, next_event_id: CURSOR },
  lines: async ({ tokens }, page) => (await import('./drawing.ts')).drawTokens(tokens, page),
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
