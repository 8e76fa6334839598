import { expect, test } from 'bun:test'
import { settlesAt } from './broker.ts'

test('a single message settles quickly, and a longer burst needs a longer silence', () => {
  expect(settlesAt({ since: 0, at: 0 })).toBe(100)
  expect(settlesAt({ since: 0, at: 400 })).toBe(500)
  expect(settlesAt({ since: 0, at: 4000 })).toBe(5000)
  expect(settlesAt({ since: 0, at: 30_000 })).toBe(32_000)
})

test('a burst that never stops is cut into a batch after a minute', () => {
  expect(settlesAt({ since: 5, at: 59_000 })).toBe(60_005)
  expect(settlesAt({ since: 5, at: 60_005 })).toBe(60_005)
})
