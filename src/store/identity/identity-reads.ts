import type { IdentityReads } from '../../core/identity/identity-reads.ts'
import type { StoredToken, Token, TokenStanding } from '../../core/identity/token.ts'
import { TOKENS } from '../../core/identity/token-record.ts'
import type { Workspace } from '../../core/identity/workspace.ts'
import type { Params } from '../compile.ts'
import { first, type Querier } from '../querier.ts'
import type { QueryName } from '../query-name.gen.ts'
import { type StoredRow, toItem } from '../record-row.ts'

type TokenRow = StoredRow & Omit<StoredToken, keyof Token>

export function makeIdentityReads(querier: Querier): IdentityReads {
  const tokens = async (query: QueryName, params: Params) =>
    (await querier.all<TokenRow>(query, params)).map((row) => toItem(TOKENS, row))
  return {
    workspaces: () => querier.all<Workspace>('workspaces_all', {}),
    token: (token_id) => first(tokens('token_get', { token_id })),
    code: (hash, since) => first(tokens('code_get', { hash, since })),
    tokenStanding: (token_id) => first(querier.all<TokenStanding>('token_standing', { token_id })),
    tokens: ({ kinds, principal, workspace, goodAt, limit }) =>
      tokens('tokens_list', { kinds, principal, workspace, good_at: goodAt, limit }),
  }
}
