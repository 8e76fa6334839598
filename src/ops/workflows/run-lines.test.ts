import { expect, test } from 'bun:test'
import type { RunnerLine } from '../../workflows/runner-report.ts'
import { lineOf } from './run-lines.ts'

test('a failed turn tells how to see the program’s output, unless it is already shown', () => {
  const line: RunnerLine = {
    event: 'turn_end',
    agent: 'ann@default',
    wake_id: 'wak_1',
    state: 'failed',
    reason: 'it ended with exit code 1',
    seconds: 0.12,
    last: '',
  }
  const words = 'ann@default failed after 0.1 s: it ended with exit code 1'
  expect(lineOf(line, false)).toBe(`${words} (--verbose shows its output)`)
  expect(lineOf(line, true)).toBe(words)
})
