// Values of a screen's address. Anybody may have written them, so a screen takes those that it knows and that the server
// takes, and does as if the others were not there.

import { isName } from '../../core/agents/agent.ts'

/** The parts of an address, each of which may be missing. */
export type SearchParts<T> = { [Key in keyof T]?: T[Key] | undefined }

export type GivenSearch = Record<string, unknown>

/** A text, cut at what the server takes. Digits come as a number. */
export function textIn(value: unknown, most = 200): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value).replaceAll('\0', '').slice(0, most).toWellFormed()
  return text.trim() === '' ? undefined : text
}

export function idIn(value: unknown): string | undefined {
  return textIn(value, 128)
}

export function nameIn(value: unknown): string | undefined {
  return typeof value === 'string' && isName(value) ? value : undefined
}

export function oneOf<Word extends string>(
  words: readonly Word[],
  value: unknown,
): Word | undefined {
  return words.find((word) => word === value)
}
