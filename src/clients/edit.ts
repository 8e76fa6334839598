// A piece put into the text of a file, and taken out again: what was there stays as it was written, with
// its comments and its order, to the byte. What had to be made on the way is told, so that exactly that
// goes again.

import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
} from 'jsonc-parser'
import { refuse } from '../core/error.ts'
import type { Piece } from './client.ts'
import { insert, type Joint, remove } from './splice.ts'

/** What was made beside the piece itself: the file, objects and lists on the way to it, and how it was
 *  joined to what was there. */
export type Made = { file: boolean; holders: string[][]; joint: Joint }

type Edited = { text: string; made: Made }
type JsonPiece = Extract<Piece, { value: unknown }>
type OwnPiece = Exclude<JsonPiece, { need: string[] }>
type ListPiece = Extract<Piece, { add: string[] }>
type LinesPiece = Extract<Piece, { lines: string }>

const BEGIN = '# mailroom: begin, written by inbox install'
const END = '# mailroom: end'

/** The file's text with the piece in it. `text` is null when there is no file yet. */
export function put(text: string | null, piece: Piece): Edited {
  const made: Made = { file: text === null, holders: [], joint: {} }
  if ('text' in piece) return { text: piece.text, made }
  return 'lines' in piece ? putLines(text ?? '', piece, made) : putJson(text ?? '', piece, made)
}

/** The file's text without the piece; null when the file was made for it and holds nothing else. */
export function take(text: string, piece: Piece, made: Made): string | null {
  // What somebody made of it since is theirs.
  if ('text' in piece) return made.file && text === piece.text ? null : text
  const isLines = 'lines' in piece
  if ('need' in piece) return made.file && isAlone(text, piece) ? null : text
  const left = isLines ? takeLines(text, made) : takeJson(text, piece, made)
  return made.file && (isLines ? /^\s*$/ : /^\s*\{\s*\}\s*$/).test(left) ? null : left
}

/** Whether the text is the piece already. */
export function isWhole(text: string, piece: Piece): boolean {
  return 'text' in piece && text === piece.text
}

/** Not ours alone: it goes only with a file that was made by us, when nothing else is left in it. */
function isAlone(text: string, { file, need }: Extract<Piece, { need: string[] }>): boolean {
  const [only, ...more] = parse(text, file).children ?? []
  return more.length === 0 && only?.children?.[0]?.value === need[0]
}

function pathOf(piece: JsonPiece): string[] {
  return 'put' in piece ? piece.put : 'add' in piece ? piece.add : piece.need
}

function putJson(before: string, piece: JsonPiece, made: Made): Edited {
  const text = before.trim() === '' ? '{}\n' : before
  const root = parse(text, piece.file)
  const path = pathOf(piece)
  const there = findNodeAtLocation(root, path)
  if ('add' in piece) {
    if (there !== undefined && there.type !== 'array') throw inTheWay(piece.file, path)
    const ours = ourElement(root, piece)
    if (ours !== undefined) return { text: replaced(text, ours, piece.value), made }
  } else if (there !== undefined) {
    return { text: 'need' in piece ? text : replaced(text, there, piece.value), made }
  }
  const value = 'add' in piece && there === undefined ? [piece.value] : piece.value
  // Down to where the path ends: the rest of it is made.
  let holder = root
  let depth = 0
  for (; depth < path.length; depth += 1) {
    const next = findNodeAtLocation(root, path.slice(0, depth + 1))
    if (next === undefined) break
    if (next.type !== 'object' && depth < path.length - 1) throw inTheWay(piece.file, path)
    holder = next
  }
  const missing = path.slice(depth)
  const whole = missing.slice(1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
  const spliced = insert(text, holder, missing[0], whole)
  const last = 'add' in piece ? path.length : path.length - 1
  const holders = path.map((_, i) => path.slice(0, i + 1)).slice(depth, Math.max(depth, last))
  return { text: spliced.text, made: { ...made, holders, joint: spliced.joint } }
}

function takeJson(text: string, piece: OwnPiece, { holders, joint }: Made): string {
  const root = parse(text, piece.file)
  const ours = 'add' in piece ? ourElement(root, piece) : findNodeAtLocation(root, piece.put)
  if (ours === undefined) return text
  // The outermost of what was made for it and holds nothing else.
  const outer = holders
    .map((holder) => findNodeAtLocation(root, holder))
    .find((node) => node !== undefined && isOnly(node, ours))
  if (outer !== undefined) return remove(text, elementOf(outer), joint)
  return remove(text, elementOf(ours), holders.length === 0 ? joint : {})
}

/** A property with its name, or an element of a list. */
function elementOf(node: Node): Node {
  return node.parent?.type === 'property' ? node.parent : node
}

function isOnly(holder: Node, ours: Node): boolean {
  if (holder === ours) return true
  const [child, ...more] = holder.children ?? []
  if (child === undefined || more.length > 0) return false
  const value = child.type === 'property' ? child.children?.[1] : child
  return value !== undefined && isOnly(value, ours)
}

function ourElement(root: Node, { add, mark }: ListPiece): Node | undefined {
  const list = findNodeAtLocation(root, add)?.children ?? []
  return list.find((node) => JSON.stringify(getNodeValue(node)).includes(mark))
}

function replaced(text: string, node: Node, value: unknown): string {
  if (JSON.stringify(getNodeValue(node)) === JSON.stringify(value)) return text
  const element = elementOf(node)
  const holder = element.parent as Node
  const key = element.type === 'property' ? (element.children?.[0]?.value as string) : undefined
  // As it would be put there, in the place where it is.
  const { block } = insert(text, holder, key, value)
  return `${text.slice(0, element.offset)}${block}${text.slice(element.offset + element.length)}`
}

function parse(text: string, file: string): Node {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true })
  if (root?.type === 'object' && errors.length === 0) return root
  throw refuse('invalid_input', `${file} is not a JSON object; mend it, it was left as it is`)
}

function inTheWay(file: string, path: string[]) {
  return refuse('invalid_state', `${file} has something unexpected on the way to ${path.join('.')}`)
}

function blockOf(lines: string): string {
  return `${BEGIN}\n${lines}\n${END}\n`
}

function putLines(text: string, { file, lines }: LinesPiece, made: Made): Edited {
  const there = blockIn(text)
  if (there !== null) {
    return { text: `${text.slice(0, there.begin)}${blockOf(lines)}${text.slice(there.end)}`, made }
  }
  const [head = ''] = lines.split('\n')
  if (text.split('\n').some((line) => line.trim() === head)) {
    throw refuse('invalid_state', `${file} already has ${head}, not written by us; remove it first`)
  }
  const gap = text === '' || text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n'
  return { text: `${text}${gap}${blockOf(lines)}`, made: { ...made, joint: { gap } } }
}

function takeLines(text: string, { joint: { gap = '' } }: Made): string {
  const there = blockIn(text)
  if (there === null) return text
  const before = text.slice(0, there.begin)
  const kept = before.endsWith(gap) ? before.slice(0, before.length - gap.length) : before
  return `${kept}${text.slice(there.end)}`
}

function blockIn(text: string): { begin: number; end: number } | null {
  const begin = text.indexOf(BEGIN)
  const end = text.indexOf(END, begin)
  if (begin < 0 || end < 0) return null
  const after = end + END.length
  return { begin, end: after + (/^\r?\n/.exec(text.slice(after))?.[0].length ?? 0) }
}
