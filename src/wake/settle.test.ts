import { expect, test } from 'bun:test'
import { restsUntil } from './settle.ts'

test('a message waits a moment for more, and a long burst for a longer silence', () => {
  expect(restsUntil({ since: 0, at: 0 })).toBe(100)
  expect(restsUntil({ since: 0, at: 400 })).toBe(500)
  expect(restsUntil({ since: 0, at: 4000 })).toBe(5000)
  expect(restsUntil({ since: 0, at: 30_000 })).toBe(32_000)
})

test('what never stops is a batch after a minute', () => {
  expect(restsUntil({ since: 5, at: 59_000 })).toBe(60_005)
  expect(restsUntil({ since: 5, at: 60_005 })).toBe(60_005)
})
