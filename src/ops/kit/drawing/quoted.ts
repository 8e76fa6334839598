// Text written by others, with a bar before each line, because it's data and must not be mistaken for output of this
// program or for an instruction from the reader's operator.

import type { Page } from './page.ts'
import { makeSafe } from './text.ts'

export const BAR = '│'

/** Puts a bar before each line of the sender's text, and before each part of a line that the terminal would wrap. */
export function drawQuoted(text: string, { ink, terminal }: Page): string {
  const width = terminal.isTty ? Math.max(8, terminal.columns - 2) : Number.POSITIVE_INFINITY
  const lines = makeSafe(text)
    .split('\n')
    .flatMap((line) => breakLine(line, width))
  return lines.map((line) => `${ink.dim(BAR)} ${line}`.trimEnd()).join('\n')
}

/** Breaks a line that is too wide: after a space if there is one, otherwise at the limit. */
export function breakLine(line: string, width: number): string[] {
  const pieces: string[] = []
  let piece = ''
  let used = 0
  for (const letter of line) {
    const takes = columnsOf(letter)
    if (used + takes > width) {
      const space = piece.lastIndexOf(' ')
      const kept = letter === ' ' || space < 1 ? piece.length : space + 1
      pieces.push(piece.slice(0, kept).trimEnd())
      piece = letter === ' ' ? '' : piece.slice(kept)
      used = [...piece].reduce((sum, one) => sum + columnsOf(one), 0)
      if (letter === ' ') continue
    }
    piece += letter
    used += takes
  }
  return [...pieces, piece]
}

/** The most columns a character can take. A line broken early keeps its bar, but a line broken late loses it. */
function columnsOf(letter: string): number {
  if (letter === '\t') return 8
  return (letter.codePointAt(0) ?? 0) < FIRST_WIDE ? 1 : 2
}

/** Characters from here on may be two columns wide. */
const FIRST_WIDE = 0x1100
