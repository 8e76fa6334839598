// Keeps secrets out of the log, and bugs out of answers.

import { type Mask, maskSecrets, OWN_SECRETS } from '../../core/secret.ts'
import type { Site } from './site.ts'

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

/** Logs a bug. The caller only gets the id under which the log has it. */
export function maskBug({ log }: Site, where: { method: string; route: string }, error: unknown) {
  const id = crypto.randomUUID().slice(0, 8)
  const stack = redact((error as Error)?.stack ?? String(error))
  log({ level: 'error', what: 'bug', id, ...where, stack })
  const message = `something went wrong inside; the server's log has it under ${id}`
  return { code: 'internal' as const, message, details: { id } }
}
