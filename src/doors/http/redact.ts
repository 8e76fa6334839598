// Decides, in one place, what no log may hold.

import { type Mask, OWN_SECRETS, withoutSecrets } from '../../core/secret.ts'

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
  return withoutSecrets(text, SECRETS)
}
