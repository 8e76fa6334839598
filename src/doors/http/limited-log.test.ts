import { expect, test } from 'bun:test'
import { makeLimitedLog } from './limited-log.ts'
import type { ServerLogLine } from './site.ts'

test('limits the lines per second, and reports how many were left out', () => {
  const lines: ServerLogLine[] = []
  const line: ServerLogLine = { level: 'warn', what: 'request', status: 503 }
  let ms = 0
  const log = makeLimitedLog(
    (line) => void lines.push(line),
    2,
    () => ms,
  )
  for (let i = 0; i < 1000; i++) log(line)
  expect(lines).toEqual([line, line])
  ms = 1000
  log(line)
  log(line)
  expect(lines.slice(2)).toEqual([{ ...line, unsaid: 998 }, line])
})
