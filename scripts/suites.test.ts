import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './run-step.ts'
import {
  chooseSuites,
  FULL_ONLY,
  filesToRun,
  needsOf,
  SUITES,
  startingOrder,
  testFiles,
} from './suites.ts'

const ALL = SUITES.flatMap((suite) => filesToRun(suite, { names: [], extent: 'full' }))
const BY_RULE = SUITES.flatMap((suite) => filesToRun(suite, { names: [], extent: 'rule' }))

test('every test file is in one suite, except those with published agents', () => {
  const there = ['src', 'scripts', 'test'].flatMap(testFiles)
  const missing = there.filter((file) => !ALL.includes(file))
  expect(ALL.length).toBeGreaterThan(300)
  expect(new Set(ALL).size).toBe(ALL.length)
  expect(missing.filter((file) => !file.startsWith('test/clients/'))).toEqual([])
})

test('npm test runs every test that a promise names', () => {
  const promises = readFileSync(join(ROOT, 'docs/promises.md'), 'utf8')
  const named = [...promises.matchAll(/`(test\/[^`]+\.test\.ts)`/g)].map(([, file = '']) => file)
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((file) => !BY_RULE.includes(file))).toEqual([])
})

test('the files left to the full product exist, each with a reason', () => {
  for (const [file, why] of Object.entries(FULL_ONLY)) {
    expect(existsSync(join(ROOT, file))).toBe(true)
    expect(why).toMatch(/^\S.{10,}/)
  }
  expect(ALL.length - BY_RULE.length).toBe(Object.keys(FULL_ONLY).length)
})

test.each([
  ['races', ['races']],
  ['mail', ['unit', 'behaviours']],
  ['workflows', ['unit', 'behaviours']],
  ['test/contract/log.test.ts', ['contract']],
  ['./test/contract/log.test.ts', ['contract']],
  ['desk-walk', ['contract']],
  ['src/core', ['unit']],
])('%s selects files of %j', (name, suites) => {
  const chosen = chooseSuites([name])
  expect(chosen.map((suite) => suite.name)).toEqual(suites)
  for (const suite of chosen) expect(testFiles(suite.paths[0] as string)).not.toEqual([])
})

test('long files start first', () => {
  const suites = SUITES.map((suite) => ({ ...suite, paths: suite.paths.flatMap(testFiles) }))
  const order = startingOrder(suites)
  expect(order.toSorted()).toEqual(ALL.toSorted())
  expect(order.slice(0, 20)).toContain('test/browser/offline.test.ts')
  expect(order.at(-1)).toStartWith('src/')
})

test('an unknown name is refused', () => {
  expect(() => chooseSuites(['nothing-of-the-kind'])).toThrow('no suite, subject or test file')
})

test('a file needs only what it mentions', () => {
  const needs = (name: string) =>
    chooseSuites([name]).flatMap((suite) => [...needsOf(suite.paths.flatMap(testFiles))])
  expect(needs('src/core')).toEqual([])
  expect(needs('test/browser/inbox.test.ts')).toContain('chromium')
  expect(needs('test/contract/log.test.ts')).toContain('postgres')
  expect(needs('test/contract/log.test.ts')).not.toContain('chromium')
  expect(needs('test/portability')).toContain('node24')
})
