import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MUTANTS } from './mutants-list.ts'
import { ROOT } from './run-step.ts'

// `npm run mutants` is run by hand, so a guard that was rewritten would otherwise go unnoticed for a long time.
test('each mutant replaces text that the sources contain exactly once', () => {
  expect(MUTANTS.length).toBeGreaterThan(0)
  const lost = MUTANTS.filter(({ file, guard }) => {
    return readFileSync(join(ROOT, 'src', file), 'utf8').split(guard).length !== 2
  })
  expect(lost.map(({ name }) => name)).toEqual([])
})
