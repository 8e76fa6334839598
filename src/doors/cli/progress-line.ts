// Shows one line on a person's terminal while a slow command runs: what it's waiting for, or its progress. The line is
// on standard error and is erased before the result, so it never ends up in a pipe or a file.

import { visible } from '../../core/error.ts'
import { HOW_TO_STOP } from '../../ops/kit/waiting.ts'
import type { Io } from './io.ts'

/** A command that ends sooner shows no line. */
const PATIENCE_MS = 400
/** Text that changes faster than this cannot be read. */
const CHANGE_MS = 100
const WIPE = '\r\u001b[2K'

export type ProgressLine = {
  progress: (text: string) => void
  /** Erases the line to make room for other output. The next progress report shows it again below. */
  wipe: () => void
  end: () => void
}

export function startProgressLine(io: Io, first: string): ProgressLine {
  const began = io.now()
  const since = new Date(began).toTimeString().slice(0, 5)
  let shownAt = 0
  const show = (text: string) => {
    shownAt = io.now()
    io.err(WIPE + cut(visible(text), Math.max(20, io.terminal().columns - 1)))
  }
  const timer = setTimeout(() => show(`since ${since} ${first}`), PATIENCE_MS)
  return {
    progress(text) {
      const now = io.now()
      if (now - began >= PATIENCE_MS && now - shownAt >= CHANGE_MS) show(text)
    },
    wipe() {
      if (shownAt > 0) io.err(WIPE)
      shownAt = 0
    },
    end() {
      clearTimeout(timer)
      if (shownAt > 0) io.err(WIPE)
      shownAt = 0
    },
  }
}

function cut(text: string, most: number): string {
  const letters = [...text]
  if (letters.length <= most) return text
  const end = text.endsWith(HOW_TO_STOP) ? HOW_TO_STOP : ''
  return `${letters.slice(0, most - end.length - 1).join('')}…${end}`
}
