import { expect, test } from 'bun:test'
import type { Io } from './io.ts'
import { startProgressLine } from './progress-line.ts'

const WIPE = '\r\u001b[2K'

function screen(columns: number) {
  const written: string[] = []
  let now = 1_000_000
  const terminal = () => ({ isTty: true, columns, rows: 24, colour: false })
  const io = { now: () => now, err: (text: string) => written.push(text), terminal }
  return { io: io as unknown as Io, written, later: (ms: number) => (now += ms) }
}

test('shows progress only for a slow command, no faster than it can be read', () => {
  const { io, written, later } = screen(80)
  const line = startProgressLine(io, 'importing')
  line.progress('imported 1 lines')
  later(400)
  line.progress('imported 2 lines')
  later(99)
  line.progress('imported 3 lines')
  later(1)
  line.progress('imported 4 lines')
  line.end()
  line.end()
  expect(written).toEqual([`${WIPE}imported 2 lines`, `${WIPE}imported 4 lines`, WIPE])
})

test('prints nothing for a quick command', () => {
  const { io, written } = screen(80)
  startProgressLine(io, 'importing').end()
  expect(written).toEqual([])
})

test('cuts the line to the terminal’s width and removes control characters', () => {
  const { io, written, later } = screen(40)
  const line = startProgressLine(io, 'importing')
  later(400)
  line.progress(`a\u001b[31m${'x'.repeat(200)}`)
  line.end()
  const shown = (written[0] ?? '').slice(WIPE.length)
  expect([...shown].length).toBe(39)
  expect(shown).not.toContain('\u001b')
})
