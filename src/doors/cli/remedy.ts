// What to do about words that were refused, where their command tells. Off the path of every command.

import { quote, Refusal, refuse } from '../../core/error.ts'
import type { Operation } from '../../ops/operation.ts'
import { flagOf } from './argv.ts'

/** How an id begins tells what it is of. */
const PREFIXES: Record<string, string> = { thread: 'thr_', message: 'msg_', workspace: 'ws_' }

export function withRemedy(error: unknown, { name, fields }: Operation): unknown {
  if (!(error instanceof Refusal)) return error
  const { message, details } = error
  const { stray, ...rest } = details
  if (typeof stray === 'string') {
    const key = Object.keys(fields).find((field) => stray.startsWith(PREFIXES[field] ?? '\0'))
    if (key === undefined) return refuse(error.code, message, rest)
    return refuse(error.code, `${quote(stray)} stands alone; write ${flagOf(key)} before it`, rest)
  }
  if (details.missing === undefined) return error
  return refuse(error.code, `${message}; see 'inbox ${name} --help'`, details)
}
