// The one place that decides what no log may hold.

const SECRETS: [RegExp, string][] = [
  // A token, a session or a code: its public id says whose it was.
  [/\bmr_([0-9a-z]{26})_[0-9A-Za-z]+/g, 'mr_$1_***'],
  [/\b(authorization)(["']?\s*[=:]\s*["']?)(?:\w+\s+)?[^\s"'&;,}]+/gi, '$1$2***'],
  [/\b(bearer|basic)\s+[^\s"',;]+/gi, '$1 ***'],
  [/(:\/\/)[^\s/@"']*@/g, '$1***@'],
  [
    /\b((?:set-)?cookie|authorization|password|secret|token|code)(["']?\s*[=:]\s*["']?)[^\s"'&;,}]+/gi,
    '$1$2***',
  ],
  // What proves that a lease is held.
  [/\blse_[0-9a-z]+/g, 'lse_***'],
]

export function redact(text: string): string {
  return SECRETS.reduce((clean, [pattern, mask]) => clean.replace(pattern, mask), text)
}
