// Keeps secrets out of the server's log and bugs out of responses, and limits what an outsider can add to the log.

import { type Mask, maskSecrets, OWN_SECRETS } from '../../core/secret.ts'
import type { HttpServer } from './http-server.ts'

const SECRETS: Mask[] = [
  ...OWN_SECRETS,
  [/\b(authorization)(["']?\s*[=:]\s*["']?)(?:\w+\s+)?[^\s"'&;,}]+/gi, '$1$2***'],
  [/\b(bearer|basic)\s+[^\s"',;]+/gi, '$1 ***'],
  [/(:\/\/)[^\s/@"']*@/g, '$1***@'],
  [
    /\b((?:set-)?cookie|authorization|password|secret|token|code)(["']?\s*[=:]\s*["']?)[^\s"'&;,}]+/gi,
    '$1$2***',
  ],
]

export function redact(text: string): string {
  return maskSecrets(text, SECRETS)
}

/** Logs a bug. The caller only gets the id of the log entry. */
export function maskBug(
  { log }: HttpServer,
  where: { method: string; route: string },
  error: unknown,
) {
  const id = crypto.randomUUID().slice(0, 8)
  const stack = redact((error as Error)?.stack ?? String(error))
  log({ level: 'error', what: 'bug', id, ...where, stack })
  const message = `something went wrong inside; the server's log has it under ${id}`
  return { code: 'internal' as const, message, details: { id } }
}

/**
 * Limits log lines that an outsider could trigger endlessly to `most` per second. The next line says how many were
 * dropped.
 */
export function makeLimitedLog(
  log: HttpServer['log'],
  most: number,
  now: () => number = () => performance.now(),
): HttpServer['log'] {
  let second = -1
  let written = 0
  let unsaid = 0
  return (line) => {
    const current = Math.floor(now() / 1000)
    if (current !== second) written = 0
    second = current
    if (written === most) {
      unsaid += 1
      return
    }
    written += 1
    log(unsaid === 0 ? line : { ...line, unsaid })
    unsaid = 0
  }
}
