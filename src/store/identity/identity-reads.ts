// Workspaces and tokens, read the same way on both engines.

import type { IdentityReads } from '../../core/identity/identity-reads.ts'
import type { StoredToken, Token, TokenStanding } from '../../core/identity/token.ts'
import type { Workspace } from '../../core/identity/workspace.ts'
import type { Grant, ToolSet } from '../../core/principal.ts'
import { first, type Querier } from '../querier.ts'

/** A token as stored, with its lists as text. */
export type TokenRow<T extends Token = Token> = Omit<T, 'sets' | 'may'> & {
  sets: string
  may: string
}

function toToken<T extends { sets: string; may: string }>(row: T) {
  return { ...row, sets: wordsIn<ToolSet>(row.sets), may: wordsIn<Grant>(row.may) }
}

function wordsIn<T extends string>(text: string): T[] {
  return text === '' ? [] : (text.split(',') as T[])
}

export function makeIdentityReads(querier: Querier): IdentityReads {
  return {
    workspaces: () => querier.all<Workspace>('workspaces_all', {}),
    async token(token_id) {
      const row = await first(querier.all<TokenRow<StoredToken>>('token_get', { token_id }))
      return row && toToken(row)
    },
    async code(hash, since) {
      const row = await first(querier.all<TokenRow<StoredToken>>('code_get', { hash, since }))
      return row && toToken(row)
    },
    tokenStanding: (token_id) => first(querier.all<TokenStanding>('token_standing', { token_id })),
    async tokens({ kinds, principal, workspace, goodAt, limit }) {
      const params = { kinds, principal, workspace, good_at: goodAt, limit }
      return (await querier.all<TokenRow<StoredToken>>('tokens_list', params)).map(toToken)
    },
  }
}
