// Inserts a piece into a JSON object with comments, or removes it, without touching any other byte. Formatters for JSON
// with comments would rewrite the neighbors too, and the user's file isn't ours to tidy.

import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
} from 'jsonc-parser'
import { refuse } from '../core/error.ts'
import type { Piece } from './client.ts'
import type { EditRecord, Joint } from './edit.ts'
import { explainLeaving, isSameEntry, mergeEntry, tooDeep } from './entry.ts'

type JsonPiece = Extract<Piece, { value: unknown }>
type NeedPiece = Extract<Piece, { need: string[] }>

export function putJson(text: string, piece: JsonPiece, before: readonly Piece[]) {
  const path = pathOf(piece)
  const root = parse(text, piece.file, path)
  const there = findNodeAtLocation(root, path)
  if ('need' in piece && there !== undefined) return { text, made: { found: true as const } }
  if ('add' in piece && there !== undefined && there.type !== 'array') {
    throw inTheWay(piece.file, path)
  }
  for (const { value: old } of [piece, ...before.filter((one) => 'value' in one)]) {
    const ours = ownNode(root, piece, old)
    if (ours === undefined) continue
    const value = mergeEntry(getNodeValue(ours), old, piece.value)
    return { text: replaceValue(text, ours, value), made: { found: true as const } }
  }
  if ('put' in piece && there !== undefined) {
    const why = explainLeaving(before, 'remove it first')
    throw refuse.invalid_state`${piece.file} already has ${path.join('.')}, ${why}`
  }
  return addPiece(text, root, piece)
}

export function takeJson(text: string, piece: JsonPiece, { holders, joint }: EditRecord) {
  const path = pathOf(piece)
  const root = parse(text, piece.file, path)
  if ('need' in piece) return { text: removeNeed(text, root, piece, joint), isLeft: false }
  const ours = ownNode(root, piece, piece.value)
  if (ours === undefined) {
    return { text, isLeft: 'put' in piece && findNodeAtLocation(root, path) !== undefined }
  }
  const list = 'add' in piece ? (findNodeAtLocation(root, path)?.children ?? []) : [ours]
  const element = list.find((node) => node === ours || isAround(node, ours))
  // Also remove the outermost holder created for the piece, if it holds nothing else.
  const made = [...holders.map((holder) => findNodeAtLocation(root, holder)), element]
  const outer = made.find((node) => node !== undefined && isOnly(node, ours)) ?? ours
  const left = remove(text, elementOf(outer), outer === made[0] ? joint : {})
  return { text: left, isLeft: false }
}

/** Keeps the value as long as another entry that needs it exists. */
function removeNeed(text: string, root: Node, { need, by }: NeedPiece, joint: Joint) {
  const users = findNodeAtLocation(root, by)?.children ?? []
  const there = findNodeAtLocation(root, need)
  return there === undefined || users.length > 0 ? text : remove(text, elementOf(there), joint)
}

function pathOf(piece: JsonPiece): string[] {
  return 'put' in piece ? piece.put : 'add' in piece ? piece.add : piece.need
}

/** The piece's node, if it's still the entry that we wrote with this value. */
function ownNode(root: Node, piece: JsonPiece, value: unknown): Node | undefined {
  const there = findNodeAtLocation(root, pathOf(piece))
  if (there === undefined) return undefined
  const isOurs = (node: Node) => isSameEntry(getNodeValue(node), value)
  if (!('add' in piece)) return isOurs(there) ? there : undefined
  const { within } = piece
  const list = there.children ?? []
  if (within === undefined) return list.find(isOurs)
  return list.flatMap((group) => findNodeAtLocation(group, [within])?.children ?? []).find(isOurs)
}

