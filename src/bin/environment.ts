// The variables of what is started from here.

import type { Surroundings } from '../core/waking/launch.ts'
import { isFile } from './locate.ts'
import { AROUND, TOKEN } from './wake-token.ts'

/**
 * They would make the executable another program than ours, run other code first, or end what must
 * outlive us when we end; or they are between a broker and its supervisor.
 */
const NEVER_PASSED = [
  'BUN_OPTIONS',
  'BUN_BE_BUN',
  'BUN_INSPECT',
  'BUN_FEATURE_FLAG_NO_ORPHANS',
  TOKEN,
  AROUND,
]

/** What programs cannot do without, or only badly; nobody keeps secrets in it. */
const ALWAYS = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'LC_*',
  'TZ',
  'TERM',
  'COLORTERM',
  'TMPDIR',
  'XDG_*',
]

export function environment(more: Record<string, string>): NodeJS.ProcessEnv {
  const env = { ...process.env }
  for (const name of NEVER_PASSED) delete env[name]
  return { ...env, ...more }
}

/** Who speaks at a server by a token is not given the way into its store. */
export function programEnvironment({
  address,
  around: { variables, url },
}: {
  address: string
  around: Surroundings
}): NodeJS.ProcessEnv {
  const isPassed = variables === undefined ? () => true : among([...ALWAYS, ...variables])
  const isWayIn = url !== undefined && !isFile(address) ? among(['PG*']) : () => false
  const own = Object.entries(environment({})).filter(([name]) => isPassed(name) && !isWayIn(name))
  return {
    ...Object.fromEntries(own),
    INBOX_DB: url === undefined ? address : withoutPassword(address),
  }
}

function among(names: readonly string[]): (name: string) => boolean {
  const whole = new Set(names.filter((name) => !name.endsWith('*')))
  const beginnings = names.flatMap((name) => (name.endsWith('*') ? [name.slice(0, -1)] : []))
  return (name) => whole.has(name) || beginnings.some((beginning) => name.startsWith(beginning))
}

function withoutPassword(address: string): string {
  if (isFile(address)) return address
  const url = new URL(address)
  url.password = ''
  url.searchParams.delete('password')
  return url.href
}
