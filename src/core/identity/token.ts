// A token is what someone shows at a server's door: `mr_` + its public id + `_` + a secret with a checksum.
// The store keeps a digest of the secret and never the secret. Of the same form are a browser's session
// and the code that becomes one.
//
// (1) What is mistyped or cut off is told by its checksum, without a look at any store.
// (2) Two texts of one length take the same time to compare, wherever they differ.
// (3) A code opens once: it is revoked in the transaction that makes the session.
// (4) What came from another store's log has no digest here, and opens nothing.

import type { Principal, ToolSet } from '../principal.ts'
import type { Instant } from '../time.ts'
import type { TOKEN_HOLDERS, TOKEN_KINDS } from './token-record.ts'

export type TokenKind = (typeof TOKEN_KINDS)[number]
export type TokenHolder = (typeof TOKEN_HOLDERS)[number]

export type Token = {
  token_id: string
  kind: TokenKind
  principal_kind: TokenHolder
  principal_name: string
  workspace_id: string | null
  /** Empty: all. */
  sets: ToolSet[]
  label: string
  issued_by: string
  issued_at: Instant
  /** Null: it does not. */
  expires_at: Instant | null
  revoked_at: Instant | null
}

/** With what is outside the log. */
export type StoredToken = Token & { hash: string; last_used_at: string }

export function isGood(token: Pick<Token, 'expires_at' | 'revoked_at'>, now: Instant): boolean {
  return token.revoked_at === null && (token.expires_at === null || token.expires_at > now)
}

export function principalOf(token: Token): Principal {
  const { kind, principal_kind, principal_name, workspace_id, token_id, expires_at } = token
  const sets = setsOf(token)
  return {
    kind: principal_kind,
    name: principal_name,
    proof: kind === 'session' ? 'session' : 'token',
    ...(workspace_id === null ? {} : { workspace_id }),
    ...(sets === null ? {} : { sets }),
    token_id,
    ...(expires_at === null ? {} : { expires_at }),
  }
}

/**
 * Null: all. An agent of a workspace has its mail and its work beside its pushes. People and services have
 * everybody's, which is of no workspace: with a token for one they have its pushes alone.
 */
function setsOf({ principal_kind, workspace_id, sets }: Token): ToolSet[] | null {
  if (principal_kind === 'agent' || workspace_id === null) return sets.length === 0 ? null : sets
  return sets.length === 0 ? ['workspace'] : sets.filter((set) => set === 'workspace')
}

const PREFIX = 'tok_'

/** The token for the turn of a wake has its number: whoever ends the wake ends the token. */
export function tokenOfWake(wakeId: string): string {
  return PREFIX + wakeId.slice(wakeId.indexOf('_') + 1)
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
export const SECRET_BYTES = 32
/** So many digits hold any 32 bytes. */
const SECRET_LENGTH = 43
const CHECK_LENGTH = 6
const FORM = new RegExp(`^mr_([0-9a-z]{26})_([0-9A-Za-z]{${SECRET_LENGTH + CHECK_LENGTH}})$`)

/** The text that is shown once, from an id and 32 bytes of chance. */
export function composeToken(tokenId: string, random: Uint8Array): string {
  const body = `mr_${tokenId.slice(PREFIX.length)}_${digits(bigOf(random), SECRET_LENGTH)}`
  return body + digits(BigInt(crc32(body)), CHECK_LENGTH)
}

/** The id of what may be a token; null for what cannot be one. */
export function tokenIdIn(text: string): string | null {
  const [, id] = FORM.exec(text) ?? []
  if (id === undefined) return null
  const body = text.slice(0, -CHECK_LENGTH)
  return digits(BigInt(crc32(body)), CHECK_LENGTH) === text.slice(-CHECK_LENGTH)
    ? PREFIX + id
    : null
}

/** Takes as long wherever they differ. */
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
