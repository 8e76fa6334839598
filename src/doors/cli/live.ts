// `--watch` redraws the output whenever something happens, until q is pressed or the program is interrupted.

import { refuse } from '../../core/error.ts'
import { callDirectly, type Enter } from '../../ops/call.ts'
import { pageOf } from '../../ops/kit/drawing/page.ts'
import type { Operation } from '../../ops/kit/operation.ts'
import { watch } from '../../ops/threads/watch.ts'
import { type ParsedWords, rawInput } from './argv.ts'
import type { Io, ShellMailroom } from './io.ts'

const ALTERNATE_SCREEN = '\u001b[?1049h\u001b[?25l'
const NORMAL_SCREEN = '\u001b[?25h\u001b[?1049l'
const HOME = '\u001b[H'
const CLEAR_BELOW = '\u001b[J'
const CLEAR_LINE_END = '\u001b[K'
type StatusAnswer = { next_event_id: number }

/** Relative times change even when nothing happens. */
const REDRAW_SECONDS = 5

/** Waiting for events is an operation like any other. */
const NEWS = watch as unknown as Operation

export async function runLive(io: Io, shown: Operation, parsed: ParsedWords): Promise<number> {
  const terminal = io.terminal()
  if (!terminal.isTty)
    throw refuse.invalid_input`--watch needs a terminal; for programs there is inbox watch`
  const raw = rawInput(shown.fields, parsed, () => '')
  const quit = new AbortController()
  let opened: ShellMailroom | undefined
  const enter: Enter = async () => {
    const address = io.locate(parsed.flags.get('--db')?.[0])
    opened ??= await io.open(address)
    return opened
  }
  const ask = async <T>(op: Operation, raw: Record<string, unknown>) =>
    (await callDirectly(enter, { op, raw, door: 'cli', signal: quit.signal })) as T
  let endKeys = () => {}
  try {
    let now = await ask<StatusAnswer>(shown, raw)
    const interrupt = io.onInterrupt()
    interrupt.signal.addEventListener('abort', () => quit.abort())
    endKeys = io.onKey((key) => {
      if (key === 'q' || key === '\u0003' || key === '\u001b') quit.abort()
    })
    io.out(ALTERNATE_SCREEN)
    try {
      for (;;) {
        draw(io, await shown.lines(now, pageOf(io)))
        const news = { after_event: now.next_event_id, timeout_seconds: REDRAW_SECONDS }
        await ask(NEWS, news)
        if (quit.signal.aborted) return interrupt.signal.aborted ? 128 + interrupt.number() : 0
        now = await ask<StatusAnswer>(shown, raw)
      }
    } finally {
      io.out(NORMAL_SCREEN)
    }
  } finally {
    endKeys()
    await opened?.close()
  }
}

// Each line is drawn over the old one, because clearing the screen first would flicker.
function draw(io: Io, text: string): void {
  const { rows } = io.terminal()
  const lines = [...text.split('\n').slice(0, rows - 2), '', 'q quits']
  io.out(HOME + lines.map((line) => line + CLEAR_LINE_END).join('\r\n') + CLEAR_BELOW)
}
