import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { checkSizes } from './sizes.ts'

const root = mkdtempSync(join(tmpdir(), 'sizes-'))
afterAll(() => rmSync(root, { recursive: true }))

function check(path: string, lines: number) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), 'x\n'.repeat(lines))
  const { warnings, violations } = checkSizes(root, [path])
  return { warnings: warnings.length, violations: violations.length }
}

test('finding no files, or none to check, is a failure', () => {
  expect(checkSizes(root, []).violations).toHaveLength(1)
  expect(check('README.md', 9)).toEqual({ warnings: 0, violations: 1 })
})

test.each([
  ['src/core/lease.ts', 400, 0, 0],
  ['src/core/lease.ts', 401, 1, 0],
  ['src/core/lease.ts', 501, 0, 1],
  ['src/core/lease.test.ts', 500, 0, 0],
  ['src/core/lease.test.ts', 501, 0, 1],
  ['test/races/lease.ts', 501, 0, 1],
  ['sql/0001_threads.sql', 501, 0, 1],
])('%s of %i lines: %i warnings, %i violations', (path, lines, warnings, violations) => {
  expect(check(path, lines)).toEqual({ warnings, violations })
})

test('a name that could hold anything is refused', () => {
  expect(check('src/core/utils.ts', 1).violations).toBe(1)
  expect(check('src/core/types.test.ts', 1).violations).toBe(1)
  expect(check('src/core/library.ts', 1).violations).toBe(0)
})

test('generated files may be long', () => {
  const paths = ['src/ops/flags.gen.ts', 'sql/schema.sqlite.sql', 'src/core/short.ts']
  for (const path of paths) check(path, path.includes('short') ? 1 : 900)
  const source = { files: 1, lines: 1 }
  expect(checkSizes(root, paths)).toEqual({ files: 1, source, warnings: [], violations: [] })
})
