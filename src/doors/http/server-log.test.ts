import { expect, test } from 'bun:test'
import type { ServerLogLine } from './http-server.ts'
import { makeLimitedLog, redact } from './server-log.ts'

const id = '0123456789abcdefghjkmnpqrs'

test('keeps secrets out of the log, but logs the text around them', () => {
  const said: [string, string][] = [
    [`token mr_${id}_AbCdEf012 is old`, `token mr_${id}_*** is old`],
    ['Authorization: Bearer abc.def', 'Authorization: ***'],
    ['cannot reach postgres://joe:pw@host/db', 'cannot reach postgres://***@host/db'],
    [`GET /sign-in?code=mr_${id}_Abc&x=1`, 'GET /sign-in?code=***&x=1'],
    ['{"password":"hunter2","a":1}', '{"password":"***","a":1}'],
    ['lease lse_01abc ended', 'lease lse_*** ended'],
    ['there is no agent 1uJ7IvzjrqvtLwhsDB9pdl; see', 'there is no agent ***; see'],
    ['1000000000000000000000 is too many', '1000000000000000000000 is too many'],
    ['Cookie: a=b', 'Cookie: ***'],
    ['nothing here', 'nothing here'],
  ]
  for (const [text, clean] of said) expect(redact(text)).toBe(clean)
})

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
