// Guesses what was meant by an unknown word. Off the path of every command.

import { quote, Refusal, refuse } from '../../core/error.ts'
import { type Arity, type ParsedWords, parseFlags } from './argv.ts'

/** The closest candidate, if it is close enough to have been meant. */
export function nearest(word: string, candidates: string[]): string | undefined {
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .sort((a, b) => a.distance - b.distance)
  const best = ranked[0]
  return best !== undefined && best.distance <= Math.max(2, word.length / 4)
    ? best.candidate
    : undefined
}

function editDistance(a: string, b: string): number {
  // Words of a command line are short; a much longer one is not a near miss.
  if (Math.abs(a.length - b.length) > 8) return 99
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** Splits words like `parseFlags`, and suggests a flag for an unknown one. */
export function parseOrHint(args: string[], known: Map<string, Arity>, help: string): ParsedWords {
  try {
    return parseFlags(args, known, help)
  } catch (error) {
    throw error instanceof Refusal ? withNearest(error) : error
  }
}

export function withNearest(refusal: Refusal): Refusal {
  const { flag, known, ...details } = refusal.details as { flag?: string; known?: string[] }
  if (flag === undefined || known === undefined) return refusal
  const near = nearest(flag, known)
  const hint = `${quote(flag)} is not a flag of this command; did you mean ${near}?`
  return refuse(refusal.code, near === undefined ? refusal.message : hint, details)
}
