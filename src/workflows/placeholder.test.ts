import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { offsetInSource, partsOf, type TextPart } from './placeholder.ts'

const PARTS: [string, TextPart[]][] = [
  ['', []],
  ['a', [{ text: 'a' }]],
  ['${{ a }}', [{ name: 'a', at: 0 }]],
  ['${{a}}', [{ name: 'a', at: 0 }]],
  ['${{\n a.b-c_d \n}}', [{ name: 'a.b-c_d', at: 0 }]],
  [
    'x${{ a }}y${{ b }}',
    [{ text: 'x' }, { name: 'a', at: 1 }, { text: 'y' }, { name: 'b', at: 10 }],
  ],
  ['$${{ a }}', [{ text: '${{' }, { text: ' a }}' }]],
  ['$$${{ a }}', [{ text: '$${{' }, { text: ' a }}' }]],
  ['${ a } {{ b }} $a }}', [{ text: '${ a } {{ b }} $a }}' }]],
  ['${{ }}', [{ broken: '${{ }}', at: 0 }]],
  ['${{ a.b.c }}', [{ broken: '${{ a.b.c }}', at: 0 }]],
  ['${{ a || b }}', [{ broken: '${{ a || b }}', at: 0 }]],
  ['${{ a', [{ broken: '${{ a', at: 0 }, { text: ' a' }]],
  ['${{ ${{ a }}', [{ broken: '${{ ${{ a }}', at: 0 }]],
]
for (const [text, parts] of PARTS) {
  test(`the parts of ${JSON.stringify(text)}`, () => expect(partsOf(text)).toEqual(parts))
}

const words = fc.array(
  fc.constantFrom('${{', '}}', '$', '{', '}', ' a ', 'b.c', '\n', 'é', '😀', 'x'.repeat(250)),
)

test('the parts hold every word of the text, in order', () => {
  fc.assert(
    fc.property(words, (all) => {
      const text = all.join('')
      for (const part of partsOf(text)) {
        if ('text' in part) expect(part.text).not.toBe('')
        else expect(text.startsWith('${{', part.at)).toBe(true)
      }
      const plain = text.replaceAll('${{', '')
      if (plain === text) expect(partsOf(text)).toEqual(text === '' ? [] : [{ text }])
    }),
  )
})

test('a long text is read in one pass', () => {
  const before = performance.now()
  expect(partsOf('${{ '.repeat(100_000)).length).toBeGreaterThan(1000)
  expect(partsOf('$'.repeat(1_000_000))).toHaveLength(1)
  expect(performance.now() - before).toBeLessThan(3000)
})

test('a placeholder is found again in an indented source, and nowhere in one that spells it otherwise', () => {
  expect(
    offsetInSource('a ${{ b }}\nc ${{ d }}\n', 13, '|\n    a ${{ b }}\n    c ${{ d }}\n'),
  ).toBe(23)
  expect(offsetInSource('${{ b }}', 0, '"\\x24{{ b }}"')).toBe(0)
})
