// A token is what a caller shows at a server's door: `mr_` + its public id + `_` + a secret with a checksum. The store
// keeps only a digest of the secret. A browser session has the same form. The sign-in code that becomes a session is a
// bare secret, because people read and copy its link.
// (1) The checksum exposes a mistyped or truncated token without reading any store.
// (2) Comparing two strings of the same length takes the same time no matter where they differ.
// (3) A code works once: it is revoked in the transaction that creates the session.
// (4) A token from another store's log has no digest here, so it doesn't work.

import { operation, type Refusal, refuse } from '../error.ts'
import type { Note } from '../note.ts'
import type { Principal, ToolSet } from '../principal.ts'
import type { RowFrom } from '../shape.ts'
import type { Instant } from '../time.ts'
import type { TOKEN_FIELDS, TOKEN_HOLDERS, TOKEN_KINDS } from './token-record.ts'

export type TokenKind = (typeof TOKEN_KINDS)[number]
export type TokenHolder = (typeof TOKEN_HOLDERS)[number]

export type Token = RowFrom<typeof TOKEN_FIELDS>

export const TOKEN_HASH: Note<{ token_id: string; hash: string }> = { query: 'token_keep_hash' }
/** The digest of the key that a session's page holds. */
export const TOKEN_PAGE_HASH: Note<{ token_id: string; page_hash: string }> = {
  query: 'token_keep_page_hash',
}
export const TOKEN_USED: Note<{ token_id: string; at: Instant }> = {
  query: 'sighting_token',
  quiet: true,
}

/** A token with the columns that are outside the log. */
export type StoredToken = Token & { hash: string; page_hash: string; last_used_at: string }

export function isGood(token: Pick<Token, 'expires_at' | 'revoked_at'>, now: Instant): boolean {
  return token.revoked_at === null && (token.expires_at === null || token.expires_at > now)
}

/** The fields that determine whether a token is valid, and the store's time when they were read. */
export type TokenStanding = Pick<Token, 'kind' | 'expires_at' | 'revoked_at'> & { now: Instant }

/** Why a token isn't valid; null if it is. A missing token was pruned after it expired or was revoked. */
export function endOfToken(standing: TokenStanding | null): 'was revoked' | 'has expired' | null {
  if (standing !== null && isGood(standing, standing.now)) return null
  return standing?.revoked_at === null ? 'has expired' : 'was revoked'
}

/** The refusal for a caller whose token has expired or been revoked; null while the token is valid. */
export function endedRefusal(standing: TokenStanding | null): Refusal | null {
  const end = endOfToken(standing)
  if (end === null) return null
  return standing?.kind === 'session'
    ? refuse.unauthenticated`your session is over; ${operation('sign-in')} starts another`
    : refuse.unauthenticated`your token ${end}; ${operation('token issue')} makes another`
}

export function principalOf(token: Token): Principal {
  const { kind, principal_kind, principal_name, workspace_id, may, token_id, expires_at } = token
  const sets = setsOf(token)
  return {
    kind: principal_kind,
    name: principal_name,
    proof: kind === 'session' ? 'session' : 'token',
    ...(workspace_id === null ? {} : { workspace_id }),
    ...(sets === null ? {} : { sets }),
    ...(principal_kind === 'service' && may.length > 0 ? { may } : {}),
    token_id,
    ...(expires_at === null ? {} : { expires_at }),
  }
}

/**
 * The sets that a token is limited to; null means all. A workspace's agent keeps access to its mail and work in
 * addition to its pushes. The mail and work of people and services don't belong to a workspace, so their tokens for a
 * workspace cover only its pushes.
 */
function setsOf({ principal_kind, workspace_id, sets }: Token): ToolSet[] | null {
  if (principal_kind === 'agent' || workspace_id === null) return sets.length === 0 ? null : sets
  return sets.length === 0 ? ['workspace'] : sets.filter((set) => set === 'workspace')
}

const PREFIX = 'tok_'

/** The token for a wake's turn has the wake's number, so the code that ends the wake can revoke the token. */
export function tokenOfWake(wakeId: string): string {
  return PREFIX + wakeId.slice(wakeId.indexOf('_') + 1)
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
export const SECRET_BYTES = 32
/** Enough digits for any 32 bytes. */
const SECRET_LENGTH = 43
const CHECK_LENGTH = 6
const FORM = new RegExp(`^mr_([0-9a-z]{26})_([0-9A-Za-z]{${SECRET_LENGTH + CHECK_LENGTH}})$`)

/** Makes the token string, which is shown only once, from an id and 32 random bytes. */
export function composeToken(tokenId: string, random: Uint8Array): string {
  const body = `mr_${tokenId.slice(PREFIX.length)}_${digits(bigOf(random), SECRET_LENGTH)}`
  return body + digits(BigInt(crc32(body)), CHECK_LENGTH)
}

export function tokenIdIn(text: string): string | null {
  const [, id] = FORM.exec(text) ?? []
  if (id === undefined) return null
  const body = text.slice(0, -CHECK_LENGTH)
  return digits(BigInt(crc32(body)), CHECK_LENGTH) === text.slice(-CHECK_LENGTH)
    ? PREFIX + id
    : null
}

export const CODE_BYTES = 16
const CODE_FORM = /^[0-9A-Za-z]{22}$/

export function composeCode(random: Uint8Array): string {
  return digits(bigOf(random), 22)
}

export function isCodeForm(text: string): boolean {
  return CODE_FORM.test(text)
}

/** Takes the same time no matter where the strings differ. */
export function isSameText(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i % b.length)
  return difference === 0
}

function bigOf(bytes: Uint8Array): bigint {
  let value = 0n
  for (const byte of bytes) value = (value << 8n) | BigInt(byte)
  return value
}

function digits(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = DIGITS[Number(rest % 62n)] + text
  return text
}

function crc32(text: string): number {
  let crc = -1
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i)
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ -1) >>> 0
}
