// Inserts a piece into the text of a file and removes it again. Everything else in the file keeps its bytes, comments
// and order. The edit is recorded, so that a removal takes out exactly what was added. An entry that isn't ours, or
// was changed since we wrote it, is never replaced or removed.

import { refuse } from '../core/error.ts'
import type { Piece } from './client.ts'
import { explainLeaving } from './entry.ts'
import { putJson, takeJson } from './json.ts'
import { type ParseToml, putLines, takeLines } from './lines.ts'

/** Records how a member was joined to its neighbors. */
export type Joint = {
  /** A comma was added after the member before it. */
  comma?: boolean
  /** The text between the brackets, when there was no member yet. */
  inside?: string
  /** The blank line before a block of lines. */
  gap?: string
}

/** Records what an edit added besides the piece itself, and how it joined the piece to its neighbors. */
export type EditRecord = {
  file: boolean
  /** The objects and lists created to hold the piece. */
  holders: string[][]
  joint: Joint
  /** The file's original content, if that was only whitespace. */
  blank?: string
  /** The user had the same piece already, so it is not ours to remove. */
  found?: true
}

export type EditResult = { text: string; made: EditRecord }

/** `text` is null if the file was created for the piece and would now be empty. */
export type Removal = { text: string | null; isLeft: boolean }

export type EditContext = {
  /** The pieces written there before, according to a receipt. */
  before: readonly Piece[]
  parseToml: ParseToml
}

const BOM = '\uFEFF'

/** Returns the file's text with the piece. `text` is null if there is no file yet. */
export function put(text: string | null, piece: Piece, context: EditContext): EditResult {
  if ('text' in piece) return putText(text, piece, context)
  const [mark, own] = splitMark(text ?? '')
  const isJson = !('lines' in piece)
  const isBlank = isJson && own.trim() === ''
  const start: EditRecord = {
    file: text === null,
    holders: [],
    joint: {},
    ...(isBlank && text !== null ? { blank: own } : {}),
  }
  const edited = isJson
    ? putJson(isBlank ? '{}\n' : own, piece, context.before)
    : putLines(own, piece, context)
  return { text: `${mark}${edited.text}`, made: { ...start, ...edited.made } }
}

/** Returns the file's text without the piece. */
export function removePiece(
  text: string,
  piece: Piece,
  { made, parseToml }: { made: EditRecord; parseToml: ParseToml },
): Removal {
  if ('text' in piece) {
    const isWhole = text === piece.text
    return { text: isWhole && made.file ? null : text, isLeft: !isWhole }
  }
  if (made.found) return { text, isLeft: false }
  const [mark, own] = splitMark(text)
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
  { before }: EditContext,
): EditResult {
  const isOurs = [piece, ...before].some((one) => 'text' in one && one.text === text)
  if (text !== null && !isOurs) {
    const why = explainLeaving(before, 'move it away')
    throw refuse.invalid_state`${piece.file} already exists, ${why}`
  }
  return { text: piece.text, made: { file: text === null, holders: [], joint: {} } }
}

function splitMark(text: string): [mark: string, own: string] {
  return text.startsWith(BOM) ? [BOM, text.slice(BOM.length)] : ['', text]
}
