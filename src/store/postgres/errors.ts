// Only this module turns PostgreSQL's errors into refusals. Unknown errors stay bugs.

import { Refusal, refuse } from '../../core/error.ts'

// Errors are recognized by SQLSTATE class or system error name, never by the wording of a server's message.
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ENOENT',
])

/** The connection is gone, and the transaction in progress may or may not have been committed. */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof Refusal) return false
  const code = (error as { code?: string }).code
  if (code !== undefined && (UNREACHABLE.has(code) || /^(08|57P0)/.test(code))) return true
  // If a socket closes, the client library reports an error with a message but no code.
  return code === undefined && /terminat|timeout|closed|not queryable/i.test(error.message)
}

/** The server asked for the transaction to be run again. */
export function isRetryable(error: unknown): boolean {
  return /^(40001|40P01)$/.test(String((error as { code?: string }).code))
}

export function isKeyConflict(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code === '23505' && constraint === 'idempotency_keys_pkey'
}

export function postgresRefusal(error: unknown, place: string): unknown {
  const code = String((error as { code?: string }).code ?? '')
  if (isLostConnection(error)) {
    return refuse.busy`cannot reach PostgreSQL at ${place} (${code || 'connection lost'}); try again`
  }
  if (code === '53300') return refuse.busy`${place} has no free connection; try again`
  if (/^(53100|53200)$/.test(code)) {
    return refuse.store_unusable`${place} is out of disk or memory (${code})`
  }
  if (/^28/.test(code)) {
    return refuse.store_unusable`${place} refused the login (${code}); check user and password`
  }
  if (code === '3D000') {
    return refuse.store_unusable`${place}: the database does not exist; make it with createdb`
  }
  if (code === '42501' || code === '25006') {
    return refuse.store_unusable`${place}: this user may not write there (${code})`
  }
  return error
}
