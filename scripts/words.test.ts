import { expect, test } from 'bun:test'
import { checkWords } from './words.ts'

const GOOD = '// A lease lapses by itself.\nexport type Lease = { agent: string }\n'

function violations(text: string, path = 'src/core/one.ts'): string[] {
  return checkWords({ 'src/core/good.ts': GOOD, [path]: text }).violations
}

test('no files is a failure, and so are files without comments or types', () => {
  expect(checkWords({}).violations).toHaveLength(2)
  expect(checkWords({ 'src/core/one.ts': 'export const one = 1\n' }).violations).toHaveLength(2)
  expect(violations(GOOD.replace('Lease', 'Grant'))).toEqual([])
})

test.each([
  ['// What a caller may do.\n'],
  ['const a = 1 // Whoever comes first.\n'],
  ['/** Who holds it. */\nconst a = 1\n'],
  ['/**\n * Of all leases the first.\n */\nconst a = 1\n'],
  ['/* It is over. */\n'],
])('%j opens headless', (text) => {
  expect(violations(text)).toHaveLength(1)
})

test('a page is read as well; the properties of its parts may share a name', () => {
  expect(violations('// What it shows.\nexport type Shown = 1\n', 'src/web/a.tsx')).toHaveLength(2)
  const props = 'type Props = { a: string }\n'
  const files = { 'src/core/good.ts': GOOD, 'src/web/a.tsx': props, 'src/web/b.tsx': props }
  expect(checkWords(files).violations).toEqual([])
})

test.each([
  ['// Nobody waits for it.\n// Whoever reads on is in the same comment.\n'],
  ['const text = "// What is in a string is no comment"\n'],
  ['// Whatever failed, the turn goes on.\n'],
  ['// biome-ignore lint/suspicious/noConsole: What a script prints is its result.\n'],
])('%j does not', (text) => {
  expect(violations(text)).toEqual([])
})

test('comments of queries are read, and marks are none', () => {
  const sql = '--- inbox_heads\n-- What is unread.\nselect 1\n-- if :one (\n-- )\n'
  expect(violations(sql, 'src/store/inbox/one.sql')).toEqual([
    'src/store/inbox/one.sql:2: "What …" does not say what it speaks of',
  ])
})

test('a type is no participle', () => {
  for (const name of ['Given', 'Handled', 'Waiting']) {
    expect(violations(`type ${name} = string\n`)).toHaveLength(1)
  }
  for (const name of ['GivenInput', 'Ruling', 'Thread']) {
    expect(violations(`export interface ${name} { id: string }\n`)).toEqual([])
  }
})

test('a type has one meaning in src', () => {
  const two = 'type Page = string\n'
  const files = { 'src/core/a.ts': `// One.\n${two}`, 'src/ops/b.ts': two }
  expect(checkWords(files).violations).toEqual([
    'src/ops/b.ts:1: the type Page is declared in src/core/a.ts:2 too',
  ])
  expect(checkWords({ ...files, 'src/ops/b.ts': '', 'test/c.ts': two }).violations).toEqual([])
})
