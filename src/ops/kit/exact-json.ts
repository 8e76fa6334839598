// JSON is stored as text, but readers parse its numbers as floating point. An integer that doesn't fit would turn into
// a different number, and a tiny number into zero, so both are refused no matter how they're written. Other rounding is
// harmless, except where a digest vouches for what a person approved: there, a number is also refused if it wouldn't be
// written back unchanged.

import { quote, refuse, type Sentence } from '../../core/error.ts'

const NUMBERS = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const PARTS = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
/** Shorter numbers always survive parsing. The digits may include a decimal point. */
const LONG = /[\d.]{16}|\d[eE][+-]?\d/

export function mustKeepNumbers(words: string, label: Sentence): void {
  refuseNumber(numberIn(words, isChanged), label)
}

/** For JSON in which every digit counts. */
export function mustKeepEveryDigit(words: string, label: Sentence): void {
  refuseNumber(numberIn(words, isRounded), label)
}

function refuseNumber(wrong: string | undefined, label: Sentence): void {
  if (wrong === undefined) return
  throw refuse.invalid_input`${label} holds the number ${quote(wrong)}, which would be read as ${Number(wrong)}; write it as text, in quotes`
}

const { rawJSON } = JSON as unknown as { rawJSON: (words: string) => unknown }

/** For JSON that is only written back: numbers keep their original text, so 2.50 stays 2.50. */
export function parseExactly(words: string): unknown {
  return parseWith(words, (own, value) => own !== String(value))
}

/**
 * For JSON that a door reads: a number that wouldn't survive parsing keeps its original text, so that the refusal can
 * name the field that holds it.
 */
export function parseNumbers(words: string): unknown {
  return hasRoundedNumber(words) ? parseWith(words, isRounded) : JSON.parse(words)
}

export function hasChangedNumber(words: string): boolean {
  return numberIn(words, isChanged) !== undefined
}

export function hasRoundedNumber(words: string): boolean {
  return numberIn(words, isRounded) !== undefined
}

function parseWith(words: string, isKept: (own: string, value: number) => boolean): unknown {
  return JSON.parse(words, (_, value: unknown, context?: { source?: string }) => {
    const own = context?.source
    if (typeof value !== 'number' || own === undefined) return value
    return isKept(own, value) ? rawJSON(own) : value
  })
}

function numberIn(words: string, isWrong: (number: string) => boolean): string | undefined {
  if (!LONG.test(words)) return undefined
  for (const part of besideTexts(words)) {
    const wrong = part.match(NUMBERS)?.find(isWrong)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

/** The parts of the JSON outside quotes. A regular expression for strings would overflow on a megabyte of text. */
function* besideTexts(words: string): Generator<string> {
  for (let at = 0; at >= 0; ) {
    const begin = words.indexOf('"', at)
    yield words.slice(at, begin < 0 ? words.length : begin)
    at = begin < 0 ? -1 : afterText(words, begin)
  }
}

/** The index after the string that begins here; -1 if it isn't closed. */
function afterText(words: string, begin: number): number {
  for (let at = words.indexOf('"', begin + 1); at >= 0; at = words.indexOf('"', at + 1)) {
    let before = at
    while (words[before - 1] === '\\') before -= 1
    if ((at - before) % 2 === 0) return at + 1
  }
  return -1
}

/** Whether parsing changes the value, so that the double is written with different digits than the original. */
function isRounded(number: string): boolean {
  if (!LONG.test(number)) return false
  const given = decimalOf(number)
  // A number that's too large is written as Infinity, and one that's too small as 0. Neither has significant digits.
  const written = decimalOf(String(Number(number)))
  return given?.digits !== written?.digits || given?.exponent !== written?.exponent
}

function isChanged(number: string): boolean {
  // 1e23 isn't exact as a double either, but it's written back unchanged.
  if (!isRounded(number)) return false
  const read = Number(number)
  const given = decimalOf(number)
  if (given === null) return false
  if (!Number.isFinite(read) || read === 0) return true
  if (given.exponent < 0) return false
  // A finite double that is an integer has at most 309 digits.
  return BigInt(given.digits) * 10n ** BigInt(given.exponent) !== BigInt(Math.abs(read))
}

/**
 * The value of a nonzero number regardless of notation: digits without leading or trailing zeros, times a power of
 * ten.
 */
function decimalOf(number: string): { digits: string; exponent: number } | null {
  const [, whole = '', part = '', power = '0'] = PARTS.exec(number) ?? []
  const all = `${whole}${part}`
  let end = all.length
  while (all[end - 1] === '0') end -= 1
  const digits = all.slice(0, end).replace(/^0+/, '')
  const exponent = Number(power) - part.length + all.length - end
  return digits === '' ? null : { digits, exponent }
}

/** Replaces a value whose key appears twice in a parsed object, so that the field is refused. */
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
  /** The keys seen so far in an object; null in an array. */
  names: Set<string> | null
  /** The current key or index. */
  at: string | number
  isNameNext: boolean
}

/** The paths at which a key repeats, innermost first. The text doesn't have to be valid JSON. */
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

/** Puts a marker at each of these paths in a parsed value. */
function markRepeated(value: unknown, places: readonly (string | number)[][]): unknown {
  for (const place of places) {
    const name = String(place.at(-1))
    const inside = place.slice(0, -1).reduce(partOf, value)
    // If the path is gone, a key further out is repeated too and will be marked next.
    if (typeof inside !== 'object' || inside === null || !Object.hasOwn(inside, name)) continue
    // defineProperty, because a key may be __proto__.
    Object.defineProperty(inside, name, { value: new RepeatedName(name) })
  }
  return value
}

function partOf(whole: unknown, at: string | number): unknown {
  if (typeof whole !== 'object' || whole === null || !Object.hasOwn(whole, at)) return undefined
  return (whole as Record<string | number, unknown>)[at]
}

/** Decodes escapes, because the same key can be written in different ways. */
function nameIn(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1)
  try {
    return JSON.parse(quoted) as string
  } catch {
    return quoted
  }
}

export function parseExactJson(words: string): unknown {
  const value = parseNumbers(words)
  const repeated = repeatedNames(words)
  return repeated.length === 0 ? value : markRepeated(value, repeated)
}

/** Whether a reader would get something different from what was written. */
export function isReadOtherwise(words: string): boolean {
  return hasRoundedNumber(words) || hasRepeatedName(words)
}

export function hasRepeatedName(words: string): boolean {
  return repeatedNames(words).length > 0
}
