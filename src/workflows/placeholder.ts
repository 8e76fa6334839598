// Finds `${{ name }}` in a text. `$${{` stands for `${{` itself.

/** `at` is the offset in the text. A placeholder that cannot be read has no name. */
export type TextPart =
  | { text: string }
  | { name: string; at: number }
  | { broken: string; at: number }

const OPENS = /\$?\$\{\{/g
const NAME = /^\s*([A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z_][A-Za-z0-9_-]*)?)\s*$/
/** Beyond this a placeholder was not closed: no name is that long. */
const LONGEST = 200

export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = []
  let from = 0
  const keep = (to: number, tail = '') => {
    const words = text.slice(from, to) + tail
    if (words !== '') parts.push({ text: words })
  }
  OPENS.lastIndex = 0
  for (let found = OPENS.exec(text); found !== null; found = OPENS.exec(text)) {
    const at = found.index
    if (found[0].startsWith('$$')) {
      keep(at, '${{')
      from = OPENS.lastIndex
      continue
    }
    keep(at)
    const start = OPENS.lastIndex
    const length = text.slice(start, start + LONGEST).indexOf('}}')
    if (length < 0) {
      parts.push({ broken: text.slice(at, at + 20), at })
      from = OPENS.lastIndex
      continue
    }
    const end = start + length
    const [, name] = NAME.exec(text.slice(start, end)) ?? []
    parts.push(name === undefined ? { broken: text.slice(at, end + 2), at } : { name, at })
    from = end + 2
    OPENS.lastIndex = from
  }
  keep(text.length)
  return parts
}

/**
 * Where the placeholder at this offset of the text begins in the source of the text, which may be indented, folded or
 * quoted. They are found by counting; 0 if the source spells them differently.
 */
export function offsetInSource(text: string, at: number, source: string): number {
  const before = text.slice(0, at).split('${{').length - 1
  if (text.split('${{').length !== source.split('${{').length) return 0
  let offset = source.indexOf('${{')
  for (let passed = 0; passed < before; passed++) offset = source.indexOf('${{', offset + 3)
  return Math.max(offset, 0)
}
