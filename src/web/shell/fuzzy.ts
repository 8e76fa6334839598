// Fuzzy matching: finds the typed letters in order. Matches at the start of a word rank highest.

export type Match = {
  rank: number
  at: readonly number[]
}

export function match(query: string, text: string): Match | null {
  const wanted = query.trim().toLowerCase()
  if (wanted === '') return { rank: 0, at: [] }
  const inside = text.toLowerCase()
  // A few letters are longer in lower case, which would shift the positions.
  if (inside.length !== text.length) return inside.includes(wanted) ? { rank: 2, at: [] } : null
  const whole = indexAtWord(inside, wanted)
  if (whole >= 0) return { rank: whole === 0 ? 0 : 1, at: range(whole, wanted.length) }
  const part = inside.indexOf(wanted)
  if (part >= 0) return { rank: 2, at: range(part, wanted.length) }
  return scattered(wanted, inside)
}

function indexAtWord(text: string, wanted: string): number {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    if (at === 0 || !isLetter(text[at - 1] ?? '')) return at
  }
  return -1
}

function isLetter(one: string): boolean {
  return /[\p{L}\p{N}]/u.test(one)
}

/** Matches letters that have others in between. The further apart they are, the worse the rank. */
function scattered(wanted: string, text: string): Match | null {
  const at: number[] = []
  for (const letter of wanted) {
    if (letter === ' ') continue
    const found = text.indexOf(letter, (at.at(-1) ?? -1) + 1)
    if (found < 0) return null
    at.push(found)
  }
  const length = (at.at(-1) ?? 0) - (at[0] ?? 0)
  return { rank: 3 + length / 1000, at }
}

function range(from: number, length: number): number[] {
  return Array.from({ length }, (_, at) => from + at)
}
