import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { DEEPEST, mustBeShallow, readStored } from './shallow.ts'

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

function isTaken(words: string, deepest?: number): boolean {
  try {
    mustBeShallow(words, 'it', deepest)
    return true
  } catch {
    return false
  }
}

test('accepts the deepest allowed nesting, and no deeper', () => {
  expect(isTaken(nested(DEEPEST))).toBe(true)
  expect(isTaken(nested(DEEPEST + 1))).toBe(false)
  expect(isTaken(`${'{"a":'.repeat(DEEPEST + 1)}1${'}'.repeat(DEEPEST + 1)}`)).toBe(false)
  expect(isTaken('['.repeat(1_000_000))).toBe(false)
})

test('rejects an object with too many names', () => {
  const names = (count: number) =>
    `{${Array.from({ length: count }, (_, at) => `"a${at}:":":"`).join(',')}}`
  expect(isTaken(names(50_000))).toBe(true)
  expect(isTaken(names(50_001))).toBe(false)
})

test('ignores brackets in strings, even next to escapes', () => {
  for (const text of ['['.repeat(500), `\\"${'['.repeat(500)}`, `"${'{'.repeat(500)}\\\\`]) {
    expect(isTaken(JSON.stringify([text, text]))).toBe(true)
  }
  expect(isTaken(`["\\\\",${nested(DEEPEST)}]`)).toBe(false)
})

test('counts depth as a parser does', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
      : 0
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(6), (value, deepest) => {
      // The spaces make the JSON long enough to be measured.
      const words = JSON.stringify(value, null, 8) + ' '.repeat(20)
      expect(isTaken(words, deepest)).toBe(depthOf(value) <= deepest)
    }),
  )
})

test('reads a long text once', () => {
  const words = JSON.stringify(['"\\'.repeat(2_000_000), '\\'.repeat(2_000_000)])
  expect(isTaken(words)).toBe(true)
})

test('shows JSON that was stored deeper than allowed as text', () => {
  expect(readStored('{"a":[1]}')).toEqual({ a: [1] })
  const deep = nested(40_000)
  expect(readStored(deep)).toBe(deep)
})

test('rejects JSON with too many values', () => {
  const values = (count: number) => `[${'{},'.repeat(count - 1)}{}]`
  expect(isTaken(values(400_001))).toBe(true)
  expect(isTaken(values(400_002))).toBe(false)
})
