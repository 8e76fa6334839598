import { expect, test } from 'bun:test'
import { isValidElement, type ReactElement, type ReactNode } from 'react'
import { jsx, jsxs } from './jsx-runtime.ts'
import { escapeUnseen, piecesOf } from './unseen.ts'

const COMMAND = 'rm -rf ./cache \u202e dorp/ fr- mr ;\u202c'

test('characters that reorder others or are invisible are escaped in place', () => {
  expect(escapeUnseen(COMMAND)).toBe('rm -rf ./cache \\u202E dorp/ fr- mr ;\\u202C')
  const unseen = [
    '\u202a',
    '\u202b',
    '\u202c',
    '\u202d',
    '\u202e',
    '\u2066',
    '\u2067',
    '\u2068',
    '\u2069',
    '\u200b',
    '\u200e',
    '\u200f',
    '\ufeff',
    '\u061c',
    '\u00ad',
    '\u2060',
    '\u2028',
    '\u2029',
    '\u0000',
    '\u001b',
    '\u007f',
    '\u0085',
    '\u3164',
    '\uffa0',
    '\u180e',
    '\ufff9',
  ]
  for (const letter of unseen) {
    const code = letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
    expect(escapeUnseen(`a${letter}b`)).toBe(`a\\u${code}b`)
  }
  expect(escapeUnseen('a\u{e0041}b')).toBe('a\\uDB40\\uDC41b')
})

test('a joiner is written out only after an ASCII character', () => {
  expect(escapeUnseen('rm\u200d -rf\u200c /')).toBe('rm\\u200D -rf\\u200C /')
  for (const words of ['👩‍👩‍👧‍👦 crew', 'می‌خواهم', 'क्‍ष']) expect(escapeUnseen(words)).toBe(words)
})

test('leaves text in every script and line breaks unchanged', () => {
  for (const words of [
    'حارس المرفأ ٣',
    'שומר הנמל',
    '港の番人',
    'a\tb\r\nc\n',
    '\u0600١٢',
    '❤️',
    '',
  ])
    expect(piecesOf(words)).toEqual([words])
})

test('escaped JSON parses to the same value', () => {
  const value = { 'k\u202e': `${COMMAND}\u{e0041}\u200b`, list: ['\u2066a\u2069'] }
  expect(JSON.parse(escapeUnseen(JSON.stringify(value)))).toEqual(value)
})

type Made = ReactElement<{ children?: ReactNode; title?: string }>

test('elements mark invisible characters in their text, and components get their props unchanged', () => {
  const { props } = jsx('p', { children: COMMAND, title: COMMAND }) as Made
  const all = props.children as ReactNode[]
  const marks = all.filter((one) => isValidElement(one)) as Made[]
  expect(marks.map((one) => [one.type, one.props.children])).toEqual([
    ['samp', '\\u202E'],
    ['samp', '\\u202C'],
  ])
  expect(all.filter((one) => typeof one === 'string').join('|')).toBe(
    'rm -rf ./cache | dorp/ fr- mr ;|',
  )
  expect(props.title).toBe(escapeUnseen(COMMAND))
  const part = () => null
  expect((jsx(part, { title: COMMAND }) as Made).props.title).toBe(COMMAND)
  const option = jsxs('option', { children: ['of ', COMMAND] }) as Made
  expect(option.props.children).toEqual(['of ', escapeUnseen(COMMAND)])
  const children = ['plain', 1, null]
  expect((jsxs('p', { children }) as Made).props.children).toBe(children)
})

test('a text full of invisible characters stays one string', () => {
  const many = 'a\u200b'.repeat(50_000)
  const { props } = jsx('p', { children: many }) as Made
  expect(props.children).toBe('a\\u200B'.repeat(50_000))
  expect(escapeUnseen('\u202e'.repeat(100_000))).toBe('\\u202E'.repeat(100_000))
})
