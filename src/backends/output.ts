// Limits a program's output: how long a line can be, how much of the end is kept, and how much is reported.

import type { TurnLine, TurnTask } from './backend.ts'

/** A line of the stream can contain a tool's result, which may be a whole file. */
const LINE_LETTERS = 4_000_000
export const LAST_LETTERS = 8000
/** Limits for the log of one turn, and for one line of it. */
const TOLD_LETTERS = 1_000_000
const TOLD_LINE_LETTERS = 4000

export type LineReader = { add: (bytes: Uint8Array) => void; end: () => void }

/** Splits bytes into lines. Joins characters that arrive in two pieces, and cuts off very long lines. */
export function lineReader(
  onLine: (line: string, isCut: boolean) => void,
  most = LINE_LETTERS,
): LineReader {
  const decoder = new TextDecoder()
  let held: string[] = []
  let length = 0
  const keep = (part: string) => {
    const room = Math.max(0, most - length)
    if (room > 0) held.push(part.slice(0, room))
    length += part.length
  }
  const close = () => {
    const line = held.join('')
    onLine(line.endsWith('\r') ? line.slice(0, -1) : line, length > most)
    held = []
    length = 0
  }
  const read = (text: string) => {
    const parts = text.split('\n')
    for (const [at, part] of parts.entries()) {
      keep(part)
      if (at < parts.length - 1) close()
    }
  }
  return {
    add: (bytes) => read(decoder.decode(bytes, { stream: true })),
    end() {
      read(decoder.decode())
      if (length > 0) close()
    },
  }
}

/** Keeps the end of a string without splitting a character. */
export function tailOf(most: number) {
  let kept = ''
  return {
    add(text: string) {
      kept += text
      if (kept.length > 2 * most) kept = lettersAtEnd(kept, most)
    },
    text: () => lettersAtEnd(kept, most).trim(),
  }
}

function lettersAtEnd(text: string, most: number): string {
  return text.slice(-most).replace(/^[\uDC00-\uDFFF]/, '')
}

export function shorten(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** Reports lines up to a limit per turn, then reports once that the remaining output isn't logged. */
export function boundedTelling(tell: TurnTask['tell'], most = TOLD_LETTERS): TurnTask['tell'] {
  let left = most
  return ({ kind, text }: TurnLine) => {
    if (left <= 0) return
    const line = shorten(text, TOLD_LINE_LETTERS)
    left -= line.length + 1
    tell({ kind, text: line })
    if (left <= 0)
      tell({ kind: 'error', text: 'this turn has too much output; the rest is not logged' })
  }
}
