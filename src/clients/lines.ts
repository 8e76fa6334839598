// Inserts a TOML table between two marks, which are TOML comments. The marks are for people. A block is ours only if it
// has exactly the lines we wrote, and if the rest of the file means the same without it. So marks that are left over,
// unpaired, repeated or part of a string have no effect.

import { refuse } from '../core/error.ts'
import type { Piece } from './client.ts'
import type { Joint } from './edit.ts'
import { explainLeaving, isMembers, tooDeep } from './entry.ts'

/** Throws if the text is not TOML. */
export type ParseToml = (text: string) => unknown

type LinesPiece = Extract<Piece, { lines: string }>
type Table = Record<string, unknown>

const BEGIN = '# mailroom: begin, written by inbox install'
const END = '# mailroom: end'
const LINE_ENDS = ['\n', '\r\n'] as const
type LineEnd = (typeof LINE_ENDS)[number]

export function putLines(
  text: string,
  piece: LinesPiece,
  { before, parseToml }: { before: readonly Piece[]; parseToml: ParseToml },
) {
  const { file, table, lines } = piece
  const own = readToml(text, file, parseToml)
  for (const old of [piece, ...before.filter((one) => 'lines' in one)]) {
    const ours = findBlock(text, old, parseToml)
    if (ours === undefined) continue
    const [head, tail] = [text.slice(0, ours.lines), text.slice(ours.linesEnd)]
    return {
      text: `${head}${withEnds(lines, ours.eol)}${tail}`,
      made: { found: true as const },
    }
  }
  if (isEntry(valueAt(own, table))) {
    const why = explainLeaving(before, 'remove it first')
    throw refuse.invalid_state`${file} already has ${table.join('.')}, ${why}`
  }
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const gap = gapAfter(text, eol)
  const whole = `${text}${gap}${withEnds(`${BEGIN}\n${lines}\n${END}\n`, eol)}`
  if (!saysTheSame({ parseToml, was: whole, is: text, table })) {
    const [outer] = table
    const way = `write what is in it as tables of their own, [${outer}.NAME]`
    throw refuse.invalid_state`${file} has ${String(outer)} in one line, which leaves no room for ours; ${way}`
  }
  return { text: whole, made: { joint: { gap } } }
}

export function takeLines(
  text: string,
  piece: LinesPiece,
  { joint: { gap = '' }, parseToml }: { joint: Joint; parseToml: ParseToml },
) {
  const { table } = piece
  const ours = findBlock(text, piece, parseToml)
  if (ours === undefined) return { text, isLeft: isEntry(valueAt(tomlOr(text, parseToml), table)) }
  const [head, tail] = [text.slice(0, ours.begin), text.slice(ours.end)]
  const tight = `${head.endsWith(gap) ? head.slice(0, head.length - gap.length) : head}${tail}`
  // Lines added after the block may depend on the line ending we inserted before it.
  const isSafe = saysTheSame({ parseToml, was: text, is: tight, table })
  return removeTablesBelow(isSafe ? tight : `${head}${tail}`, table, parseToml)
}

function gapAfter(text: string, eol: LineEnd): string {
  if (text === '' || text.endsWith(`${eol}${eol}`)) return ''
  return text.endsWith('\n') ? eol : `${eol}${eol}`
}

function withEnds(lines: string, eol: LineEnd): string {
  return lines.replaceAll('\n', eol)
}

type Block = { begin: number; lines: number; linesEnd: number; end: number; eol: LineEnd }

/** Finds the block with exactly the lines of the piece. */
function findBlock(text: string, piece: LinesPiece, parseToml: ParseToml): Block | undefined {
  for (const eol of LINE_ENDS) {
    const mark = `${BEGIN}${eol}`
    const lines = withEnds(piece.lines, eol)
    const end = `${END}${eol}`
    const whole = `${mark}${lines}${eol}`
    for (let at = text.indexOf(whole); at >= 0; at = text.indexOf(whole, at + 1)) {
      const linesEnd = at + mark.length + lines.length
      const behind = linesEnd + eol.length
      const block = {
        begin: at,
        lines: at + mark.length,
        linesEnd,
        eol,
        // A program that edits TOML may have put a table between our lines and the last mark.
        end: text.startsWith(end, behind) ? behind + end.length : behind,
      }
      const is = `${text.slice(0, at)}${text.slice(block.end)}`
      if (saysTheSame({ parseToml, was: text, is, table: piece.table })) return block
    }
  }
  return undefined
}

/** The key under which codex keeps its user's decisions about an entry's tools. */
const DECIDED = 'tools'

/** Whether both versions mean the same apart from our entry, and the second one doesn't contain it. */
function saysTheSame({
  parseToml,
  was,
  is,
  table,
}: {
  parseToml: ParseToml
  was: string
  is: string
  table: readonly string[]
}): boolean {
  try {
    const [before, after] = [parseToml(was), parseToml(is)]
    const hasNone = !isEntry(valueAt(after, table))
    return hasNone && isEqual(withoutEntry(before, table), withoutEntry(after, table))
  } catch {
    // One of the two is not TOML.
    return false
  }
}

function withoutEntry(value: unknown, [outer = '', inner = '']: readonly string[]): Table {
  const { [outer]: holder = {}, ...rest } = value as Table
  const { [inner]: _, ...others } = holder as Table
  return Object.keys(others).length === 0 ? rest : { ...rest, [outer]: others }
}

function isEqual(a: unknown, b: unknown): boolean {
  if (!isMembers(a) || !isMembers(b)) return JSON.stringify(a) === JSON.stringify(b)
  const keys = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...keys].every((key) => isEqual(a[key], b[key]))
}

/** Removes the tables below a removed entry. Codex doesn't start if they exist without the entry. */
function removeTablesBelow(text: string, table: readonly string[], parseToml: ParseToml) {
  const name = table.join(String.raw`\s*\.\s*`)
  // The match ends at the last line with content: comments after it may belong to the next table.
  const rest = String.raw`(?:(?:\n(?![ \t]*\[).*)*\n[ \t]*[^\s#\[].*)?`
  const below = new RegExp(String.raw`^[ \t]*\[\s*${name}\s*\.\s*${DECIDED}\b.*${rest}`, 'gm')
  const left = text.replace(below, '')
  if (left === text) return { text, isLeft: false }
  // The pattern alone could match too much, so check that the remaining file still means the same.
  const isRight =
    saysTheSame({ parseToml, was: text, is: left, table }) &&
    valueAt(tomlOr(left, parseToml), table) === undefined
  return isRight ? { text: left, isLeft: false } : { text, isLeft: true }
}

function readToml(text: string, file: string, parseToml: ParseToml): unknown {
  try {
    return parseToml(text)
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(file)
    const why = (error as Error).message
    throw refuse.invalid_input`${file} is not TOML (${why}); fix it first (it was not changed)`
  }
}

/** Parses the text. Returns an empty object if it isn't valid TOML. */
function tomlOr(text: string, parseToml: ParseToml): unknown {
  try {
    return parseToml(text)
  } catch {
    return {}
  }
}

/**
 * A table that only holds the user's decisions about tools isn't an entry yet; those decisions may be stored
 * separately.
 */
function isEntry(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value !== undefined
  return Object.keys(value).join() !== DECIDED
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Table)?.[key], value)
}
