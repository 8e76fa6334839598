// One line on a person's terminal while a command takes long: what it waits for, or how far it has come. It goes to
// standard error and is wiped before the answer, so a pipe and a file see none of it.

import { visible } from '../../core/error.ts'
import type { Io } from './io.ts'

/** A command that ends sooner shows nothing. */
const PATIENCE_MS = 400
/** Text that changes faster than this cannot be read. */
const CHANGE_MS = 100
const WIPE = '\r\u001b[2K'

export type LongLine = { progress: (words: string) => void; end: () => void }

export function longLine(io: Io, words: string): LongLine {
  const began = io.now()
  const since = new Date(began).toTimeString().slice(0, 5)
  let shownAt = 0
  const show = (text: string) => {
    shownAt = io.now()
    const most = Math.max(20, io.terminal().columns - 1)
    io.err(WIPE + [...visible(text)].slice(0, most).join(''))
  }
  const timer = setTimeout(() => show(`since ${since} ${words}`), PATIENCE_MS)
  return {
    progress(text) {
      const now = io.now()
      if (now - began >= PATIENCE_MS && now - shownAt >= CHANGE_MS) show(text)
    },
    end() {
      clearTimeout(timer)
      if (shownAt > 0) io.err(WIPE)
      shownAt = 0
    },
  }
}
