import { expect, test } from 'bun:test'
import { quote, visible } from './error.ts'

test('escapes characters a terminal would obey or hide, without changing JSON’s meaning', () => {
  const words = 'a\u001b]0;b\u009b31m\u007f\u202e\u200b\u{e0041}c\td\nä 👩‍💻'
  expect(visible(words)).toMatch(
    /^a\\u001b\]0;b\\u009b31m\\u007f\\u202e\\u200b\\udb40\\udc41c\td\n/,
  )
  expect(visible('plain ä → ü\n\tindented')).toBe('plain ä → ü\n\tindented')
  expect(JSON.parse(visible(JSON.stringify(words)))).toBe(words)
  expect(quote('x\u009b31m')).toBe('"x\\u009b31m"')
})
