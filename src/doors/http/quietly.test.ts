import { expect, test } from 'bun:test'
import { quietly } from './quietly.ts'
import type { LogLine } from './site.ts'

test('of what is said very often one line a second is written', () => {
  const lines: LogLine[] = []
  const log = quietly((line) => void lines.push(line))
  for (let i = 0; i < 1000; i++) log({ level: 'warn', what: 'request', status: 503 })
  expect(lines).toEqual([{ level: 'warn', what: 'request', status: 503 }])
})
