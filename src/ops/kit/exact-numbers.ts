// JSON is kept word for word, but its reader gets floating-point numbers. An integer that these cannot hold
// would come out as another number, so it is refused. Fractions are rounded everywhere, and nobody is
// misled by that.

import { quote, refuse } from '../../core/error.ts'
import { type Sentence, sentence } from '../../core/sentence.ts'

const TEXTS = /"(?:[^"\\]|\\.)*"/g
const NUMBERS = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
/** Shorter numbers are all held exactly. */
const LONG = /\d{16}|[eE]/

export function mustKeepNumbers(words: string, label: Sentence): void {
  if (!LONG.test(words)) return
  const wrong = words.replaceAll(TEXTS, '""').match(NUMBERS)?.find(isChanged)
  if (wrong === undefined) return
  throw refuse(
    'invalid_input',
    sentence`${label} holds the number ${quote(wrong)}, which would be read as ${Number(wrong)}; write it as text, in quotes`,
  )
}

const { rawJSON } = JSON as unknown as { rawJSON: (words: string) => unknown }

/** For JSON that is only written back: every number keeps its own words, so that 2.50 stays 2.50. */
export function parseExactly(words: string): unknown {
  return JSON.parse(words, (_, value: unknown, context?: { source?: string }) => {
    const own = context?.source
    if (typeof value !== 'number' || own === undefined) return value
    return own === String(value) ? value : rawJSON(own)
  })
}

function isChanged(number: string): boolean {
  const read = Number(number)
  if (!Number.isFinite(read)) return true
  return /^-?\d+$/.test(number) && BigInt(number) !== BigInt(read)
}
