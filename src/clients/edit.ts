// A piece put into the text of a file, and taken out again: what was there stays as it was written, with
// its comments and its order, to the byte. What had to be made on the way is told, so that exactly that
// goes again. What is not ours, or was made into something else since, is never replaced or removed.

import { refuse } from '../core/error.ts'
import type { Piece } from './client.ts'
import { leaving } from './entry.ts'
import { putJson, takeJson } from './json.ts'
import { type ParseToml, putLines, takeLines } from './lines.ts'
import type { Joint } from './splice.ts'

/** What was made beside the piece itself, and how it was joined to what was there. */
export type Made = {
  file: boolean
  /** Objects and lists on the way to it. */
  holders: string[][]
  joint: Joint
  /** What the file held instead of anything. */
  blank?: string
  /** It was there already, as we would have written it: it is not ours to remove. */
  found?: true
}

export type Edited = { text: string; made: Made }

/** Null: a file that was made for the piece, and holds nothing else. */
export type Taken = { text: string | null; isLeft: boolean }

export type Known = {
  /** What a receipt says was written there before. */
  before: readonly Piece[]
  parseToml: ParseToml
}

const BOM = '\uFEFF'

/** The file's text with the piece in it. `text` is null when there is no file yet. */
export function put(text: string | null, piece: Piece, known: Known): Edited {
  if ('text' in piece) return putText(text, piece, known)
  const [mark, own] = unmarked(text ?? '')
  const isJson = !('lines' in piece)
  const isBlank = isJson && own.trim() === ''
  const start: Made = {
    file: text === null,
    holders: [],
    joint: {},
    ...(isBlank && text !== null ? { blank: own } : {}),
  }
  const edited = isJson
    ? putJson(isBlank ? '{}\n' : own, piece, known.before)
    : putLines(own, piece, known.parseToml)
  return { text: `${mark}${edited.text}`, made: { ...start, ...edited.made } }
}

/** The file's text without the piece. */
export function take(
  text: string,
  piece: Piece,
  { made, parseToml }: { made: Made; parseToml: ParseToml },
): Taken {
  if ('text' in piece) {
    const isWhole = text === piece.text
    return { text: isWhole && made.file ? null : text, isLeft: !isWhole }
  }
  if (made.found) return { text, isLeft: false }
  const [mark, own] = unmarked(text)
  const isJson = !('lines' in piece)
  const taken = isJson ? takeJson(own, piece, made) : takeLines(own, piece, { ...made, parseToml })
  const isEmpty = (isJson ? /^\s*\{\s*\}\s*$/ : /^\s*$/).test(taken.text)
  if (isEmpty && made.file) return { ...taken, text: null }
  const left = isEmpty && made.blank !== undefined ? made.blank : taken.text
  return { ...taken, text: `${mark}${left}` }
}

function putText(
  text: string | null,
  piece: Extract<Piece, { text: string }>,
  { before }: Known,
): Edited {
  const isOurs = [piece, ...before].some((one) => 'text' in one && one.text === text)
  if (text !== null && !isOurs) {
    const why = leaving(before, 'move it away')
    throw refuse('invalid_state', `${piece.file} is there already, ${why}`)
  }
  return { text: piece.text, made: { file: text === null, holders: [], joint: {} } }
}

function unmarked(text: string): [mark: string, own: string] {
  return text.startsWith(BOM) ? [BOM, text.slice(BOM.length)] : ['', text]
}
