// Rewrites a refusal for the shell: fields become flags, operations become commands, and a remedy is added if the
// command line suggests one. Loaded only for refusals.

import { type DoorWords, PLAIN, quote, Refusal } from '../../core/error.ts'
import { PREFIXES } from '../../core/id.ts'
import { nearest } from '../../core/nearest.ts'
import { shellWord } from '../../core/shell-word.ts'
import { isOperation, loadOperation } from '../../ops/catalogue.ts'
import type { Fields } from '../../ops/kit/field.ts'
import type { Operation } from '../../ops/kit/operation.ts'
import { flagOf, type ParsedWords, wordOf } from './argv.ts'
import { type ProgramName, typedCommand } from './program.ts'

/** The command line as far as it was parsed, and the agent in INBOX_AGENT. */
export type RefusedLine = {
  op: Operation
  parsed: ParsedWords | undefined
  agent: string | undefined
  program: ProgramName
}

export async function wordForShell(refused: Refusal, asked: RefusedLine): Promise<Refusal> {
  const refusal = withNearestFlag(refused)
  const { code, details } = refusal
  const { op, program } = asked
  const message = refusal.inWords(makeShellWords(asked, await fieldsIn(refusal)))
  const { stray, ...rest } = details
  if (typeof stray === 'string') {
    const key = Object.keys(op.fields).find(
      (field) => isIdOf(field, stray) || op.fields[field]?.of?.includes(stray),
    )
    const remedy = `unexpected ${quote(stray)}; did you mean ${flagOf(key ?? '')} ${stray}?`
    return new Refusal(code, key === undefined ? message : remedy, rest)
  }
  const help =
    details.missing === undefined ? '' : `; see '${typedCommand(program, op.name)} --help'`
  return new Refusal(code, `${message}${help}`, details)
}

export function withNearestFlag(refusal: Refusal): Refusal {
  const { flag, known, ...details } = refusal.details as { flag?: string; known?: string[] }
  if (flag === undefined || known === undefined) return refusal
  const near = nearest(flag, known)
  const hint = `${quote(flag)} is not a flag of this command; did you mean ${near}?`
  return new Refusal(refusal.code, near === undefined ? refusal.message : hint, details)
}

/** The prefix of an id says what it identifies. */
function isIdOf(field: string, word: string): boolean {
  return Object.hasOwn(PREFIXES, field) && word.startsWith(`${PREFIXES[field as 'thread']}_`)
}

/** The fields of the operations that a refusal names. They determine whether a value is written with its flag. */
async function fieldsIn(refusal: Refusal): Promise<Map<string, Fields>> {
  const names: string[] = []
  refusal.inWords({ ...PLAIN, operation: (name) => String(names.push(name)) })
  const load = async (name: string): Promise<[string, Fields]> => {
    return [name, isOperation(name) ? (await loadOperation(name)).fields : {}]
  }
  return new Map(await Promise.all(names.map(load)))
}

function makeShellWords(
  { op: { fields }, parsed, agent, program }: RefusedLine,
  others: Map<string, Fields>,
): DoorWords {
  const { flags, words } = parsed ?? { flags: new Map(), words: [] }
  const field = (name: string): string => {
    const [key = '', ...within] = name.split('.')
    // A key of an imported line is not a field and is printed unchanged. --db belongs to every command.
    const known = Object.hasOwn(fields, key) ? fields[key] : undefined
    if (known === undefined) return name === 'db' ? '--db' : name
    const { kind, positional, required } = known
    const flag = flagOf(key, kind)
    // An optional positional value that was left out is named by its flag.
    const isWord = !flags.has(flag) && (required || kind === 'list' || words.length > 0)
    const isAlone = positional && (kind === 'self' ? words.length > 0 : isWord)
    const isUnsaid = !isAlone && !flags.has(flag) && !flags.has('--agent')
    if (kind === 'self' && isUnsaid && agent !== undefined) return 'INBOX_AGENT'
    return isAlone ? wordOf(key, kind) : flagOf([flag.slice(2), ...within].join('-'))
  }
  return {
    field,
    caller: (name) => `${flagOf(name)} or INBOX_AGENT`,
    command: (line) => `'${typedCommand(program, line)}'`,
    operation: (name, input) =>
      `'${commandLine(typedCommand(program, name), others.get(name) ?? {}, input)}'`,
  }
}

function commandLine(command: string, fields: Fields, input: Record<string, unknown>): string {
  const words = Object.entries(input).flatMap(([key, value]) => {
    const { kind, positional } = fields[key] ?? {}
    const flag = flagOf(key, kind)
    if (kind === 'flag') return [flag]
    const word = shellWord(String(value))
    return positional ? [word] : [flag, word]
  })
  return [command, ...words].join(' ')
}
