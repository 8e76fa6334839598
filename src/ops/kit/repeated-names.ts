// An object in JSON may have a name twice, and of its values readers keep the last, or the first. So two readers can see
// two different things in one text, and one of them may be what a person approved. Such an object is refused, wherever it
// comes in: in a text before it is parsed, and in what a door has parsed by a mark that is left in its place.

import { afterText } from './exact-numbers.ts'

/** Stands in a parsed object where a name came twice. Nothing can be made of it, so its field is refused. */
export class RepeatedName extends Error {
  readonly repeated: string

  constructor(repeated: string) {
    super(`${JSON.stringify(repeated)} comes twice`)
    this.repeated = repeated
  }

  toJSON(): never {
    throw this
  }
}

type Frame = {
  /** Null in a list. */
  names: Set<string> | null
  /** Where in it we are: at a name, or at a number. */
  at: string | number
  /** Whether the next text is a name. */
  isNameNext: boolean
}

/** The places in JSON at which a name comes again, inner ones first. The text need not be right otherwise. */
export function repeatedNames(words: string): (string | number)[][] {
  const found: (string | number)[][] = []
  const frames: Frame[] = []
  for (let at = 0; at < words.length; at++) {
    const letter = words[at]
    const frame = frames.at(-1)
    if (letter === '"') {
      const after = afterText(words, at)
      if (after < 0) break
      if (frame?.names && frame.isNameNext) {
        const name = nameIn(words.slice(at, after))
        frame.at = name
        frame.isNameNext = false
        if (frame.names.has(name)) found.push(frames.map((one) => one.at))
        frame.names.add(name)
      }
      at = after - 1
    } else if (letter === '{') frames.push({ names: new Set(), at: '', isNameNext: true })
    else if (letter === '[') frames.push({ names: null, at: 0, isNameNext: false })
    else if (letter === '}' || letter === ']') frames.pop()
    else if (letter === ',' && frame !== undefined) {
      if (frame.names === null) frame.at = Number(frame.at) + 1
      else frame.isNameNext = true
    }
  }
  return found.sort((one, other) => other.length - one.length)
}

/** Leaves a mark at each of these places of a parsed value. */
export function markRepeated(value: unknown, places: readonly (string | number)[][]): unknown {
  for (const place of places) {
    const name = String(place.at(-1))
    const inside = place.slice(0, -1).reduce(partOf, value)
    // If it is not there any more, a name further out came twice, and is marked next.
    if (typeof inside !== 'object' || inside === null || !Object.hasOwn(inside, name)) continue
    // By definition, because a name may be __proto__.
    Object.defineProperty(inside, name, { value: new RepeatedName(name) })
  }
  return value
}

function partOf(whole: unknown, at: string | number): unknown {
  if (typeof whole !== 'object' || whole === null || !Object.hasOwn(whole, at)) return undefined
  return (whole as Record<string | number, unknown>)[at]
}

/** Two spellings of one name are the same name. */
function nameIn(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1)
  try {
    return JSON.parse(quoted) as string
  } catch {
    return quoted
  }
}
