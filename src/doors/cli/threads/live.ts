// `status --watch`: the status, redrawn as things happen, until q or an interrupt.

import { refuse } from '../../../core/error.ts'
import { makeAfterwards } from '../../../ops/kit/afterwards.ts'
import { palette } from '../../../ops/kit/drawing/text.ts'
import type { Fields } from '../../../ops/kit/field.ts'
import type { Operation } from '../../../ops/kit/operation.ts'
import { readInput } from '../../../ops/kit/read-input.ts'
import { status } from '../../../ops/threads/status.ts'
import { watch } from '../../../ops/threads/watch.ts'
import { type Parsed, rawInput } from '../argv.ts'
import type { Io } from '../io.ts'
import { renderStatus } from '../render.ts'

const ALTERNATE_SCREEN = '\u001b[?1049h\u001b[?25l'
const NORMAL_SCREEN = '\u001b[?25h\u001b[?1049l'
const HOME = '\u001b[H'
const CLEAR_BELOW = '\u001b[J'
const CLEAR_LINE_END = '\u001b[K'
/** Relative times grow old by themselves. */
const REDRAW_SECONDS = 5

export async function runLive(io: Io, parsed: Parsed): Promise<number> {
  const terminal = io.terminal()
  if (!terminal.isTty) {
    throw refuse('invalid_input', '--watch needs a terminal; for programs there is inbox watch')
  }
  const raw = rawInput(status.fields as Fields, parsed, () => '')
  const input = readInput(status.fields, raw, { agent: undefined })
  const {
    shell: _,
    close,
    ...mailroom
  } = await io.open(io.locate(parsed.flags.get('--db')?.[0]), {
    call: [watch as unknown as Operation, {}],
    more: [],
  })
  const interrupt = io.onInterrupt()
  const quit = new AbortController()
  interrupt.signal.addEventListener('abort', () => quit.abort())
  const endKeys = io.onKey((key) => {
    if (key === 'q' || key === '\u0003' || key === '\u001b') quit.abort()
  })
  io.out(ALTERNATE_SCREEN)
  try {
    while (!quit.signal.aborted) {
      const { later } = makeAfterwards()
      const context = {
        ...mailroom,
        caller: { agent: undefined },
        signal: quit.signal,
        later,
        door: 'cli' as const,
      }
      const now = await status.run(context, input)
      draw(io, renderStatus(now, { terminal, ink: palette(terminal.colour), now: io.now() }))
      await watch.run(context, {
        after_event: now.next_event_id,
        timeout_seconds: REDRAW_SECONDS,
      })
    }
    return interrupt.signal.aborted ? 128 + interrupt.number() : 0
  } finally {
    io.out(NORMAL_SCREEN)
    endKeys()
    await close()
  }
}

// Over what is there, line by line: clearing first would flicker.
function draw(io: Io, text: string): void {
  const { rows } = io.terminal()
  const lines = [...text.split('\n').slice(0, rows - 2), '', 'q quits']
  io.out(HOME + lines.map((line) => line + CLEAR_LINE_END).join('\r\n') + CLEAR_BELOW)
}
