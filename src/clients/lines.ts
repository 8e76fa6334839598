// Puts a TOML table between two marks, which are comments in TOML.

import { refuse } from '../core/error.ts'
import type { Piece } from './client.ts'
import type { Joint } from './splice.ts'

/** Throws if the text is not TOML. */
export type ParseToml = (text: string) => unknown

type LinesPiece = Extract<Piece, { lines: string }>

const BEGIN = '# mailroom: begin, written by inbox install'
const END = '# mailroom: end'

export function putLines(text: string, piece: LinesPiece, parseToml: ParseToml) {
  const { file, table, lines } = piece
  const there = blockIn(text)
  const block = `${BEGIN}\n${lines}\n${END}\n`
  const gap = text === '' || text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n'
  const [before, after, glue] =
    there === null ? [text, '', gap] : [text.slice(0, there.begin), text.slice(there.end), '']
  const own = readToml(`${before}${after}`, file, parseToml)
  if (isEntry(valueAt(own, table))) {
    const name = table.join('.')
    throw refuse('invalid_state', `${file} already has ${name}, not written by us; remove it first`)
  }
  const whole = `${before}${glue}${block}${after}`
  try {
    parseToml(whole)
  } catch {
    const [outer] = table
    const way = `write what is in it as tables of their own, [${outer}.NAME]`
    throw refuse(
      'invalid_state',
      `${file} has ${outer} in one line, which leaves no room for ours; ${way}`,
    )
  }
  return { text: whole, made: there === null ? { joint: { gap } } : {} }
}

export function takeLines(
  text: string,
  { table }: LinesPiece,
  { joint: { gap = '' }, parseToml }: { joint: Joint; parseToml: ParseToml },
) {
  const there = blockIn(text)
  if (there === null) return { text, isLeft: false }
  const before = text.slice(0, there.begin)
  const kept = before.endsWith(gap) ? before.slice(0, before.length - gap.length) : before
  return removeTablesBelow(`${kept}${text.slice(there.end)}`, table, parseToml)
}

/** The key under which codex keeps its user's decisions about the tools of an entry. */
const DECIDED = 'tools'

/**
 * Removes the tables below an entry that is gone: codex does not start if it finds them without the entry.
 */
function removeTablesBelow(text: string, table: readonly string[], parseToml: ParseToml) {
  const name = table.join(String.raw`\s*\.\s*`)
  // The match ends at the last line that says something: comments after that may belong to what follows.
  const rest = String.raw`(?:(?:\n(?![ \t]*\[).*)*\n[ \t]*[^\s#\[].*)?`
  const below = new RegExp(String.raw`^[ \t]*\[\s*${name}\s*\.\s*${DECIDED}\b.*${rest}`, 'gm')
  const left = text.replace(below, '')
  if (left === text) return { text, isLeft: false }
  try {
    // The pattern alone could match anything, so the parsed rest must be the same as before.
    const was = parseToml(text) as Record<string, object>
    const is = parseToml(left) as Record<string, object>
    const [outer = '', inner = ''] = table
    const wanted: Record<string, object> = {
      ...was,
      [outer]: { ...was[outer], [inner]: undefined },
    }
    const isSame = (key: string) =>
      JSON.stringify(wanted[key]) === JSON.stringify(is[key] ?? (key === outer ? {} : null))
    if (Object.keys(was).every(isSame)) return { text: left, isLeft: false }
  } catch {
    // The text is left as it is.
  }
  return { text, isLeft: true }
}

function readToml(text: string, file: string, parseToml: ParseToml): unknown {
  try {
    return parseToml(text)
  } catch (error) {
    const why = (error as Error).message
    throw refuse('invalid_input', `${file} is not TOML (${why}); fix it first (it was not changed)`)
  }
}

/**
 * A table that holds only the user's decisions about tools, which may stand elsewhere, is not an entry yet.
 */
function isEntry(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value !== undefined
  return Object.keys(value).join() !== DECIDED
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)?.[key], value)
}

function blockIn(text: string): { begin: number; end: number } | null {
  const begin = text.indexOf(BEGIN)
  const end = text.indexOf(END, begin)
  if (begin < 0 || end < 0) return null
  const after = end + END.length
  return { begin, end: after + (/^\r?\n/.exec(text.slice(after))?.[0].length ?? 0) }
}
