// HTTP responses. All have the same headers, and every refusal has the same shape and a status from the table of
// codes.

import { CODES, type Code, type Refusal, refuse } from '../../core/error.ts'
import { maskSecrets } from '../../core/secret.ts'
import { textAnswer } from './send-answer.ts'

/** A refusal with an HTTP status other than its code's usual one. */
export class HttpRefusal extends Error {
  readonly refusal: Refusal
  readonly status: number
  readonly headers: Record<string, string>
  /** Whether the connection is closed soon, because the rest of the request won't be read. */
  isLast = false

  constructor(status: number, refusal: Refusal, headers: Record<string, string> = {}) {
    super(refusal.message)
    this.refusal = refusal
    this.status = status
    this.headers = headers
  }

  last(): this {
    this.isLast = true
    return this
  }
}

export function decline(
  status: number,
  message: string,
  headers: Record<string, string> = {},
): HttpRefusal {
  return new HttpRefusal(status, refuse[codeFor(status)]`${message}`, headers)
}

function codeFor(status: number): Code {
  if (status === 401) return 'unauthenticated'
  if (status === 403 || status === 421) return 'forbidden'
  if (status === 404) return 'not_found'
  return status === 503 ? 'busy' : 'invalid_input'
}

/** Keep responses out of other sites, frames and caches, and keep browsers from guessing their types. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; worker-src 'self'; frame-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // With no-referrer a browser wouldn't say which page sent a form, and we need to know.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

export function addHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(HEADERS)) {
    if (!response.headers.has(name)) response.headers.set(name, value)
  }
  return response
}

export function json(value: object, status = 200, headers: Record<string, string> = {}): Response {
  return jsonText(JSON.stringify(value), status, headers)
}

function jsonText(words: string, status: number, headers: Record<string, string>): Response {
  return textAnswer(`${words}\n`, {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

export function text(body: string, type = 'text/plain; charset=utf-8', status = 200): Response {
  return new Response(body, { status, headers: { 'content-type': type } })
}

export function refusalAnswer(
  { code, message, details }: Pick<Refusal, 'code' | 'message' | 'details'>,
  status: number = CODES[code].http,
  headers: Record<string, string> = {},
): Response {
  const later: Record<string, string> = CODES[code].retry === 'yes' ? { 'retry-after': '1' } : {}
  const words = maskSecrets(JSON.stringify({ ok: false, error: { code, message, ...details } }))
  return jsonText(words, status, { ...later, ...headers })
}
