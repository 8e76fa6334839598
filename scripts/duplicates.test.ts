import { expect, test } from 'bun:test'
import { findDuplicates } from './duplicates.ts'

const BLOCK = `
const one = read(path)
if (one === undefined) return 'nothing'
for (const line of one.lines) {
  print(line, 4)
}
const two = await find(one)
// A comment does not count.
return [one, two]
`
const RENAMED = BLOCK.replaceAll('one', 'first').replaceAll('line', 'row').replace('4', '5')

test('identical lines are reported as a pair, with both places', () => {
  expect(findDuplicates({ 'a.ts': BLOCK, 'b.ts': `const x = 1\n${BLOCK}` })).toEqual([
    { a: 'a.ts:2-9', b: 'b.ts:3-10', lines: 6, isIdentical: true },
  ])
})

test('lines that differ only in names and values are a pair, but not identical', () => {
  expect(findDuplicates({ 'a.ts': BLOCK, 'b.ts': RENAMED })).toMatchObject([{ isIdentical: false }])
})

test('two blocks of one file are a pair, but a block is not a pair with itself', () => {
  expect(findDuplicates({ 'a.ts': BLOCK + BLOCK })).toHaveLength(1)
  expect(findDuplicates({ 'a.ts': BLOCK })).toEqual([])
})

test('five lines, imports, comments and lists of one shape do not count', () => {
  const lines = BLOCK.trim().split('\n')
  const few = lines.slice(0, 4).join('\n')
  const imports = Array.from({ length: 8 }, (_, i) => `import { a } from './${i}.ts'`).join('\n')
  const long = `import {\n${'abcdefgh'.split('').join(',\n')},\n} from './one.ts'\n`
  const list = (word: string) => Array.from({ length: 8 }, (_, i) => `${word}: ${i},`).join('\n')
  for (const text of [few, imports, long, '// a comment\n'.repeat(8)])
    expect(findDuplicates({ 'a.ts': text, 'b.ts': text })).toEqual([])
  expect(findDuplicates({ 'a.ts': list('one'), 'b.ts': list('two') })).toEqual([])
})

test('a block in more than eight places counts as an idiom, not as a duplicate', () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}.ts`, BLOCK]))
  expect(findDuplicates(many(8))).toHaveLength(28)
  expect(findDuplicates(many(9))).toEqual([])
})
