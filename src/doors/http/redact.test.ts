import { expect, test } from 'bun:test'
import { redact } from './redact.ts'

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
