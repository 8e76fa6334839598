// Code that reads or writes deeply nested JSON recurses until its stack runs out, and an object with too many names is
// slow to build. So data from outside is measured before it is parsed, in one pass over its characters.

import { refuse, type Sentence } from './error.ts'

/** No meaningful data is deeper than this. */
export const DEEPEST = 100
/** The limit for a call's body or a line of a file, which wraps such data. */
export const DEEPEST_WHOLE = DEEPEST + 10

/** The most names and values in one piece of JSON: more than even the largest field could hold. */
const MOST_NAMES = 50_000
const MOST_VALUES = 400_000

export function mustBeShallow(words: string, label: Sentence, deepest = DEEPEST): void {
  const { isDeep, names, values } = measureJson(words, deepest)
  if (isDeep)
    throw refuse.invalid_input`${label} is nested more than ${deepest} levels deep; write it flatter, or put it into a file`
  if (names > MOST_NAMES)
    throw refuse.invalid_input`${label} has ${names} names; at most ${MOST_NAMES} fit`
  if (values > MOST_VALUES)
    throw refuse.invalid_input`${label} has ${values} values; at most ${MOST_VALUES} fit`
}

/** Parses stored JSON. JSON that was stored before depths were checked may be too deep; it's returned as a string. */
export function readStored(words: string, parse: (words: string) => unknown = JSON.parse): unknown {
  return measureJson(words, DEEPEST_WHOLE).isDeep ? words : parse(words)
}

const QUOTE = 34
const BACKSLASH = 92

const COLON = 58
const COMMA = 44

/** Stops counting names once the data is too deep. */
function measureJson(words: string, deepest: number) {
  let depth = 0
  let names = 0
  let values = 0
  // A shorter string can't be too deep, because every level takes an opening and a closing character.
  if (words.length <= 2 * deepest) return { isDeep: false, names, values }
  for (let at = 0; at < words.length; at++) {
    const letter = words.charCodeAt(at)
    if (letter === QUOTE) {
      at = endOfText(words, at + 1)
    } else if (letter === 91 || letter === 123) {
      depth += 1
      if (depth > deepest) return { isDeep: true, names, values }
    } else if (letter === 93 || letter === 125) depth -= 1
    else if (letter === COLON) names += 1
    else if (letter === COMMA) values += 1
  }
  return { isDeep: false, names, values }
}

/** The index of the closing quote: the next one that follows an even number of backslashes. */
function endOfText(words: string, from: number): number {
  for (let start = from; ; ) {
    const at = words.indexOf('"', start)
    if (at < 0) return words.length
    let before = at
    while (before > from && words.charCodeAt(before - 1) === BACKSLASH) before -= 1
    if ((at - before) % 2 === 0) return at
    start = at + 1
  }
}
