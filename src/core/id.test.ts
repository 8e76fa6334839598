import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { composeId, type IdKind, PREFIXES } from './id.ts'
import { epochMs, latest, plusSeconds, toInstant } from './time.ts'

const kinds = Object.keys(PREFIXES) as IdKind[]
const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 })
/** Up to 9999, the last year with four digits. */
const time = fc.integer({ min: 0, max: 253_402_300_799_999 })

test('an id has the prefix of its kind and a fixed format', () => {
  fc.assert(
    fc.property(fc.constantFrom(...kinds), time, bytes, (kind, at, random) => {
      const id = composeId(kind, at, random)
      expect(id).toMatch(/^[a-z]{2,3}_[0-9abcdefghjkmnpqrstvwxyz]{26}$/)
      expect(id.startsWith(`${PREFIXES[kind]}_`)).toBe(true)
    }),
  )
})

test('ids of a later millisecond sort later', () => {
  fc.assert(
    fc.property(time, time, bytes, bytes, (a, b, one, two) => {
      if (a === b) return
      const [first, second] = [composeId('thread', a, one), composeId('thread', b, two)]
      expect(first < second).toBe(a < b)
    }),
  )
})

test('different random bytes give different ids', () => {
  const ids = Array.from({ length: 256 }, (_, i) =>
    composeId(
      'message',
      0,
      new Uint8Array(16).map((_byte, at) => (at === 15 ? i : i >> 5)),
    ),
  )
  expect(new Set(ids).size).toBe(256)
})

test('moments sort as text in order of time', () => {
  fc.assert(
    fc.property(time, time, (a, b) => {
      const [first, second] = [toInstant(a), toInstant(b)]
      expect(first).toHaveLength(24)
      expect(Math.sign(a - b)).toBe(first < second ? -1 : first > second ? 1 : 0)
      expect(epochMs(first)).toBe(a)
      expect(latest(first, second)).toBe(toInstant(Math.max(a, b)))
    }),
  )
})

test('adds and subtracts seconds across days', () => {
  expect(plusSeconds('2026-02-28T23:59:59.500Z', 1)).toBe('2026-03-01T00:00:00.500Z')
  expect(plusSeconds('2026-03-01T00:00:00.000Z', -86_400)).toBe('2026-02-28T00:00:00.000Z')
})
