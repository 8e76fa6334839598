import { expect, test } from 'bun:test'
import { documentPath, guessLooks, makeRelative } from './document.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test('normalizes a path', () => {
  for (const text of ['a/b.md', './a/b.md', 'a//b.md', 'a/./b.md', 'a/b.md/']) {
    expect(documentPath(text, 'path')).toBe('a/b.md')
  }
  for (const text of ['notes: a.md', 'ä/ö.md', '...', 'a..b', '100%.md', ' x ', '.env', '-rf']) {
    expect(documentPath(text, 'path')).toBe(text)
  }
})

test('rejects paths outside the workspace, and any that could be read as one', () => {
  for (const text of [
    '',
    '.',
    './',
    '/',
    '..',
    '../a',
    'a/..',
    'a/../b',
    '/a',
    '~/a',
    '~root',
    'a\\b',
    'C:/a',
    '%2e%2e/a',
    'a%2Fb',
    '..%5cb',
    'a%00',
    '%252e',
    'a\0b',
    'a\nb',
    'a\u007fb',
    'z:x',
  ]) {
    expect(() => documentPath(text, 'path')).toThrow('relative to the workspace')
  }
})

test('makes an absolute path relative only if it is inside the folder', () => {
  expect(makeRelative('/home/me/ws', '/home/me/ws/a.md')).toBe('a.md')
  expect(makeRelative('/home/me/ws', '/home/me/ws-2/a.md')).toBe('/home/me/ws-2/a.md')
  expect(makeRelative('/', '/a.md')).toBe('a.md')
  expect(makeRelative('/home/me/ws', 'a.md')).toBe('a.md')
  expect(makeRelative('/home/me/ws', 'b/../a.md')).toBe('b/../a.md')
})

test('resolves a path relative to the working folder inside the workspace', () => {
  const from = (standing: string, path: string) => makeRelative('/ws', path, standing)
  expect(from('/ws/sub', 'a.md')).toBe('sub/a.md')
  expect(from('/ws/sub', '../a.md')).toBe('a.md')
  expect(from('/ws/sub', '/ws/a.md')).toBe('a.md')
  expect(from('/ws', './b/../a.md')).toBe('a.md')
  // A path outside the folder is unchanged; other code rejects it.
  expect(from('/ws/sub', '../../a.md')).toBe('../../a.md')
  expect(from('/ws/sub', '../../ws-2/a.md')).toBe('../../ws-2/a.md')
  expect(from('/ws-2', 'a.md')).toBe('a.md')
  expect(from('/ws-2', '../ws/a.md')).toBe('../ws/a.md')
})

test('takes a file’s kind from its content, and from its name only if the content fits', () => {
  const kindOf = (path: string, beginning: Uint8Array) => guessLooks(path, beginning).kind
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0])
  expect(kindOf('a.png', png)).toBe('image')
  expect(kindOf('a.txt', png)).toBe('binary')
  expect(kindOf('a.png', bytes('text'))).toBe('text')
  expect(kindOf('a.svg', bytes('<svg/>'))).toBe('text')
  expect(kindOf('a.md', bytes('%PDF-1.7'))).toBe('pdf')
  expect(kindOf('a.md', new Uint8Array())).toBe('text')
  // The bytes end in the middle of a character.
  expect(kindOf('a.md', bytes('ä').subarray(0, 1))).toBe('text')
  expect(kindOf('a.md', new Uint8Array([0xff, 0x41]))).toBe('binary')
})

test('takes the language from the end of the name, and ignores Object’s properties', () => {
  const languageOf = (path: string) => guessLooks(path, bytes('x')).language
  expect(languageOf('src/A.TS')).toBe('typescript')
  expect(languageOf('Makefile')).toBe('makefile')
  expect(languageOf('a.constructor')).toBe(null)
  expect(languageOf('toString')).toBe(null)
})
