import type { Instant } from '../time.ts'
import type { StoredToken, TokenKind, TokenStanding } from './token.ts'
import type { Workspace } from './workspace.ts'

export interface IdentityReads {
  /** All workspaces including removed ones, in the order they were added. */
  workspaces(): Promise<Workspace[]>
  token(tokenId: string): Promise<StoredToken | null>
  /** The sign-in code with this digest, if it was made after `since`. */
  code(hash: string, since: Instant): Promise<StoredToken | null>
  /** Whether a token is valid; null if there is no such token. A single read, because every call does it. */
  tokenStanding(tokenId: string): Promise<TokenStanding | null>
  /** Latest first. */
  tokens(filter: TokenFilter): Promise<StoredToken[]>
}

export type TokenFilter = {
  kinds: readonly TokenKind[]
  principal?: string | undefined
  workspace?: string | undefined
  /** Only tokens that are valid at this moment. */
  goodAt?: Instant | undefined
  limit: number
}
