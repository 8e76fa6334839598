import type { Surroundings } from '../core/waking/launch.ts'
import { isFile } from './locate.ts'

/** The environment variable that passes a wake's secret to its supervisor. */
export const TOKEN = 'INBOX_WAKE_TOKEN'
/** The environment variable that passes the surroundings of the supervised program, as JSON. */
export const AROUND = 'INBOX_WAKE_AROUND'

/**
 * Never passed on. Some would turn our executable into another program, run other code first, or make programs that
 * must outlive us end with us. The others are private to a broker and its supervisor.
 */
const NEVER_PASSED = [
  'BUN_OPTIONS',
  'BUN_BE_BUN',
  'BUN_INSPECT',
  'BUN_FEATURE_FLAG_NO_ORPHANS',
  TOKEN,
  AROUND,
]

/** Programs need these, and they hold no secrets. */
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

/** A program that calls a server with a token doesn't get access to the server's store. */
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
