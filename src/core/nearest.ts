// Suggests the closest known word for an unknown one.

/** The closest candidate, if it's close enough to be a typo. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .sort((a, b) => a.distance - b.distance)
  const best = ranked[0]
  // In a very short word, two wrong letters are most of the word.
  const most = word.length < 4 ? 1 : Math.max(2, word.length / 4)
  return best !== undefined && best.distance <= most ? best.candidate : undefined
}

function editDistance(a: string, b: string): number {
  // Words on a command line are short, so one of a very different length isn't a near miss.
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
