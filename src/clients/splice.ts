// Inserts one member into an object or list of a JSON text, and removes it, without touching any other byte. Formatters for
// JSON with comments would rewrite the neighbors too, and the user's file is not ours to tidy.

import type { Node } from 'jsonc-parser'

/** Records how a member was joined to its neighbours. */
export type Joint = {
  /** A comma was added after the member before it. */
  comma?: boolean
  /** The text between the brackets, when there was no member yet. */
  inside?: string
  /** The blank line before a block of lines. */
  gap?: string
}

type Insertion = { text: string; joint: Joint; block: string }

export function insert(
  text: string,
  holder: Node,
  key: string | undefined,
  value: unknown,
): Insertion {
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

export function remove(text: string, member: Node, joint: Joint): string {
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
