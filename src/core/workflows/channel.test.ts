import { expect, test } from 'bun:test'
import { cutLong, ENTRY_LETTERS } from './channel.ts'

const END = /\n\n\[the rest, (\d+) letters, is in the document entries\/a\.md\]$/

function parts(text: string) {
  const { shown, rest } = cutLong(text, 'entries/a.md')
  expect(shown.length).toBeLessThanOrEqual(ENTRY_LETTERS)
  expect(shown).toMatch(END)
  expect(Number(END.exec(shown)?.[1])).toBe(rest.length)
  return { begin: shown.replace(END, ''), rest }
}

test('the beginning and the rest add up to the whole text', () => {
  const text = 'x'.repeat(ENTRY_LETTERS + 1)
  const { begin, rest } = parts(text)
  expect(begin + rest).toBe(text)
})

test('cuts at the end of a line if one is near', () => {
  const text = `${'x'.repeat(7800)}\n${'y'.repeat(3000)}`
  expect(parts(text)).toEqual({ begin: 'x'.repeat(7800), rest: 'y'.repeat(3000) })
  const far = `${'x'.repeat(4000)}\n${'y'.repeat(9000)}`
  const { begin, rest } = parts(far)
  expect(begin + rest).toBe(far)
})

test('never cuts a character in two', () => {
  for (const before of ['', 'x']) {
    const text = before + '😀'.repeat(6000)
    const { begin, rest } = parts(text)
    expect([begin.isWellFormed(), rest.isWellFormed()]).toEqual([true, true])
    expect(begin + rest).toBe(text)
  }
})