function addPiece(text: string, root: Node, piece: JsonPiece) {
  const path = pathOf(piece)
  const isList = 'add' in piece
  const element =
    isList && piece.within !== undefined ? { [piece.within]: [piece.value] } : piece.value
  // Go down as far as the path exists, and create the rest.
  let holder = root
  let depth = 0
  for (; depth < path.length; depth += 1) {
    const next = findNodeAtLocation(root, path.slice(0, depth + 1))
    if (next === undefined) break
    if (next.type !== 'object' && depth < path.length - 1) throw inTheWay(piece.file, path)
    holder = next
  }
  const missing = path.slice(depth)
  const value = isList && missing.length > 0 ? [element] : element
  const whole = missing.slice(1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
  const { text: after, joint } = insert(text, holder, missing[0], whole)
  const last = isList ? path.length : path.length - 1
  const holders = path.map((_, i) => path.slice(0, i + 1)).slice(depth, Math.max(depth, last))
  return { text: after, made: { holders, joint } }
}

/** The whole property for a named value; the node itself for a list element. */
function elementOf(node: Node): Node {
  return node.parent?.type === 'property' ? node.parent : node
}

function isAround(outer: Node, inner: Node): boolean {
  return outer.offset <= inner.offset && inner.offset < outer.offset + outer.length
}

function isOnly(holder: Node, ours: Node): boolean {
  if (holder === ours) return true
  const [child, ...more] = holder.children ?? []
  if (child === undefined || more.length > 0) return false
  const value = child.type === 'property' ? child.children?.[1] : child
  return value !== undefined && isOnly(value, ours)
}

function replaceValue(text: string, node: Node, value: unknown): string {
  if (JSON.stringify(getNodeValue(node)) === JSON.stringify(value)) return text
  const element = elementOf(node)
  const holder = element.parent as Node
  const key = element.type === 'property' ? (element.children?.[0]?.value as string) : undefined
  // Format the value exactly as a new insertion would, and put it in place of the old one.
  const { block } = insert(text, holder, key, value)
  return `${text.slice(0, element.offset)}${block}${text.slice(element.offset + element.length)}`
}

function parse(text: string, file: string, path: readonly string[]): Node {
  const errors: ParseError[] = []
  const root = treeOf(text, errors, file)
  if (root?.type !== 'object' || errors.length > 0)
    throw refuse.invalid_input`${file} is not a JSON object; fix it first (it was not changed)`
  // Refuse duplicate keys: programs use the last one, people read the first.
  for (let depth = 0; depth < path.length; depth += 1) {
    const members = findNodeAtLocation(root, path.slice(0, depth))?.children ?? []
    const same = members.filter(({ children }) => children?.[0]?.value === path[depth])
    if (same.length > 1) {
      const name = path.slice(0, depth + 1).join('.')
      throw refuse.invalid_input`${file} has ${name} twice; fix it first (it was not changed)`
    }
  }
  return root
}

function treeOf(text: string, errors: ParseError[], file: string): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true })
  } catch (error) {
    // The parser recurses for each level, so deep nesting overflows the stack.
    if (!(error instanceof RangeError)) throw error
    throw tooDeep(file)
  }
}

function inTheWay(file: string, path: string[]) {
  return refuse.invalid_state`${file} has something unexpected on the way to ${path.join('.')}`
}

type Insertion = { text: string; joint: Joint; block: string }

function insert(text: string, holder: Node, key: string | undefined, value: unknown): Insertion {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
  const last = holder.children?.at(-1)
  const outer = indentAt(text, holder.offset)
  const own = last === undefined ? `${outer}${unit}` : indentAt(text, last.offset)
  const words = JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${own}`)
  const block = key === undefined ? words : `${JSON.stringify(key)}: ${words}`
  const end = holder.offset + holder.length - 1
  if (last === undefined) {
    const inside = text.slice(holder.offset + 1, end)
    const comments = inside.trim() === '' ? '' : inside.trimEnd()
    const filled = `${comments}${eol}${own}${block}${eol}${outer}`
    return {
      text: `${text.slice(0, holder.offset + 1)}${filled}${text.slice(end)}`,
      joint: { inside },
      block,
    }
  }
  // The new member goes after the last member, its comma and the comment on its line.
  const behind = last.offset + last.length
  const rest = /^[ \t]*(,?)[ \t]*(\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/)?/.exec(text.slice(behind, end))
  const comma = rest?.[1] !== ','
  const at = behind + (rest?.[0].trimEnd().length ?? 0)
  const joined = `${comma ? ',' : ''}${text.slice(behind, at)}${eol}${own}${block}`
  return { text: `${text.slice(0, behind)}${joined}${text.slice(at)}`, joint: { comma }, block }
}

function remove(text: string, member: Node, joint: Joint): string {
  const holder = member.parent as Node
  const members = holder.children ?? []
  const at = members.indexOf(member)
  const end = member.offset + member.length
  const before = members[at - 1]
  if (members.length === 1 && joint.inside !== undefined) {
    const close = holder.offset + holder.length - 1
    return `${text.slice(0, holder.offset + 1)}${joint.inside}${text.slice(close)}`
  }
  const start = text.slice(0, member.offset).trimEnd().length
  if (at < members.length - 1) {
    const comma = text.indexOf(',', end) + 1
    return `${text.slice(0, start)}${text.slice(comma)}`
  }
  const left = `${text.slice(0, start)}${text.slice(end)}`
  if (before === undefined || joint.comma === false) return left
  const comma = text.indexOf(',', before.offset + before.length)
  return `${left.slice(0, comma)}${left.slice(comma + 1)}`
}

function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}
