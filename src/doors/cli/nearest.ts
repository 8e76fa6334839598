// Guesses what was meant by an unknown word. Off the path of every command.

import { quote, Refusal, refuse } from '../../core/error.ts'
import { nearest } from '../../core/nearest.ts'
import { type Arity, type ParsedWords, parseFlags } from './argv.ts'

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
